"""The report for people."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from mcp_compliance.model.result import Report, ServerInfo
from mcp_compliance.reporters import REPORTERS
from mcp_compliance.reporters.style import Style

from . import samples
from .golden import compare

ALL = {name: value for name, value in vars(samples).items() if isinstance(value, Report)}
SGR = re.compile(r"\x1b\[[0-9;]*m")


def render(report: Report, width: int = 80, *, color: bool = False, unicode: bool = True) -> str:
    return REPORTERS["terminal"](report, Style(width, color, unicode))


@pytest.mark.parametrize("width", [80, 120])
def test_golden(width: int) -> None:
    compare(Path(f"mixed-{width}.txt"), render(samples.MIXED, width))


def test_golden_in_colour() -> None:
    compare(Path("mixed-80.ansi"), render(samples.MIXED, color=True))


@pytest.mark.parametrize("name", ["CLEAN", "ALL_SKIPPED", "NOTHING", "UNREACHABLE", "NOT_STARTABLE", "HOSTILE"])
def test_golden_of(name: str) -> None:
    compare(Path(f"{name.lower().replace('_', '-')}-80.txt"), render(ALL[name]))


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", ALL)
def test_no_line_is_wider_than_the_terminal_but_links(name: str, width: int) -> None:
    for line in render(ALL[name], width).splitlines():
        assert cell_len(line) <= width or "https://" in line


@pytest.mark.parametrize("name", ALL)
def test_whole_lines_lose_nothing(name: str) -> None:
    """A file has no edge: the message of every rule stands there in full."""
    text = REPORTERS["terminal"](ALL[name], Style(60, whole_lines=True))
    overview = text.partition("\nRESULTS\n")[2].splitlines()
    shown = [line for line in overview if line.startswith("    ")][: len(ALL[name].results)]
    if ALL[name].error is None:
        assert all("…" not in line for line in shown)
        assert len(shown) == len(ALL[name].results)


@pytest.mark.parametrize("name", ALL)
def test_colour_changes_colours_only(name: str) -> None:
    coloured = render(ALL[name], color=True)
    assert SGR.sub("", coloured) == render(ALL[name])
    assert coloured != render(ALL[name])


@pytest.mark.parametrize("name", ALL)
def test_ascii_style_is_ascii(name: str) -> None:
    assert render(ALL[name], unicode=False).isascii()


def test_the_environment_has_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    before = render(samples.MIXED, color=True), render(samples.MIXED)
    for name, value in {"NO_COLOR": "1", "COLUMNS": "40", "TERM": "dumb", "FORCE_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    assert (render(samples.MIXED, color=True), render(samples.MIXED)) == before


def test_counts_add_up_and_name_must_violations() -> None:
    text = render(samples.MIXED, 100)
    assert "5 passed, 4 failed (1 not evaluable), 3 skipped, 1 broken, 3 MUST violations" in text
    assert "9 of 13 rules measured something" in text


@pytest.mark.parametrize(
    ("server", "said"),
    [
        (ServerInfo("2026-07-28", "a", "1"), "a 1, protocol 2026-07-28"),
        (ServerInfo("2026-07-28"), "did not say its name, protocol 2026-07-28"),
        (ServerInfo(None, "a"), "a, which named no protocol version"),
        (ServerInfo(), "named neither itself nor a protocol version"),
    ],
)
def test_the_version_beside_the_server_is_its_own_word(server: ServerInfo, said: str) -> None:
    assert f"Server     {said}\n" in render(replace(samples.MIXED, server=server))


def test_failures_of_one_cause_are_one_finding() -> None:
    text = render(samples.MIXED)
    assert "FAILURES (4)  4 rules, 3 causes" in text
    findings = text[text.index("FAILURES") : text.index("CATEGORIES")]
    assert findings.count("Look at the exception behind -32603") == 1
    assert re.search(r"1 more rule failed for the same cause:\n\s+tools-schema: ", findings)


def test_a_cause_that_did_not_run_is_named() -> None:
    report = replace(samples.MIXED, results=(samples.TOOLS_SCHEMA,))
    assert re.search(r"cause +tools-list\n", render(report))


def test_failures_stand_directly_below_the_grade() -> None:
    text = render(samples.MIXED)
    between = text[text.index("rules measured something") : text.index("FAILURES")]
    assert between.count("\n") == 2


def test_required_failures_come_first() -> None:
    report = replace(samples.MIXED, results=(samples.GATEWAY, samples.BATCH))
    text = render(report)
    assert text.index("1  transport-batch-reject") < text.index("2  error-parse-code")


def test_skips_are_grouped_by_reason() -> None:
    assert "  the server does not declare prompts\n    prompts-list, prompts-get\n" in render(samples.MIXED)


def test_links_stay_in_one_piece() -> None:
    assert f"  {samples.BATCH.spec_ref}\n" in render(samples.MIXED, 60)


def test_nothing_measured_and_nothing_run_are_said() -> None:
    assert "No test measured anything" in render(samples.ALL_SKIPPED)
    assert "No tests ran -- check --only/--skip" in render(samples.NOTHING)


def test_an_unreachable_server_is_one_error_not_88() -> None:
    text = render(samples.UNREACHABLE)
    assert "connection refused" in text
    assert "88 of 88 rules failed, all for this reason" in text
    assert "rule-5" not in text
    assert len(text.splitlines()) < 20


def test_an_error_does_not_hide_other_failures() -> None:
    report = replace(samples.UNREACHABLE, results=(*samples.UNREACHABLE.results, samples.BATCH))
    text = render(report)
    assert "connection refused" in text
    assert samples.BATCH.fix.splitlines()[0] in text


@pytest.mark.parametrize("color", [False, True])
def test_a_server_cannot_steer_the_terminal_or_forge_a_line(color: bool) -> None:
    text = SGR.sub("", render(samples.HOSTILE, color=color))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e\ud800]", text)
    assert "[bold red]x[/bold red]" in text
    assert "\\x1b[2J" in text
    assert not re.search(r"^PASS everything", text, re.MULTILINE)


def test_a_bar_is_full_only_when_nothing_failed() -> None:
    many = tuple(samples.passed(f"transport-{n}", "transport") for n in range(199))
    text = render(replace(samples.MIXED, results=(*many, samples.BATCH)))
    assert "transport  ███████████████████░  199/200" in text


def test_detection_is_explained() -> None:
    assert "Spec       MCP 2025-11-25 (pinned with --spec-version)" in render(samples.MIXED)
    assert "auto-detected from initialize" in render(samples.CLEAN)


def test_overlapping_waits_are_not_called_a_share_of_the_time() -> None:
    report = replace(samples.MIXED, durations={"total": 300, "waiting": 4900})
    assert render(report).endswith("\n13 rules in 0.3 s\n")


def test_what_makes_the_grade_mean_little_is_read_before_it() -> None:
    caveat = "The server asks for a credential, so the grade below is not meaningful. \x1b[2J"
    report = replace(samples.MIXED, caveats=(caveat,), warnings=(caveat, *samples.MIXED.warnings))
    shown = " ".join(render(report).split())
    said = caveat.replace("\x1b", "\\x1b")
    assert shown.count(said) == 2  # among the warnings, too
    assert shown.index(said) < shown.index("/100")
