"""The schema for editors: as its generator writes it, right about what is right, and awake to mistakes."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from mistakes import OPERATORS
from sample_rules import samples

from mcp_compliance.catalog.index import rules_root
from mcp_compliance.catalog.positions import load_document, parse_document
from mcp_compliance.primitives import PRIMITIVES
from mcp_compliance.rulecheck.skeleton import EDITOR_SCHEMA

SCHEMA: Any = json.loads((rules_root() / EDITOR_SCHEMA).read_text(encoding="utf-8"))
SEEN = ("key in the wrong part", "key beside one it clashes with", "value of a wrong type", "word misspelt",
        "needed key left out")  # fmt: skip
"""Operators whose mistakes a schema can see, whatever names a rule sets."""
EVERY = 6
"""One mistake in so many is enough: the language's own schema, from which this one is made, is held to all."""


@cache
def validator() -> Draft7Validator:
    return Draft7Validator(SCHEMA)


def test_the_schema_is_as_it_would_be_written() -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "methodology"))
    import editor_schema

    assert editor_schema.PATH.read_text(encoding="utf-8") == editor_schema.text()


def test_the_schema_is_a_schema_and_every_key_has_a_description() -> None:
    Draft7Validator.check_schema(SCHEMA)
    assert list(undescribed(SCHEMA, "")) == []


def undescribed(node: Any, at: str) -> Any:
    if isinstance(node, list):
        for item in node:
            yield from undescribed(item, at)
    elif isinstance(node, dict):
        for name, own in node.get("properties", {}).items():
            # Beside a condition the same keys stand again, to forbid them.
            if isinstance(own, dict) and "const" not in own and "description" not in words(own):
                yield f"{at}.{name}"
        for key, own in node.items():
            yield from undescribed(own, f"{at}.{key}")


def words(own: dict[str, Any]) -> dict[str, Any]:
    reference = own.get("$ref", "").removeprefix("#/definitions/")
    return SCHEMA["definitions"][reference] if reference else own


def test_it_accepts_every_shipped_rule() -> None:
    paths = [path for path in rules_root().glob("*/*/*.yaml") if not path.name.startswith("_")]
    assert len(paths) > 100
    refused = [path.name for path in paths if not validator().is_valid(load_document(path).value)]
    assert refused == []


def test_it_accepts_what_uses_every_key() -> None:
    for sample in samples():
        assert [error.message for error in validator().iter_errors(sample.root.value)] == []


@pytest.mark.parametrize("operator", SEEN)
def test_it_refuses_what_the_language_refuses(operator: str) -> None:
    for mistake in list(OPERATORS[operator]())[::EVERY]:
        document = parse_document(mistake.text.encode(), mistake.sample)
        assert not validator().is_valid(document.value), mistake.about


def test_editors_are_offered_what_stands_elsewhere() -> None:
    step = SCHEMA["definitions"]["step"]["properties"]
    assert step["run"]["examples"] == sorted(PRIMITIVES)
    assert "tools" in SCHEMA["properties"]["uses"]["items"]["examples"]
    assert "not_null(" in SCHEMA["definitions"]["expression"]["description"]
