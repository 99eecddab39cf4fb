"""Markdown for a comment: what it says, that it fits, and that nothing a server says is more than text."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from mcp_compliance.model.result import Report
from mcp_compliance.reporters import REPORTERS
from mcp_compliance.reporters.markdown import CUT
from mcp_compliance.reporters.style import Style

from . import samples
from .every_report import ALL, HOSTILE_TEXTS, MANY
from .golden import compare
from .html_states import CAVEAT, FULL, filled

every_report = pytest.mark.parametrize("report", ALL.values(), ids=ALL)
OURS = re.compile(r"</?(details|summary|sub|code)>")
LIMIT = 65_536


def render(report: Report) -> str:
    return REPORTERS["markdown"](report, Style())


def tokens(text: str) -> list[Token]:
    """Blocks, and what is in their lines, as GitHub's parser sees them."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return [inner for token in parser.parse(text) for inner in (token, *(token.children or ()))]


def test_golden() -> None:
    compare(Path("mixed.md"), render(FULL))


@pytest.mark.parametrize("name", ["NOTHING", "ALL_SKIPPED", "UNREACHABLE", "NOT_STARTABLE"])
def test_golden_of(name: str) -> None:
    compare(Path(f"{name.lower().replace('_', '-')}.md"), render(ALL[name]))


@every_report
def test_fits_into_a_comment(report: Report) -> None:
    text = render(report)
    assert len(text) < LIMIT
    assert text.endswith("\n")
    text.encode("utf-8")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\ud800-\udfff]", text)


@every_report
def test_all_html_is_our_own_and_closed(report: Report) -> None:
    html = [token.content for token in tokens(render(report)) if token.type in ("html_block", "html_inline")]
    for piece in html:
        assert "<" not in OURS.sub("", piece)
    markup = "".join(html)
    for tag in ("details", "summary", "sub", "code"):
        assert markup.count(f"<{tag}>") == markup.count(f"</{tag}>")


@every_report
def test_links_lead_to_the_specification_only(report: Report) -> None:
    found = tokens(render(report))
    links = [str(token.attrs["href"]) for token in found if token.type == "link_open"]
    assert all(link.startswith("https://modelcontextprotocol.io/specification/") for link in links)
    assert "image" not in [token.type for token in found]


@every_report
def test_nobody_is_mentioned_and_nothing_is_referred_to(report: Report) -> None:
    """GitHub looks for these in the text that a parser leaves, outside of code and links."""
    depth = 0
    for token in tokens(render(report)):
        depth += (token.type == "link_open") - (token.type == "link_close")
        if token.type == "text" and not depth:
            assert not re.search(r"@\w|#\d|\bGH-\d|://|\bwww\.", token.content)


@pytest.mark.parametrize("text", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS)
def test_what_a_server_says_never_becomes_markup(text: str) -> None:
    """Blocks are those of a report that says something harmless of the same length."""
    within_lines = {"code_inline", "text_special", "softbreak", "text", "inline", "paragraph_open", "paragraph_close"}
    shapes = [
        [(token.type, token.tag) for token in tokens(render(filled(said))) if token.type not in within_lines]
        for said in (text, "x" * len(text))
    ]
    assert shapes[0] == shapes[1]


def test_the_grade_stands_first_and_what_takes_its_meaning_beside_it() -> None:
    lines = [line for line in render(FULL).splitlines() if line]
    assert lines[0] == "## MCP compliance: D, 55/100"
    assert lines[1] == f"> **Note:** {CAVEAT}"
    assert lines[2] == (
        "**4 of 9 rules failed.** 5 passed, 4 failed (1 not evaluable), 3 skipped, 1 broken, 3 MUST violations."
    )
    assert lines[3] == ("`http://127.0.0.1:3001/mcp`, sample-server 1.4.2, MCP 2025-11-25 over Streamable HTTP")


def test_failures_of_one_cause_are_one_finding() -> None:
    text = render(samples.MIXED)
    assert text.count("#### ❌ ") == 3  # of four failures
    assert "Failed for the same cause:\n\n- ❌ `tools-schema` (required): MUST: no tools list to check" in text
    assert text.count(samples.TOOLS_LIST.fix) == 1
    alone = render(replace(samples.MIXED, results=(samples.TOOLS_SCHEMA,)))
    assert "**Cause:** `tools-list`" in alone


def test_a_finding_says_all_that_is_needed_to_fix_it() -> None:
    text = render(FULL)
    for part in (
        samples.BATCH.message,
        samples.BATCH.why,
        "```text\nif isinstance(body, list): return error(-32600)\n```",
        samples.BATCH.evidence[0].sent,
        samples.BATCH.evidence[0].received,
        f"(<{samples.BATCH.spec_ref}>)",
        "again     curl -isS",
    ):
        assert part in text


def test_a_failure_that_was_expected_says_so() -> None:
    assert "(`error-parse-code`, optional, expected)\n" in render(FULL)
    assert "**Expected:** the gateway of the staging network, until March" in render(FULL)
    assert "expected" not in render(samples.MIXED).lower()


def test_an_error_is_the_first_line_and_is_told_once() -> None:
    text = render(samples.UNREACHABLE)
    assert text.startswith("**Error:** http:&#8203;//127.0.0.1:3001/mcp cannot be reached: connection refused;")
    assert "88 of 88 rules failed, all for this reason" in text
    assert "❌" not in text
    assert "## MCP compliance: not graded" in render(samples.NOT_STARTABLE)
    both = render(replace(samples.UNREACHABLE, results=(*samples.UNREACHABLE.results, samples.BATCH)))
    assert samples.BATCH.message in both


def test_runs_that_measured_nothing_say_so() -> None:
    assert "**No test measured anything.**" in render(samples.ALL_SKIPPED)
    assert "**No tests ran \\-- check" not in render(samples.NOTHING)
    assert "**No tests ran -- check --only/--skip.**" in render(samples.NOTHING)
    assert "**Everything that was measured conforms.**" in render(samples.CLEAN)


def test_what_was_skipped_broken_or_warned_of_is_listed() -> None:
    text = render(samples.MIXED)
    assert "- the server does not declare prompts: `prompts-list`, `prompts-get`" in text
    assert "- `tools-annotations`: the rule raised: unknown fixture" in text
    assert "- 3 tools were passed over: they are marked destructive" in text


def test_a_report_that_is_too_long_names_every_failure_and_says_that_it_is_cut() -> None:
    text = render(MANY)
    marked = [line for line in text.splitlines() if "❌" in line]
    assert {result.id for result in MANY.results} <= set(re.findall(r"`([\w-]+)`", "\n".join(marked)))
    assert text.endswith(f"{CUT}\n")
    assert CUT not in render(FULL)
