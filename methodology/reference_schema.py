"""Tables of keys from the schemas of documents: what each key takes, and what it means."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from reference_markdown import bullets, code, codes, table

from mcp_compliance.catalog.compile_checks import PREDICATES
from mcp_compliance.catalog.compile_steps import VERBS
from mcp_compliance.catalog.document_schema import Kind, schema_of
from mcp_compliance.jsontypes import JSON, JSONObject

LIKE_OTHERS = {("rule", "part"), ("rule", "member")}
"""Definitions that repeat keys of others; the page names their keys."""
SAME_IN_BOTH = ("reply", "reference", "literal", "secret", "pick", "generator")
"""Definitions that several kinds of documents share; the page prints them once."""
TYPES = {"string": "string", "integer": "whole number", "number": "number", "boolean": "`true` or `false`"}
NAMED = {
    "checks": "list of checks",
    "part_checks": "list of checks",
    "values": "values by name",
    "duration": "time",
    "bare": "bare HTTP request",
    "for_each": "mapping",
    "until": "mapping",
    "credit": "mapping",
    "sent": "mapping",
    "replies": "reply or list of replies",
}


def members(node: JSON) -> JSONObject:
    return node if isinstance(node, dict) else {}


@dataclass
class SchemaTables:
    """Renders parts of the schemas and remembers what was printed, so that no key is forgotten."""

    elsewhere: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Keys whose words stand in a list of their own, with the heading that it is found under."""
    printed: set[tuple[str, str, str]] = field(default_factory=set)

    def node(self, kind: str, path: str) -> JSONObject:
        """The schema at a path: ``rule`` itself (empty path), ``step``, or ``step.credentials``."""
        schema = schema_of(cast(Kind, kind))
        if not path:
            return schema
        first, *rest = path.split(".")
        found = members(members(schema["$defs"]).get(first)) if first in members(schema["$defs"]) else None
        at = found if found is not None else members(members(schema["properties"])[first])
        for name in rest:
            at = members(members(at["properties"])[name])
        return at

    def keys(self, kind: str, path: str = "", only: Sequence[str] = ()) -> str:
        """A table of the keys of a mapping, inner mappings included; ``only`` chooses among the outermost keys."""
        rows = []
        needed_anywhere = False
        for name, node, needed in self._rows(self.node(kind, path), "", only):
            self._print(kind, path, name)
            needed_anywhere = needed_anywhere or needed
            heading = self.elsewhere.get((kind, f"{path}.{name}".strip(".")))
            meaning = self.meaning(kind, node)
            if heading is not None:
                meaning = f"{self.meanings(kind, node)[0]} [The words](#{heading})."
            rows.append([code(name), "yes" if needed else "", self.type_words(node), meaning])
        if needed_anywhere:
            return table(["key", "needed", "takes", "meaning"], rows)
        return table(["key", "takes", "meaning"], [[row[0], *row[2:]] for row in rows])

    def _rows(self, node: JSONObject, prefix: str, only: Sequence[str] = ()) -> Iterator[tuple[str, JSONObject, bool]]:
        required = node.get("required")
        names = required if isinstance(required, list) else []
        for name, inner in members(node.get("properties")).items():
            if inner is False or (only and name not in only):
                continue
            full = f"{prefix}{name}"
            yield full, members(inner), name in names
            yield from self._inner(members(inner), full)

    def _inner(self, node: JSONObject, full: str) -> Iterator[tuple[str, JSONObject, bool]]:
        """Keys of a mapping that stands where another kind of value could stand too, or in a list, or by any name."""
        for branch in (node, members(node.get("then")), members(node.get("else"))):
            if "properties" in branch:
                yield from self._rows(branch, f"{full}.")
        items, others = members(node.get("items")), members(node.get("additionalProperties"))
        yield from self._rows(items, f"{full}[].")
        for branch in (others, members(others.get("then"))):
            yield from self._rows(branch, f"{full}.<name>.")

    def _print(self, kind: str, path: str, name: str) -> None:
        self.printed.add((kind, path, name.partition(".")[0].removesuffix("[]")))

    def verbs(self) -> str:
        node = self.node("rule", "step")
        rows = []
        for verb in VERBS:
            self._print("rule", "step", verb)
            inner = members(members(node["properties"])[verb])
            rows.append([code(verb), self.type_words(inner), self.meaning("rule", inner)])
        return table(["verb", "takes", "what it sends"], rows)

    def modifiers(self) -> str:
        """Every other key of a step, with the verbs that it goes with."""
        node = self.node("rule", "step")
        rows = []
        for name, inner in members(node["properties"]).items():
            if name in VERBS:
                continue
            self._print("rule", "step", name)
            shown = members(inner)
            rows.append([code(name), self.type_words(shown), self.meaning("rule", shown), self._goes_with(name)])
        return table(["key", "takes", "meaning", "goes with"], rows)

    def _goes_with(self, name: str) -> str:
        node = self.node("rule", "step")
        branches = node["allOf"]
        without_verb = members(members(branches[0] if isinstance(branches, list) else None)["then"])
        with_none = members(without_verb["properties"]).get(name) is not False
        forbidden = {
            verb
            for verb in VERBS
            if members(members(members(node["dependentSchemas"])[verb]).get("properties")).get(name) is False
        }
        if name == "opening":
            return code("open: process")
        if not forbidden:
            return "all" if with_none else "all verbs"
        allowed = [verb for verb in VERBS if verb not in forbidden]
        return codes(allowed) if len(allowed) <= len(VERBS) / 2 else f"all but {codes(sorted(forbidden))}"

    def predicates(self) -> str:
        node = self.node("rule", "check")
        properties = members(node["properties"])
        rows = []
        for name in [key for key in properties if key in PREDICATES]:
            self._print("rule", "check", name)
            inner = members(properties[name])
            rows.append([code(name), self.type_words(inner), self.meaning("rule", inner)])
        return table(["predicate", "takes", "met when"], rows)

    def names(self, kind: str, path: str) -> str:
        """The keys of a mapping by name only."""
        node = self.node(kind, path)
        for name in members(node["properties"]):
            self._print(kind, path, name)
        return codes(members(node["properties"]))

    def words(self, kind: str, path: str) -> str:
        """The words that a key takes, each with its meaning, as a list."""
        node = self.node(kind, path)
        return bullets(f"{code(word)}: {meaning}" for word, meaning in self.meanings(kind, node)[1])

    def meaning(self, kind: str, node: JSONObject) -> str:
        """The description; where it goes through the words of the key, with these as code."""
        lead, words = self.meanings(kind, node)
        listed = " ".join(f"{code(word)}: {meaning}." for word, meaning in words)
        return f"{lead} {listed}".strip()

    def meanings(self, kind: str, node: JSONObject) -> tuple[str, list[tuple[str, str]]]:
        """What a description says first, and what it says of each word of the enumeration."""
        text = self._description(kind, node)
        choices = [str(word) for word in self._choices(node)]
        pattern = "|".join(re.escape(word) for word in sorted(choices, key=len, reverse=True))
        parts = re.split(rf"(?:^|(?<=\. ))({pattern}): ", text) if choices else [text]
        if len(parts) == 1:
            return text, []
        pairs = list(zip(parts[1::2], parts[2::2], strict=True))
        return parts[0].strip(), [(word, meaning.strip().removesuffix(".")) for word, meaning in pairs]

    def _choices(self, node: JSONObject) -> list[JSON]:
        for branch in (node, members(node.get("items")), members(node.get("else"))):
            found = branch.get("enum")
            if isinstance(found, list):
                return found
        return []

    def _description(self, kind: str, node: JSONObject) -> str:
        text = node.get("description")
        if text is None and "$ref" in node:
            return self._description(kind, self._target(kind, node))
        return str(text or "")

    def _target(self, kind: str, node: JSONObject) -> JSONObject:
        return members(members(schema_of(cast(Kind, kind))["$defs"])[str(node["$ref"]).removeprefix("#/$defs/")])

    def type_words(self, node: JSONObject, *, many: bool = False) -> str:
        """What a key takes, in words."""
        if "$ref" in node:
            name = str(node["$ref"]).removeprefix("#/$defs/")
            return _plural(NAMED.get(name, name.replace("_", " "))) if many else NAMED.get(name, name.replace("_", " "))
        if "const" in node:
            return code(json.dumps(node["const"]))
        enum = node.get("enum")
        if isinstance(enum, list):
            return codes("null" if word is None else str(word) for word in enum)
        if "if" in node and "type" not in node:
            return self._either(node)
        return self._by_type(node, many=many)

    def _either(self, node: JSONObject) -> str:
        condition = members(node["if"])
        first = self.type_words({**condition, **members(node.get("then"))})
        other = members(node.get("else"))
        if not other:
            return f"{first} or any JSON"
        second = self.type_words(other)
        return first if first == second else f"{second} or {first}"

    def _by_type(self, node: JSONObject, *, many: bool) -> str:
        kind = node.get("type")
        if isinstance(kind, list):
            return " or ".join(TYPES.get(str(word), str(word)) for word in kind)
        if kind == "array" or "items" in node:
            return f"list of {self.type_words(members(node.get('items')), many=True)}"
        if kind == "object":
            others = node.get("additionalProperties")
            named = isinstance(others, dict)
            words = f"mapping of {self.type_words(members(others), many=True)}" if named else "mapping"
            return words if named or not many else _plural(words)
        if kind == "string" and "$comment" in node:
            return str(node["$comment"])
        if kind == "integer" and "minimum" in node and "maximum" in node:
            return f"{node['minimum']} to {node['maximum']}"
        words = TYPES.get(str(kind), str(kind) if kind is not None else "any JSON")
        return _plural(words) if many and kind in ("string", "integer", "number") else words

    def forgotten(self) -> list[str]:
        """Keys of documents that no table of the page printed."""
        left = []
        for kind in ("rule", "revision", "model", "requirements"):
            schema = schema_of(kind)
            parts = {"": schema, **members(schema["$defs"])}
            for path, part in parts.items():
                shared = path in SAME_IN_BOTH and kind != "rule"
                if shared or (kind, path) in LIKE_OTHERS or path == "value":
                    continue
                keys = members(members(part).get("properties"))
                left += [f"{kind} {path} {key}" for key in keys if (kind, path, key) not in self.printed]
        return left


def _plural(words: str) -> str:
    if " or " in words or " of " in words:
        return words
    return f"{words[:-1]}ies" if words.endswith("y") else f"{words}s"
