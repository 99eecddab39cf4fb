"""What the pages written by hand say of numbers, options and verdicts, held against the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.main import get_command

from mcp_compliance.catalog.index import known_revisions
from mcp_compliance.catalog.load import known_folders, load_revision
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.catalog.rule import PHASES
from mcp_compliance.cli.main import app
from mcp_compliance.interpreter.fixtures import LONGEST_WALK, MOST_PAGES
from mcp_compliance.interpreter.session_keeper import MOST_REOPENED
from mcp_compliance.model.options import HttpTarget, RunOptions
from mcp_compliance.model.past_report import SCHEMA_VERSION
from mcp_compliance.suite.attempts import LEAST_LIMIT, TIMEOUTS
from mcp_compliance.suite.lifeline import MOST_FAILED_RESTARTS, MOST_HANGS, MOST_MUTE
from tests.methodology.page_examples import Example, findings, revision_of_examples

FOLDER = Path(__file__).resolve().parents[2] / "methodology"
SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RULE = """\
steps:
  - name: probe
    call: no/such-method
    credit: {own_codes: [-32601]}
    check:
      - {get: probe.credit.outcome, is: credited, else: "an unknown method was not refused (HTTP {probe.http.status})"}
pass: refused
cases:
"""


def words(page: str) -> str:
    return " ".join((FOLDER / page).read_text(encoding="utf-8").split())


@pytest.fixture(scope="module")
def revisions() -> list[Revision]:
    return [load_revision(folder) for folder in known_folders().values()]


def test_the_times_of_a_run() -> None:
    options = RunOptions(target=HttpTarget("https://server.example/mcp"))
    text = words("execution.md")
    assert f"first request may take {options.preflight_seconds:g} s" in text
    assert f"once more and may take {options.startup_seconds:g} s" in text
    assert f"A stdio server has the {options.startup_seconds:g} s at once" in text
    assert f"A request waits {options.request_seconds:g} s for its answer" in text
    assert f"A rule may take {SMALL[TIMEOUTS]} such waits in all, and {LEAST_LIMIT:g} s in any case" in text
    assert f"at most {MOST_PAGES} pages, or {LONGEST_WALK:g} s" in text
    slow = RunOptions(target=options.target, timeout=90_000)
    quick = RunOptions(target=options.target, timeout=5_000)
    assert (slow.startup_seconds, slow.preflight_seconds) == (90, options.preflight_seconds)
    assert (quick.startup_seconds, quick.preflight_seconds) == (options.startup_seconds, 5)


def test_the_bounds_of_a_run() -> None:
    text = words("execution.md")
    restarts = f"or {SMALL[MOST_FAILED_RESTARTS]} fresh processes in a row"
    assert f"{SMALL[MOST_MUTE]} hangs in a row, {SMALL[MOST_HANGS]} in all, {restarts}" in text
    assert f"opened anew, {SMALL[MOST_REOPENED]} times in a run at most" in text
    assert f"Rules run in {SMALL[len(PHASES)]} phases" in text


def test_how_the_revision_is_chosen(revisions: list[Revision]) -> None:
    """The newest is asked about, its first request is named, and a pinned run asks over HTTP alone."""
    assert [each.recognition is not None for each in revisions] == [False, True]
    recognition = revisions[-1].recognition
    assert recognition is not None
    assert f"`{revisions[-1].fixtures[recognition.fixture].call}`" in words("execution.md")
    assert recognition.fallback == known_revisions()[-2]
    assert recognition.pinned == {"http"}


def test_named_options_exist() -> None:
    command = getattr(get_command(app), "commands", {})["test"]
    known = {option for parameter in command.params for option in parameter.opts}
    for page in ("execution.md", "attribution.md"):
        named = set(re.findall(r"`(--[a-z-]+)", words(page)))
        assert named <= known, page
    assert len(set(re.findall(r"`(--[a-z-]+)", words("execution.md")))) > 8


def test_a_limit_is_waited_for_as_long_as_the_page_says(revisions: list[Revision]) -> None:
    assert {each.credit.resend.at_most for each in revisions} == {2.0}
    assert {each.credit.resend.on for each in revisions} == {(429,)}
    assert "two seconds at most" in words("attribution.md")


def test_readers_are_told_to_refuse_what_this_release_does_not_write() -> None:
    text = words("versions.md")
    revisions = ", ".join(f'"{name}"' for name in known_revisions())
    assert f"not in ({revisions})" in text
    assert f'report["schemaVersion"] != "{SCHEMA_VERSION}"' in text


def rows() -> list[tuple[str, str]]:
    """Replies and verdict of each example."""
    text = (FOLDER / "attribution.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| `(.+?)` \| (pass|fail|skip|not evaluable) \| .+ \|$", text, re.MULTILINE)
    return [(replies, verdict.replace(" ", "-")) for replies, verdict in found]


def test_the_examples_of_attribution_end_as_the_page_says(tmp_path: Path) -> None:
    cases = [
        f"  - {{name: line {number}, on: http, replies: {{{replies}}}, verdict: {verdict}}}\n"
        for number, (replies, verdict) in enumerate(rows())
    ]
    table = (FOLDER / "attribution.md").read_text(encoding="utf-8").split("| --- | --- | --- |\n")[1].split("\n\n")[0]
    assert len(cases) == len(table.splitlines()) == 13
    found = findings(Example(1, RULE + "".join(cases)), revision_of_examples(), tmp_path)
    assert [f"{finding.code}: {finding.message}" for finding in found] == []
