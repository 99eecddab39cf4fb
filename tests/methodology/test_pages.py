"""The pages that are made from the rule files: as they would be written, whole, and with links that lead somewhere."""

from __future__ import annotations

import html
import re
from functools import cache
from pathlib import Path
from typing import Any

import pages
import pytest
from markdown_it import MarkdownIt
from pages_cases import reply_words
from pages_requirements import STATES, state
from pages_source import Source, load_source, rule_page
from pages_text import prose, table

from mcp_compliance.catalog.positions import load_document
from mcp_compliance.jsontypes import JSON

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "methodology"
LINK = re.compile(r"\]\(([^)\s]+)\)")
MARKDOWN = MarkdownIt("commonmark").enable("table")


@pytest.fixture(scope="module")
def source() -> Source:
    return load_source()


@pytest.fixture(scope="module")
def made(source: Source) -> dict[str, str]:
    return pages.pages(source)


def test_the_pages_are_as_they_would_be_written(made: dict[str, str]) -> None:
    assert pages.differing(made, FOLDER) == [], "run python methodology/pages.py"
    assert pages.stale(made, FOLDER) == [], "run python methodology/pages.py"


def test_what_is_out_of_date_is_written_and_what_nothing_makes_is_removed(
    source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pages, "load_source", lambda: source)
    monkeypatch.setattr(pages, "pages", lambda _: {"rules/a/b.md": "new\n", "differences.md": "new\n"})
    old = tmp_path / "rules" / "gone" / "old.md"
    old.parent.mkdir(parents=True)
    old.write_text("old\n", encoding="utf-8")
    assert pages.main(["--check"], tmp_path) == 1
    assert [line.split()[1] for line in capsys.readouterr().err.splitlines()] == [
        "rules/a/b.md", "differences.md", "rules/gone/old.md",
    ]  # fmt: skip
    assert pages.main([], tmp_path) == pages.main(["--check"], tmp_path) == 0
    assert not old.exists()
    assert (tmp_path / "rules" / "a" / "b.md").read_text(encoding="utf-8") == "new\n"


def test_every_rule_has_a_page_with_all_its_cases_and_texts(source: Source, made: dict[str, str]) -> None:
    for rule in source.rules():
        text = made[rule_page(rule)]
        rows = [line for line in text.splitlines() if re.match(r"\| .* \((http|stdio)\) \| ", line)]
        assert len(rows) == len(rule.cases), rule.path
        assert prose(rule.why) in text
        assert prose(rule.fix) in text
        assert all(sentence.url in text for sentence in rule.spec)
        assert all(name in text for name in rule.requirements)


def test_links_lead_somewhere_and_every_page_is_linked() -> None:
    """By links that start at the first page of the folder."""
    templates = FOLDER / "templates"
    seen = {FOLDER / "README.md"}
    waiting = list(seen)
    wrong = []
    while waiting:
        page = waiting.pop()
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            if target.startswith("https://"):
                continue
            name, _, anchor = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            if not file.exists() or (anchor and anchor not in anchors(file)):
                wrong.append(f"{page.relative_to(FOLDER)}: {target}")
            elif file.suffix == ".md" and FOLDER in file.parents and templates not in file.parents and file not in seen:
                seen.add(file)
                waiting.append(file)
    assert wrong == []
    assert {path for path in FOLDER.rglob("*.md") if templates not in path.parents} == seen


@cache
def anchors(page: Path) -> set[str]:
    """What GitHub makes of the headings of a page, and the anchors that it sets itself."""
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    own = re.findall(r'<a id="([^"]+)"></a>', text)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings} | set(own)


def test_links_into_the_specification_lead_to_anchors_that_are_listed(source: Source, made: dict[str, str]) -> None:
    listed: dict[str, Any] = {
        each.revision.site: dict(load_document(each.revision.folder / "_anchors.yaml").value)["pages"]  # type: ignore[arg-type]
        for each in source.catalogues
    }
    by_hand = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")]
    targets = {target for text in (*made.values(), *by_hand) for target in LINK.findall(text)}
    checked = 0
    for site, known in listed.items():
        for target in targets:
            page, _, anchor = target.removeprefix(site).partition("#")
            if target.startswith(site) and page:
                assert page in known, target
                assert not anchor or anchor in known[page], target
                checked += 1
    assert checked > 100


def test_no_anchor_stands_twice_on_a_page(made: dict[str, str]) -> None:
    for path, text in made.items():
        own = re.findall(r'<a id="([^"]+)"></a>', text)
        assert len(own) == len(set(own)), path


def test_every_row_of_a_table_has_as_many_cells_as_its_head(made: dict[str, str]) -> None:
    for path, text in made.items():
        width = 0
        for line in text.splitlines():
            cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
            width = (width or cells) if cells else 0
            assert cells == width, f"{path}: {line}"


def shown(markdown: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", MARKDOWN.render(markdown))).strip()


@pytest.mark.parametrize(
    "text",
    [
        "a_b, _meta and __init__ and *args",
        "<name> & &amp; x < y",
        "[a](b) and [c]",
        "one ` and no more",
        "$ref and $schema cost ~1~",
        "# no heading",
        "- no list",
        "a \\ b",
        "see https://a.example/x_y_z, or http://b.example.",
    ],
)
def test_prose_is_shown_as_it_stands(text: str) -> None:
    assert shown(prose(text)) == text
    assert "href" not in MARKDOWN.render(prose(text))


def test_what_stands_between_backticks_is_code() -> None:
    assert MARKDOWN.render(prose("set `a_*b` to *")) == "<p>set <code>a_*b</code> to *</p>\n"


def test_all_prose_of_the_rules_is_shown_as_it_stands(source: Source) -> None:
    for rule in source.rules():
        for text in (rule.title, rule.why, rule.fix):
            assert shown(prose(text)) == " ".join(text.split()).replace("`", ""), rule.path


def test_bars_and_line_ends_stay_inside_their_cells() -> None:
    assert table(["a", "b"], [["x|y", "one\ntwo"]]) == "| a | b |\n| --- | --- |\n| x\\|y | one two |"


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({}, "an answer without content"),
        ({"status": 404, "error": {"code": -32601, "message": "no_such"}}, "HTTP 404, error -32601 (no_such)"),
        ({"error": {"code": "1", "message": "m"}}, 'error `{"code": "1", "message": "m"}`'),
        ({"result": {"a": 1}, "repeat": 2}, 'result `{"a": 1}`, 2 times'),
        ({"died": 3, "stderr": "boom"}, "the process exits with 3, stderr `boom`"),
        ({"timeout": True}, "no answer"),
        ({"pages": [{"result": 1}, {"drop": True}]}, "pages: result `1` / the connection is closed without an answer"),
        ({"body": "x" * 200}, f"body `{'x' * 159}…`"),
        ({"session": None}, "an opening without session id"),
    ],
)
def test_replies_are_told_in_words(reply: JSON, words: str) -> None:
    assert reply_words(reply) == words


def test_each_demand_is_counted_once(source: Source, made: dict[str, str]) -> None:
    overview = made["requirements/README.md"]
    for catalogue in source.catalogues:
        name = catalogue.revision.revision
        requirements = source.requirements[name]
        states = [state(each, name, source.checked_by) for each in requirements]
        assert set(states) <= set(STATES)
        section = overview.split(f"## Counts of MCP {name}\n")[1].split("\n## ")[0]
        seen, becomes = ([int(cell) for cell in row.split("|")[2:-1]] for row in re.findall(r"\| all .*", section))
        assert seen[0] == sum(seen[1:]) == sum(becomes) == len(requirements)
        named = {requirement for rule in catalogue.rules for requirement in rule.requirements}
        assert becomes[0] == len(named)
        assert made[f"requirements/{name}.md"].count("<a id=") == len(requirements)
