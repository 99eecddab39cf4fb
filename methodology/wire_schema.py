"""Writes ``_wire.schema.json``, the strict schema of all that a server sends in a revision: ``python
methodology/wire_schema.py [--check] [revision ...]``. Without a name it is each revision that has the file already.

It is derived from the models of the package ``mcp-types``, which is needed here and in the tests, never in a run. The
models are made for reading messages; here they become a document for judging them: null no longer stands for what is
absent, and of a union one shape is chosen, so that one mistake is one error. With ``--check`` nothing is written; the
exit code is 1 when a file is not as it would be written.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

from mcp_types import CORE_RESULT_TYPES, InputRequiredResult, methods
from pydantic import BaseModel, TypeAdapter
from wire_schema_unions import JSON, AmbiguousError, Schema, as_list, chosen, members, when

RULES = Path(__file__).resolve().parent.parent / "rules"
NAME = "_wire.schema.json"

PREFIX = "#/$defs/"
ANNOTATIONS = ("title", "description", "default", "examples", "deprecated")
CHECKING = frozenset({"type", "required", "const", "enum", "minimum", "maximum", "maxItems"})
LEADING = frozenset({"$ref", "properties", "additionalProperties", "items", "if", "then", "else"})
"""All that the document is made of. A mistake breaks one of the first; the others lead to the place."""
ENVELOPES = ("JSONRPCResultResponse", "JSONRPCErrorResponse", "JSONRPCNotification")
INTERIM = InputRequiredResult.__name__
INPUT_REQUIRED = "input_required"
(COMPLETE,) = CORE_RESULT_TYPES - {INPUT_REQUIRED}
SERVER_INFO = "io.modelcontextprotocol/serverInfo"


class DerivationError(Exception):
    """There are no models, or they are not what they were when this was written. One line."""


class Derivation:
    """The document of one revision in the making."""

    def __init__(self, revision: str) -> None:
        self.results = {method: row for (method, at), row in methods.SERVER_RESULTS.items() if at == revision}
        self.notifications = {
            method: row for (method, at), row in methods.SERVER_NOTIFICATIONS.items() if at == revision
        }
        if not self.notifications:
            raise DerivationError(f"mcp-types knows no messages of {revision}")
        self.models: ModuleType = sys.modules[next(iter(self.notifications.values())).__module__]
        self.errors = self._error_models()
        self.definitions = self._definitions()

    def document(self) -> Schema:
        """``x-messages`` says which definition a message is held against: by its kind in a recording, then by the
        method that it carries or answers; ``*`` are all others."""
        self._correct()
        tables: dict[str, dict[str, str]] = {
            "response": {**{method: self._response(method) for method in self.results}, "*": ENVELOPES[0]},
            "notification": {**{key: row.__name__ for key, row in self.notifications.items()}, "*": ENVELOPES[2]},
            "error": {"*": self._error()},
        }
        roots = [name for table in tables.values() for name in table.values()]
        made = {name: chosen(schema, self.definitions) for name, schema in _reachable(roots, self.definitions).items()}
        used = _reachable(roots, made)
        for name, schema in used.items():
            _refuse_other_keywords(name, schema)
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$defs": used,
            "x-messages": {kind: dict(table) for kind, table in tables.items()},
        }

    def _definitions(self) -> dict[str, Schema]:
        wanted: list[Any] = [*self.results.values(), *self.notifications.values(), *self.errors.values()]
        wanted += [getattr(self.models, name) for name in (*ENVELOPES, "Implementation")]
        alias = "PrimitiveSchemaDefinition"
        adapters: dict[str, TypeAdapter[Any]] = {str(index): TypeAdapter(part) for index, part in enumerate(wanted)}
        adapters[alias] = TypeAdapter(getattr(self.models, alias))
        by_key, made = TypeAdapter.json_schemas([(key, "validation", adapter) for key, adapter in adapters.items()])
        definitions = {**made["$defs"], alias: by_key[alias, "validation"]}
        return {name: _object(_strict(schema)) for name, schema in definitions.items()}

    def _error_models(self) -> dict[int, type[BaseModel]]:
        """Models of whole error responses, by the code that is theirs alone."""
        found: dict[int, type[BaseModel]] = {}
        for model in vars(self.models).values():
            if isinstance(model, type) and issubclass(model, BaseModel) and "error" in model.model_fields:
                error = model.model_fields["error"].annotation
                own = isinstance(error, type) and issubclass(error, BaseModel) and error.model_fields["code"].annotation
                found.update(dict.fromkeys(get_args(own), model))
        return found

    def _correct(self) -> None:
        """Where the models are laxer than the specification, and the one place where JSON-RPC is laxer than both."""
        for schema in self.definitions.values():
            if SERVER_INFO in members(schema):
                members(schema)[SERVER_INFO] = _reference("Implementation")
        members(self.definitions["RequestedSchema"])["properties"] = {
            "type": "object",
            "additionalProperties": _reference("PrimitiveSchemaDefinition"),
        }
        for name in (ENVELOPES[1], *(model.__name__ for model in self.errors.values())):
            # JSON-RPC's answer to a request without readable id; whether it was one, other rules judge.
            members(self.definitions[name])["id"] = {"type": ["string", "integer", "null"]}

    def _response(self, method: str) -> str:
        """The response to a request of this method, whose result is chosen by its type. A result of a type that is not
        the protocol's own (those of extensions) is held against what all results share; without type it is complete,
        unless it has what only interim results have."""
        shapes = get_args(self.results[method]) or (self.results[method],)
        (name,) = [shape.__name__ for shape in shapes if shape.__name__ != INTERIM]
        complete, other, interim = (_reference(shape) for shape in (name, "Result", INTERIM))
        untyped = complete
        if len(shapes) == 1:
            interim = {"properties": {"resultType": {"const": COMPLETE}}}
        else:
            own = members(self.definitions[INTERIM]).keys() - members(self.definitions["Result"]).keys()
            for member in sorted(own):
                untyped = when({member: {}}, interim, untyped)
        typed = when({"resultType": {"const": INPUT_REQUIRED}}, interim, other)
        typed = when({"resultType": {"const": COMPLETE}}, complete, typed)
        result = when({"resultType": {"type": "string"}}, typed, untyped)
        envelope = self.definitions[ENVELOPES[0]]
        self.definitions[f"{name}Response"] = {**envelope, "properties": {**members(envelope), "result": result}}
        return f"{name}Response"

    def _error(self) -> str:
        """An error response, chosen by its code."""
        chain = _reference(ENVELOPES[1])
        for code, model in sorted(self.errors.items()):
            coded: Schema = {"required": ["code"], "properties": {"code": {"const": code}}}
            chain = when({"error": coded}, _reference(model.__name__), chain)
        self.definitions["ErrorResponse"] = chain
        return "ErrorResponse"


def text_of(revision: str) -> str:
    """The file, one definition a line. Raises ``DerivationError`` and ``AmbiguousError``."""
    parts = []
    for key, value in sorted(Derivation(revision).document().items()):
        if isinstance(value, dict):
            lines = ",\n".join(f"{_compact(name)}:{_compact(item)}" for name, item in sorted(value.items()))
            parts.append(f"{_compact(key)}:{{\n{lines}\n}}")
        else:
            parts.append(f"{_compact(key)}:{_compact(value)}")
    return "{" + ",\n".join(parts) + "}\n"


def _strict(node: JSON) -> JSON:
    """A schema as pydantic writes it without prose, and without null as a stand-in for what is absent."""
    if not isinstance(node, dict) or node == _reference("JSONValue"):
        return {} if isinstance(node, dict) else node
    done: Schema = {}
    for key, value in node.items():
        if key in ANNOTATIONS:
            continue
        if key == "properties":
            done[key] = {name: _strict(member) for name, member in _object(value).items()}
        elif key == "anyOf":
            done |= _without_null([_strict(arm) for arm in as_list(value)])
        else:
            done[key] = _strict(value) if isinstance(value, dict) else _whole(value)
    if done.keys() & {"const", "enum"}:
        done.pop("type", None)
    return {key: value for key, value in done.items() if not (key in _MEMBERS and value in (True, {}))}


_MEMBERS = ("properties", "additionalProperties")


def _reference(name: str) -> Schema:
    return {"$ref": PREFIX + name}


def _without_null(arms: list[JSON]) -> Schema:
    left = [_object(arm) for arm in arms if arm != {"type": "null"}]
    if len(left) == 1 or {} in left:
        return {} if {} in left else left[0]
    if all(arm.keys() == {"type"} for arm in left):
        kinds = [arm["type"] for arm in left if not (arm["type"] == "integer" and {"type": "number"} in left)]
        return {"type": kinds[0] if len(kinds) == 1 else kinds}
    return {"anyOf": [*left]}


def _whole(value: JSON) -> JSON:
    """1.0 as 1: pydantic writes bounds in the type of the field."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _reachable(names: Iterable[str], definitions: Mapping[str, JSON]) -> Schema:
    """These definitions and all that they refer to."""
    waiting, found = list(names), Schema()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = definitions[name]
            waiting += _references(definitions[name])
    return found


def _references(node: JSON) -> list[str]:
    if isinstance(node, dict):
        own = node.get("$ref")
        return [
            *([own.removeprefix(PREFIX)] if isinstance(own, str) else []),
            *(name for item in node.values() for name in _references(item)),
        ]
    return [name for item in as_list(node) for name in _references(item)]


def _refuse_other_keywords(where: str, schema: JSON) -> None:
    for key, value in _object(schema).items():
        if key not in CHECKING | LEADING:
            raise DerivationError(f"{where}: {key} is neither in CHECKING nor in LEADING")
        inner = _object(value).items() if key == "properties" else [(key, value)]
        for name, item in inner:
            _refuse_other_keywords(f"{where}.{name}", item)


def _object(value: JSON) -> Schema:
    return value if isinstance(value, dict) else {}


def _compact(value: JSON) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0; with ``--check`` 1 when a file is out of date; 2 when one cannot be made."""
    parser = argparse.ArgumentParser(description="Write the strict schema of the messages of each revision.")
    parser.add_argument("revisions", nargs="*", help="folders of rules/; default all that have the file")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 when a file is out of date")
    arguments = parser.parse_args(argv)
    outdated = False
    for revision in arguments.revisions or sorted(path.parent.name for path in RULES.glob(f"*/{NAME}")):
        path = RULES / revision / NAME
        try:
            text = text_of(revision)
        except (DerivationError, AmbiguousError) as error:
            print(f"wire_schema: {error}", file=sys.stderr)
            return 2
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        outdated = True
        print(f"{path.relative_to(RULES.parent)} {'is out of date' if arguments.check else 'written'}")
        if not arguments.check:
            path.write_text(text, encoding="utf-8")
    return 1 if outdated and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
