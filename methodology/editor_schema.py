"""Writes ``rules/_rule.schema.json``, with which editors complete and validate rule files: ``python
methodology/editor_schema.py [--check]``. It is made from the language's own schema and from the tables of functions,
primitives and shipped sets. With ``--check`` nothing is written; the exit code is 1 when the file is not as it would
be written.

Editors know Draft 7 best, in which ``$ref`` silences what stands beside it; hence the translation.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from mcp_compliance.catalog.document_schema import schema_of
from mcp_compliance.catalog.functions.table import FUNCTIONS
from mcp_compliance.catalog.load import known_folders, load_revision
from mcp_compliance.interpreter.picks import FITS, UNMIRRORED
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.primitives import PRIMITIVES
from mcp_compliance.rulecheck.references import FIXED_BUDGETS, OWN_TWINS

RULES = Path(__file__).resolve().parent.parent / "rules"
PATH = RULES / "_rule.schema.json"
SCHEMA_ID = "urn:mcp-compliance:rule:v1"


def schema() -> JSONObject:
    """The schema (Draft 7)."""
    made = _object(_translated(schema_of("rule")))
    parts = _object(made.pop("definitions"))
    head: JSONObject = {"$schema": "http://json-schema.org/draft-07/schema#", "$id": SCHEMA_ID}
    head |= {key: value for key, value in made.items() if key != "$schema"}
    _offer_words(_object(made["properties"]), parts)
    return head | {"definitions": parts}


def text() -> str:
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def _translated(node: JSON) -> JSON:
    """A schema of Draft 2020-12, as far as the language uses it, in Draft 7."""
    if isinstance(node, list):
        return [_translated(item) for item in node]
    if not isinstance(node, dict):
        return node
    found: JSONObject = {}
    dependencies: JSONObject = {}
    for key, value in node.items():
        if key in ("dependentSchemas", "dependentRequired"):
            dependencies |= {name: _translated(own) for name, own in _object(value).items()}
        elif key == "properties":
            found[key] = {name: _translated(own) for name, own in _object(value).items()}
        elif key in ("const", "enum", "required", "description", "$comment"):
            found[key] = value
        elif key == "$defs":
            found["definitions"] = {name: _translated(own) for name, own in _object(value).items()}
        elif key == "$ref":
            reference: JSONObject = {"$ref": str(value).replace("#/$defs/", "#/definitions/")}
            found |= reference if len(node) == 1 else {"allOf": [reference]}
        else:
            found[key] = _translated(value)
    if dependencies:
        found["dependencies"] = dependencies
    return found


def _offer_words(rule: JSONObject, parts: JSONObject) -> None:
    """Adds what the language takes from elsewhere, for editors to offer; only the schema's own words are demanded."""
    revisions = [load_revision(folder) for folder in known_folders(RULES).values()]
    fixtures = {name for revision in revisions for name in revision.fixtures}
    budgets = {name for revision in revisions for name in revision.budgets} | set(FIXED_BUDGETS)
    sets = {name for revision in revisions for name in revision.library.patterns}
    step, credit = _object(_properties(parts, "step")), _object(_properties(parts, "credit"))
    for key in ("uses", "judges"):
        _object(_object(rule[key])["items"])["examples"] = _sorted(fixtures)
    _object(rule["capability"])["examples"] = _sorted(
        {fixture.capability for revision in revisions for fixture in revision.fixtures.values() if fixture.capability}
    )
    _object(step["run"])["examples"] = _sorted(PRIMITIVES)
    _object(step["refetch"])["examples"] = _sorted(fixtures)
    _object(credit["twin"])["examples"] = [*OWN_TWINS, *_sorted(fixtures)]
    _object(parts["time"])["examples"] = ["2s", *_sorted(budgets)]
    _object(parts["pattern_or_reference"])["examples"] = _sorted(sets)
    _object(parts["pick_word"])["examples"] = [*FITS, UNMIRRORED, "named x", "mentions x"]
    functions = ", ".join(function.signature for function in FUNCTIONS.values())
    expression = _object(parts["expression"])
    expression["description"] = f"{expression['description']} The functions: {functions}."


def _properties(parts: JSONObject, part: str) -> JSON:
    return _object(parts[part])["properties"]


def _sorted(names: Iterable[str]) -> list[JSON]:
    return list[JSON](sorted(names))


def _object(value: JSON) -> JSONObject:
    assert isinstance(value, dict)
    return value


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0; with ``--check`` 1 when the file is out of date."""
    parser = argparse.ArgumentParser(description="Write the JSON Schema of rule files for editors.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 when it is out of date")
    arguments = parser.parse_args(argv)
    if PATH.is_file() and PATH.read_text(encoding="utf-8") == text():
        return 0
    print(f"{PATH.name} {'is out of date' if arguments.check else 'written'}")
    if not arguments.check:
        PATH.write_text(text(), encoding="utf-8", newline="\n")
    return 1 if arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
