"""Writes ``engine/cli/schemas/config.v1.json``, the JSON Schema of configuration files for editors: ``python
methodology/config_schema.py [--check]``. It is made from the table of fields that the command line reads. With
``--check`` nothing is written; the exit code is 1 when the file is not as it would be written.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from mcp_compliance.cli.config_fields import SCHEMA_ID, SCHEMA_KEY, TARGET, Field, run_fields, target_fields
from mcp_compliance.jsontypes import JSONObject

PATH = Path(__file__).resolve().parent.parent / "engine" / "cli" / "schemas" / "config.v1.json"


def schema() -> JSONObject:
    """The schema (Draft 2020-12)."""
    run = {field.name: _value(field) for field in run_fields()}
    own = target_fields()
    target: JSONObject = {
        "type": "object",
        "description": "The server to grade, unless the command line names one.",
        "additionalProperties": False,
        "properties": {field.name: _value(field) for field in own},
        "oneOf": [_kind_of_target("http", "url", own), _kind_of_target("stdio", "command", own)],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": "mcp-compliance configuration, version 1",
        "description": "Target and options of mcp-compliance test. What stands on the command line wins.",
        "type": "object",
        "additionalProperties": False,
        "properties": {SCHEMA_KEY: {"type": "string"}, TARGET: target, **run},
    }


def text() -> str:
    return json.dumps(schema(), indent=2) + "\n"


def _kind_of_target(kind: str, needed: str, fields: Sequence[Field]) -> JSONObject:
    others = [field.name for field in fields if field.transport not in (None, kind)]
    return {
        "required": [needed],
        "properties": {"type": {"const": kind}},
        "not": {"anyOf": [{"required": [name]} for name in others]},
    }


def _value(field: Field) -> JSONObject:
    about: JSONObject = {"description": field.about}
    texts: JSONObject = {"type": "string"}
    whole: JSONObject = {"type": "string", "pattern": r"\S"}
    if field.example:
        about["examples"] = [json.loads(field.example)]
    if field.kind == "flag":
        return {"type": "boolean", **about}
    if field.kind == "number":
        return {"type": "integer", **({} if field.least is None else {"minimum": field.least}), **about}
    if field.kind == "choice":
        return {"enum": list(field.choices), **about}
    if field.kind == "texts":
        return {"type": "array", "items": texts, **about}
    if field.kind == "map":
        return {"type": "object", "additionalProperties": texts, **about}
    if field.kind == "files":
        formats: JSONObject = dict.fromkeys(field.choices, whole)
        return {"type": "object", "additionalProperties": False, "properties": formats, **about}
    return {**whole, **about}


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0; with ``--check`` 1 when the file is out of date."""
    parser = argparse.ArgumentParser(description="Write the JSON Schema of configuration files.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 when it is out of date")
    arguments = parser.parse_args(argv)
    if PATH.is_file() and PATH.read_text(encoding="utf-8") == text():
        return 0
    print(f"{PATH.name} {'is out of date' if arguments.check else 'written'}")
    if not arguments.check:
        PATH.write_text(text(), encoding="utf-8")
    return 1 if arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
