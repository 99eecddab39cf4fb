"""The catalogue for programs: what the rule files generate, as its schema has it; and requirements that add up."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.catalog.catalogue_build import FILE, SCHEMA_VERSION, catalogue_text
from mcp_compliance.catalog.index import INDEX_FILE, known_revisions, load_index, rules_root
from mcp_compliance.catalog.index_build import index_text
from mcp_compliance.catalog.load import known_folders, load_catalogue
from mcp_compliance.catalog.requirements import load_requirements
from mcp_compliance.catalog.revision import Catalogue
from mcp_compliance.catalog.verdict_texts import VerdictText, verdict_texts
from mcp_compliance.rulecheck.main import main

EXAMPLES = Path(__file__).parent / "examples"
SCHEMA: Any = json.loads((rules_root() / f"catalogue.v{SCHEMA_VERSION}.json").read_text(encoding="utf-8"))


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A folder of rules of its own, with the good examples."""
    shutil.copytree(EXAMPLES / "2020-01-01", tmp_path / "2020-01-01", ignore=shutil.ignore_patterns("bad", "other"))
    revision = tmp_path / "2020-01-01" / "_revision.yaml"
    text = revision.read_text(encoding="utf-8")
    revision.write_text(text[: text.index("  bad: [")], encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def catalogues() -> list[Catalogue]:
    return [load_catalogue(folder) for folder in known_folders().values()]


@pytest.fixture(scope="module")
def document() -> Any:
    return json.loads((rules_root() / FILE).read_text(encoding="utf-8"))


def test_the_indexes_and_the_catalogue_are_what_the_rules_generate(catalogues: list[Catalogue]) -> None:
    for catalogue in catalogues:
        written = (catalogue.revision.folder / INDEX_FILE).read_bytes()
        assert written == index_text(catalogue).encode(), "run rulecheck index"
    assert (rules_root() / FILE).read_bytes() == catalogue_text(catalogues).encode(), "run rulecheck index"


def test_it_is_valid(document: Any) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert list(Draft202012Validator(SCHEMA).iter_errors(document)) == []


def test_the_schema_knows_no_further_fields(document: Any) -> None:
    validator = Draft202012Validator(SCHEMA)
    changed = {**document, "rules": [{**document["rules"][0], "more": 1}], "schemaVersion": "2"}
    assert sorted(next(iter(error.path)) for error in validator.iter_errors(changed)) == ["rules", "schemaVersion"]


def test_every_object_of_the_schema_is_closed_and_every_field_described() -> None:
    def parts(node: Any) -> Iterator[Any]:
        if isinstance(node, dict):
            yield node
        for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            yield from parts(inner)

    shaped = [part for part in parts(SCHEMA) if isinstance(part.get("properties"), dict)]
    for part in shaped:
        assert part["additionalProperties"] is False
        assert sorted(part["required"]) == sorted(part["properties"])
        assert all(
            field.get("description") or "const" in field or "$ref" in field for field in part["properties"].values()
        )
    assert len(shaped) > 8


def test_its_terms_are_stated(document: Any) -> None:
    assert document["licence"]["spdx"] == "CC-BY-4.0"
    assert "not the standard" in document["notice"]


def test_it_has_every_rule_of_the_indexes(document: Any) -> None:
    listed = [(name, entry) for name in known_revisions() for entry in load_index(name).entries]
    assert len(listed) == len(document["rules"]) > 0
    for (revision, entry), rule in zip(listed, document["rules"], strict=True):
        assert (rule["revision"], rule["id"], rule["title"]) == (revision, entry.id, entry.title)
        assert (rule["category"], rule["level"], rule["capability"]) == (entry.category, entry.level, entry.capability)
        assert (tuple(rule["transports"]), rule["spec"][0]["url"]) == (entry.transports, entry.spec)
        assert rule["origin"] == f"{revision}/{entry.category}/{entry.id}.yaml"
        assert (rules_root() / rule["origin"]).is_file()
        verdicts = {case["verdict"] for case in rule["cases"]}
        assert "pass" in verdicts
        assert verdicts - {"pass"}
        assert {text["verdict"] for text in rule["texts"]} & {"fail", "skip", "not-evaluable", "warn"}


def test_the_texts_of_a_rule(rules: Path) -> None:
    found = load_catalogue(rules / "2020-01-01")
    rule = found.rule("refuse-nonsense")
    assert rule is not None
    assert verdict_texts(rule) == (
        VerdictText("fail", "was not refused", "was not refused", "MUST"),
        VerdictText("fail", "code {nonsense.error.code}", "code …", "MUST"),
        VerdictText("warn", "HTTP {nonsense.http.status}", "HTTP …", None, "http"),
    )


def test_index_writes_the_catalogue_beside_the_revisions(rules: Path) -> None:
    assert main(["index", "--rules", str(rules)]) == 0
    document = json.loads((rules / FILE).read_text(encoding="utf-8"))
    assert [each["revision"] for each in document["revisions"]] == ["2020-01-01"]
    assert document["rules"][0]["origin"] == "2020-01-01/good/say-hello.yaml"
    assert list(Draft202012Validator(SCHEMA).iter_errors(document)) == []


def test_a_requirement_is_open_for_a_reason_where_no_rule_names_it(catalogues: list[Catalogue]) -> None:
    """One that nobody sees, and one that only permits, needs no reason."""
    for catalogue in catalogues:
        named = {name for rule in catalogue.rules for name in rule.requirements}
        requirements = load_requirements(catalogue.revision.folder)
        assert named <= {requirement.id for requirement in requirements}
        for requirement in requirements:
            assert requirement.says, requirement.id
            assert requirement.seen is not None, requirement.id
            assert (requirement.note is not None) == (requirement.seen != "fully"), requirement.id
            checked = requirement.id in named
            assert not (checked and requirement.seen == "never"), requirement.id
            needs_reason = not checked and requirement.seen != "never" and requirement.force != "MAY"
            assert (requirement.open is not None) == needs_reason, requirement.id
