"""The reference of the rule language: as its generator writes it, with examples that hold and links that lead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import reference_page as reference
import reference_words
from reference_schema import SchemaTables
from typer import Typer
from typer.core import TyperCommand
from typer.main import get_command

from mcp_compliance.catalog.compile_steps import VERBS
from mcp_compliance.catalog.expressions import compile_expression
from mcp_compliance.catalog.functions.declare import Function
from mcp_compliance.catalog.functions.table import FUNCTIONS
from mcp_compliance.catalog.library import Library
from mcp_compliance.cli.main import app as tool
from mcp_compliance.jsontypes import same_json
from mcp_compliance.rulecheck.main import app as checker
from mcp_compliance.rulecheck.subjects import RevisionSubject
from tests.methodology.page_examples import Example, examples_of, findings, revision_of_examples

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "methodology"
PAGES = sorted(FOLDER.glob("*.md"))
EXAMPLES = examples_of(reference.PAGE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
FILE = re.compile(r"`((?:[\w.-]+/)*[\w.-]+\.(?:md|py|yaml|json))`")
OF_READERS = {"mcp-compliance.config.json", ".mcp-compliancerc.json", "package.json", ".mcp.json", "headers.txt"}
"""Files that a page tells its readers to have."""


@pytest.fixture(scope="module")
def revision() -> RevisionSubject:
    return revision_of_examples()


def test_the_page_is_as_it_would_be_written() -> None:
    assert reference.PAGE.read_bytes() == reference.Page().text().encode("utf-8")
    assert reference.main(["--check"]) == 0


def test_a_page_that_is_out_of_date_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reference, "PAGE", tmp_path / "rule-language.md")
    assert reference.main(["--check"]) == 1
    assert capsys.readouterr().err == (
        "reference: rule-language.md is out of date; run python methodology/reference.py\n"
    )
    assert reference.main([]) == reference.main(["--check"]) == 0


def test_a_key_without_a_table_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    template = tmp_path / "template.md"
    text = reference.TEMPLATE.read_text(encoding="utf-8")
    template.write_text(text.replace("<!-- insert keys rule bare -->", ""), encoding="utf-8")
    monkeypatch.setattr(reference, "TEMPLATE", template)
    with pytest.raises(reference_words.MissingWordsError, match="rule bare method, rule bare url"):
        reference.Page().text()


def test_a_word_without_meaning_is_noticed() -> None:
    with pytest.raises(reference_words.MissingWordsError, match="new"):
        reference_words.worded(["old", "new"], {"old": "known"}, ("word", "meaning"))


def test_what_a_key_takes_is_said_in_words() -> None:
    tables = SchemaTables()
    assert tables.type_words({"type": "array", "items": {"$ref": "#/$defs/step"}}) == "list of steps"
    assert tables.type_words({"enum": ["a", None]}) == "`a`, `null`"
    assert tables.type_words({"if": {"type": "object"}, "then": {}, "else": {"type": "string"}}) == "string or mapping"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"line-{example.line}")
def test_example(example: Example, revision: RevisionSubject, tmp_path: Path) -> None:
    """It is a rule without findings: valid, all names known, every check proven, every case as it says."""
    assert [f"{found.code}: {found.message}" for found in findings(example, revision, tmp_path)] == []


def test_most_verbs_are_shown_in_an_example() -> None:
    assert len(EXAMPLES) > 15
    shown = "\n".join(example.text for example in EXAMPLES)
    left_out = {verb for verb in VERBS if not re.search(rf"\b{verb}: ", shown)}
    assert left_out <= {"notify", "bytes"}


def test_a_wrong_example_is_noticed(revision: RevisionSubject, tmp_path: Path) -> None:
    wrong = Example(1, EXAMPLES[1].text.replace("verdict: skip", "verdict: pass"))
    assert [found.code for found in findings(wrong, revision, tmp_path)] == ["R8"]


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=lambda function: function.name)
def test_examples_of_functions_hold_as_they_are_printed(function: Function) -> None:
    for example in function.examples:
        call = reference_words.example_call(function, example)
        assert same_json(compile_expression(call).evaluate({}, Library()), example.value), call


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    wrong = []
    for target in LINK.findall(text):
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        file = page if not name else (page.parent / name).resolve()
        if not file.exists() or (anchor and anchor not in anchors(file)):
            wrong.append(target)
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_named_files_exist(page: Path) -> None:
    places = [
        ROOT,
        FOLDER,
        ROOT / "rules",
        ROOT / "rules" / "shared",
        *(path.parent for path in ROOT.glob("rules/*/_revision.yaml")),
    ]
    named = set(FILE.findall(page.read_text(encoding="utf-8"))) - {"__init__.py"} - OF_READERS
    assert [name for name in sorted(named) if not any((place / name).exists() for place in places)] == []


def test_named_commands_and_options_exist() -> None:
    text = reference.PAGE.read_text(encoding="utf-8")
    commands = _commands(checker)
    named = set(re.findall(r"^rulecheck ([a-z]+) ", text, re.MULTILINE))
    assert named == set(commands) - {"check"}, "`check` goes without saying"
    known = {"--check"}
    for command in (*commands.values(), _commands(tool)["test"]):
        known |= {option for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"`(--[a-z-]+)", text)) <= known


def _commands(app: Typer) -> dict[str, TyperCommand]:
    commands: dict[str, TyperCommand] = getattr(get_command(app), "commands", {})
    return commands


def anchors(page: Path) -> set[str]:
    """What GitHub makes of the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
