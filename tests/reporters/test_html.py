"""The page of a report, as text: what it says, and that nothing a server says can become markup."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from mcp_compliance.reporters import REPORTERS
from mcp_compliance.reporters.style import Style

from . import samples
from .golden import compare
from .html_states import CAVEAT, CURL, FULL, MARKUP, STATES, Parsed, filled, parse, render

every_state = pytest.mark.parametrize("name", STATES)


@cache
def state(name: str) -> Parsed:
    return parse(STATES[name])


def test_golden() -> None:
    """Style sheet and script are left out of the comparison: they are read in ``reporters/templates``."""
    text = re.sub(r"(<(style|script)>).*?(</\2>)", r"\1\3", render(FULL), flags=re.DOTALL)
    compare(Path("mixed.html"), re.sub(r"sha256-[\w+/=]+", "sha256", text))


@every_state
def test_the_same_report_gives_the_same_page_whatever_the_style(name: str) -> None:
    text = render(STATES[name])
    assert text == REPORTERS["html"](STATES[name], Style(40, color=True, unicode=False))
    assert text.endswith("</html>\n")
    text.encode()  # a surrogate of a server's would not survive this


@every_state
def test_the_policy_allows_the_page_its_own_style_and_script_and_nothing_else(name: str) -> None:
    page = state(name)
    policy = next(a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives.pop("default-src") == "'none'"
    assert directives.pop("base-uri") == "'none'"
    assert directives.pop("form-action") == "'none'"
    assert directives.pop("style-src") == _source(page.raw["style"])
    assert directives.pop("script-src") == _source(page.raw["script"])
    assert not directives


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@every_state
def test_nothing_is_loaded_and_nothing_runs_but_the_script(name: str) -> None:
    page = state(name)
    tags = [tag for tag, _ in page.elements]
    assert tags.count("script") == tags.count("style") == 1
    assert not {"link", "img", "iframe", "object", "embed", "base", "audio", "video", "use"} & set(tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "style", "action")]
    assert all(target.startswith(("#", "https://modelcontextprotocol.io/")) for target in page.values("href"))
    assert not re.search(r"url\(|@import|https?:", page.raw["style"] + page.raw["script"])


@every_state
def test_ids_are_unique_and_every_link_within_the_page_leads_somewhere(name: str) -> None:
    page = state(name)
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    pointing = [target[1:] for target in page.values("href") if target.startswith("#")]
    assert {*pointing, *page.values("aria-labelledby"), *page.values("for")} <= set(ids)


@every_state
def test_each_rule_has_its_own_anchor(name: str) -> None:
    assert {result.id for result in STATES[name].results} <= set(state(name).values("id"))


@every_state
def test_headings_go_down_one_level_at_a_time(name: str) -> None:
    levels = [int(tag[1]) for tag, _ in state(name).elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("text", [MARKUP, "<a href=javascript:x>" * 5000, "'\"`<>&" * 50])
def test_what_a_server_says_never_becomes_markup(text: str) -> None:
    """The page is made of the same elements and attributes as one that says something harmless of the same length."""
    unlike = {"wbr", "code"}  # where an address may break, and what stands between backticks
    shapes = [
        [(tag, list(attributes)) for tag, attributes in parse(filled(said)).elements if tag not in unlike]
        for said in (text, "x" * len(text))
    ]
    assert shapes[0] == shapes[1]


def test_what_a_server_says_is_seen_in_full() -> None:
    text = render(filled(MARKUP))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", text)
    said = parse(filled(MARKUP)).text
    assert "<img src=x onerror=alert(2)>" in said
    assert "{{ 7 * 7 }} {% raw %}" in said
    assert "\\u202egnp.exe\\u2066 \\u200b \\ud800 \\x00 \\x1b[31m \\u2028 \\n" in said


def test_no_server_can_make_the_page_endless() -> None:
    assert len(render(filled("y" * 100_000))) < 500_000
    assert "(96,000 more characters)" in parse(filled("y" * 100_000)).text


def test_a_spec_reference_is_a_link_only_when_it_is_one() -> None:
    page = parse(replace(samples.MIXED, results=(replace(samples.BATCH, spec_ref="javascript:alert(1)"),)))
    assert not [target for target in page.values("href") if "alert" in target]
    assert "javascript:alert(1)" in page.text


def test_the_grade_stands_first_and_what_takes_its_meaning_stands_above_it() -> None:
    words = parse(FULL).words
    body = words.index("What was graded Specification")  # the table of contents lies before it
    assert _in_order(
        words[words.index("MCP compliance report") : body],
        samples.MIXED.url,
        "2026-02-03 04:05:06 UTC",
        CAVEAT,
        "Grade D 55/100 4 of 9 rules failed, 1 expected",
        "5 passed 4 failed (1 not evaluable) 3 skipped 1 broken 3 MUST violations",
    )
    assert _in_order(
        words[body:],
        "MCP 2025-11-25",
        "pinned with --spec-version",
        "sample-server 1.4.2",
        "Protocol, says the server 2025-11-25",
        "4711",
        "mcp-compliance 0.1.0",
        "What to fix first",
        "Categories what was measured",
        "All results",
        "Skipped checks",
        "Broken rules",
        "Warnings",
    )


def _in_order(words: str, *parts: str) -> bool:
    places = [words.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


def test_a_finding_says_all_that_is_needed_to_fix_it() -> None:
    said = parse(FULL).text
    for part in (
        samples.BATCH.message,
        samples.BATCH.why,
        samples.BATCH.fix,
        *samples.BATCH.requirements,
        *(line.sent for line in samples.BATCH.evidence),
        *(line.received for line in samples.BATCH.evidence),
        CURL,
        "basic/transports#sending-messages-to-the-server",
    ):
        assert part in said
    assert samples.BATCH.spec_ref in parse(FULL).values("href")
    assert "Set $TOKEN first" in parse(FULL).words


def test_failures_of_one_cause_are_one_finding() -> None:
    page = parse(samples.MIXED)
    assert [tag for tag, _ in page.elements].count("article") == 3  # of four failures
    assert "1 more rule failed for the same cause tools-schema" in page.words


def test_categories_are_scored_by_what_was_measured() -> None:
    words = parse(samples.MIXED).words
    assert "lifecycle 2/2 passed 1 skipped" in words
    assert "schema 0/1 passed 1 broken" in words
    assert "prompts nothing measured 2 skipped" in words


def test_a_bar_is_full_only_when_nothing_failed() -> None:
    many = tuple(samples.passed(f"transport-{n}", "transport") for n in range(199))
    page = parse(replace(samples.MIXED, results=(*many, samples.BATCH)))
    assert [a["width"] for tag, a in page.elements if tag == "rect" and a["class"] == "fill"] == ["99"]


def test_a_failure_that_was_expected_says_so() -> None:
    assert "FAIL not evaluable expected optional" in parse(FULL).words
    assert "Expected: the gateway of the staging network, until March" in parse(FULL).words
    assert "by root cause, required rules in front; 1 expected" in parse(FULL).words
    assert "expected" not in parse(samples.MIXED).words


def test_runs_that_measured_nothing_say_so() -> None:
    assert "No test measured anything" in parse(samples.ALL_SKIPPED).words
    assert "Grade F 0/100" in parse(samples.ALL_SKIPPED).words
    assert "No tests ran -- check --only/--skip" in parse(samples.NOTHING).words
    assert "Everything that was measured conforms" in parse(samples.CLEAN).words


def test_an_unreachable_server_is_one_error_not_88() -> None:
    page = parse(samples.UNREACHABLE)
    assert "connection refused" in page.words
    assert "Check that the server runs" in page.words
    assert "88 of 88 rules failed, all for this reason" in page.words
    assert "article" not in [tag for tag, _ in page.elements]
    assert "not graded Nothing was graded" in parse(samples.NOT_STARTABLE).words
    assert "measured something" not in page.words


def test_an_error_does_not_hide_other_failures() -> None:
    page = parse(replace(samples.UNREACHABLE, results=(*samples.UNREACHABLE.results, samples.BATCH)))
    assert "connection refused" in page.words
    assert samples.BATCH.fix.splitlines()[0] in page.text


def test_an_error_does_not_hide_what_passed() -> None:
    page = parse(replace(samples.CLEAN, error="the server exited at the end"))
    assert "the server exited at the end" in page.words
    assert "Everything that was measured conforms" in page.words


def test_warnings_are_capped() -> None:
    page = parse(replace(samples.MIXED, warnings=tuple(f"warning {number}" for number in range(60))))
    assert "10 more warnings were left out" in page.words
