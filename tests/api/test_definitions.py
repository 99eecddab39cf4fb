"""The catalogues for programs, and what importing the package costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mcp_compliance
from mcp_compliance import (
    SUPPORTED_SPEC_VERSIONS,
    TEST_DEFINITIONS,
    TestDefinition,
    get_test_definitions,
    render_report,
    report_document,
    spec_base_for,
)

from .conftest import REPORT

SIZES = {"2025-11-25": 88, "2026-07-28": 103}


def test_the_revisions() -> None:
    assert tuple(SIZES) == SUPPORTED_SPEC_VERSIONS


@pytest.mark.parametrize("revision", SIZES)
def test_each_revision_has_its_definitions(revision: str) -> None:
    definitions = get_test_definitions(revision)
    assert len(definitions) == len({each.id for each in definitions}) == SIZES[revision]
    base = spec_base_for(revision)
    assert base == f"https://modelcontextprotocol.io/specification/{revision}"
    for each in definitions:
        assert each.spec_version == revision
        assert each.spec_ref.startswith("https://")
        assert each.name
        assert each.description
        assert each.recommendation
        assert each.required == (each.level == "required")
        assert each.capability is not None or each.level != "required-if-declared"
    assert sum(each.spec_ref.startswith(base) for each in definitions) > len(definitions) / 2


def test_the_constant_is_the_list_of_the_older_revision() -> None:
    assert get_test_definitions("2025-11-25") == TEST_DEFINITIONS


def test_one_definition_in_full() -> None:
    ping = next(each for each in TEST_DEFINITIONS if each.id == "lifecycle-ping")
    assert isinstance(ping, TestDefinition)
    assert (ping.category, ping.transports, ping.force) == ("lifecycle", ("http", "stdio"), "MUST")


@pytest.mark.parametrize("function", [get_test_definitions, spec_base_for])
def test_an_unknown_revision_is_refused_with_the_choices(function: object) -> None:
    with pytest.raises(ValueError, match="unknown spec version 'auto': choose one of 2025-11-25, 2026-07-28"):
        function("auto")  # type: ignore[operator]


def test_every_name_is_there() -> None:
    assert all(getattr(mcp_compliance, name) is not None for name in mcp_compliance.__all__)
    assert set(mcp_compliance.__all__) <= set(dir(mcp_compliance))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = mcp_compliance.nothing  # type: ignore[attr-defined]


def test_importing_the_package_loads_next_to_nothing() -> None:
    script = (
        "import sys, mcp_compliance; print(*sorted(n for n in sys.modules if n.startswith(('mcp', 'trio', 'httpx'))))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["mcp_compliance"]


def test_a_report_knows_its_grade() -> None:
    assert (REPORT.score, REPORT.grade, REPORT.overall, REPORT.counts.required_passed) == (100, "A", "pass", 1)


def test_a_report_in_other_forms() -> None:
    assert report_document(REPORT)["grade"] == "A"
    assert '"grade": "A"' in render_report(REPORT)
    assert "100" in render_report(REPORT, "terminal", width=80)
    with pytest.raises(ValueError, match="unknown format 'xml': choose one of terminal, json"):
        render_report(REPORT, "xml")
