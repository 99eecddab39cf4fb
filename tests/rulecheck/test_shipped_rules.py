"""The shipped rules: nothing to find in them, no check without use."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_compliance.catalog.index import known_revisions, rules_root
from mcp_compliance.catalog.positions import load_document
from mcp_compliance.rulecheck.check import check_paths
from mcp_compliance.rulecheck.render import text


def test_rulecheck_finds_nothing_and_each_check_is_missed_when_it_is_dropped() -> None:
    """One run tells both: checks are dropped from the rules in which nothing else was found."""
    checked = check_paths([rules_root()], drop_checks=True)
    assert text(checked) == ""
    assert checked.rules > 0


@pytest.mark.parametrize("revision", known_revisions())
def test_requirements_stand_at_anchors_that_are_listed(revision: str) -> None:
    folder = rules_root() / revision
    anchors: Any = load_document(folder / "_anchors.yaml").value
    requirements: Any = load_document(folder / "_requirements.yaml").value
    for name, requirement in requirements["requirements"].items():
        page, _, anchor = requirement["at"].partition("#")
        assert page in anchors["pages"], name
        assert not anchor or anchor in anchors["pages"][page], name
