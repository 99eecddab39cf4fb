"""Chooses an item of a list: safety first, then what a rule prefers, then list order. Picks never judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from mcp_compliance.catalog.expressions import ExpressionRaised
from mcp_compliance.catalog.values import Located, Pick
from mcp_compliance.facts.tools import (
    is_free_text,
    is_text,
    properties,
    required,
    takes_path,
    takes_url,
    tier,
    wants_task,
)
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.options import ToolConsent

MOST_NAMED = 10
TOOL_KINDS = ("tool", "argument")
UNMIRRORED = "unmirrored"
"""The one word whose meaning depends on the revision, which names the keyword, and on the transport."""
DESTRUCTIVE = "destructive"
"""Reason for which a tool is passed over that the user's consent can lift."""
IDENTIFIERS = {"tool": "name", "argument": "name", "resource": "uri", "template": "uriTemplate", "prompt": "name"}
"""The member by which requests name an item; an item without it cannot be asked for."""


@dataclass
class Picker:
    """Picks for one rule among what the server listed. ``passed_over`` collects names of tools that safety left out,
    with the reason. ``mirrors`` is the keyword by which a schema asks for a header that repeats an argument; None where
    there are no such headers."""

    lists: Mapping[str, Located]
    consent: ToolConsent
    mirrors: str | None = None
    passed_over: dict[str, str] = field(default_factory=dict)

    def pick(self, value: Pick, scope: Scope) -> list[JSON]:
        """Items in order of preference, at most ``most`` of them (one when it is None)."""
        candidates = self._candidates(value, scope)
        candidates = [item for item in candidates if all(self._fits(word, item) for word in value.must)]
        candidates.sort(key=lambda item: [not self._fits(word, item) for word in value.prefer])
        return list(candidates[: value.most or 1])

    def reason(self, value: Pick, scope: Scope) -> str:
        """Why nothing was picked."""
        if self.consent.dry_run and value.kind in TOOL_KINDS:
            allowed = Picker(self.lists, ToolConsent(self.consent.safe, self.consent.allow_destructive), self.mirrors)
            found = [item for item in allowed.pick(value, scope) if isinstance(item, dict)]
            name = found[0].get("tool", found[0]) if found else None
            name = name.get("name") if isinstance(name, dict) else name
            return f"dry run: would call {name}" if found else "dry run: no tool would be called"
        words = f" that {' and '.join(WORDING.get(word, f'is {word}') for word in value.must)}" if value.must else ""
        withheld = self._withheld(value, scope)
        none = f"no {value.kind}{words}"
        return f"{none} may be used (passed over: {', '.join(withheld)})" if withheld else f"{none} is listed"

    def _withheld(self, value: Pick, scope: Scope) -> list[str]:
        """Tools that would fit, had safety or the user not left them out."""
        if value.kind not in TOOL_KINDS:
            return []
        fitting = self._fitting(value, self._items(value.kind, scope))
        names = [str(_tool(item)["name"]) for item in fitting if not self._allowed(_tool(item))]
        return list(dict.fromkeys(names))[:MOST_NAMED]

    def _items(self, kind: str, scope: Scope) -> list[JSONObject]:
        located = self.lists.get(kind)
        if located is None:
            return []
        try:
            items = scope.evaluate(located)
        except ExpressionRaised:
            return []
        if not isinstance(items, list):
            return []
        return [item for item in items if isinstance(item, dict) and isinstance(item.get(IDENTIFIERS[kind]), str)]

    def _candidates(self, value: Pick, scope: Scope) -> list[JSONObject]:
        items = self._items(value.kind, scope)
        if value.kind not in TOOL_KINDS:
            return items
        if self.consent.dry_run:
            return []
        found = self._fitting(value, [tool for tool in items if self._allowed(tool)])
        safest = min((tier(_tool(item)) for item in found), default=0)
        for item in found:
            if tier(_tool(item)) > safest:
                self.passed_over.setdefault(str(_tool(item)["name"]), "a safer one was taken")
        return [item for item in found if tier(_tool(item)) == safest]

    def _fitting(self, value: Pick, tools: Sequence[JSONObject]) -> list[JSONObject]:
        """The tools, or their text arguments with the free ones first, that have all that ``must`` asks."""
        found = list(tools)
        if value.kind == "argument":
            found = [
                {"tool": tool, "name": name, "schema": schema}
                for tool in tools
                for name, schema in properties(tool).items()
                if is_text(schema)
            ]
            found.sort(key=lambda item: not is_free_text(item["schema"]))
        return [item for item in found if all(self._fits(word, item) for word in value.must)]

    def _allowed(self, tool: JSONObject) -> bool:
        name = str(tool.get("name"))
        if name in self.consent.skip or (self.consent.only and name not in self.consent.only):
            return False
        if self.consent.safe and tier(tool) > 0:
            self.passed_over[name] = "not declared read-only"
            return False
        if tier(tool) == 3 and not self.consent.allow_destructive:
            self.passed_over[name] = DESTRUCTIVE
            return False
        if wants_task(tool):
            self.passed_over[name] = "to be called as a task"
            return False
        return True

    def _fits(self, word: str, item: JSON) -> bool:
        if not isinstance(item, dict):
            return False
        if word == UNMIRRORED:
            schemas = [item.get("schema")] if "tool" in item else [*properties(item).values()]
            return any(is_text(schema) and not self._is_mirrored(schema) for schema in schemas)
        verb, _, rest = word.partition(" ")
        if verb == "named":
            return str(_name(item)).lower() == rest.lower()
        if verb == "mentions":
            return rest.lower() in f"{_name(item)} {_tool(item).get('description')}".lower()
        return FITS[word](item)

    def _is_mirrored(self, schema: JSON) -> bool:
        return self.mirrors is not None and isinstance(schema, dict) and isinstance(schema.get(self.mirrors), str)


def _name(item: JSONObject) -> JSON:
    return item.get("name")


def _tool(item: JSONObject) -> JSONObject:
    inner = item.get("tool")
    return inner if isinstance(inner, dict) else item


FITS: dict[str, Callable[[JSONObject], bool]] = {
    "read-only": lambda item: tier(_tool(item)) == 0,
    "no-arguments": lambda item: not required(item) and not is_prompt_with_required_arguments(item),
    "text-argument": lambda item: (
        is_text(item.get("schema")) if "tool" in item else any(is_text(schema) for schema in properties(item).values())
    ),
    "free-text": lambda item: (
        is_free_text(item.get("schema"))
        if "tool" in item
        else any(is_free_text(schema) for schema in properties(item).values())
    ),
    "url-argument": lambda item: (
        takes_url(str(item.get("name")), item.get("schema"))
        if "tool" in item
        else any(takes_url(name, schema) for name, schema in properties(item).items())
    ),
    "path-argument": lambda item: (
        takes_path(str(item.get("name")), item.get("schema"))
        if "tool" in item
        else any(takes_path(name, schema) for name, schema in properties(item).items())
    ),
    "output-schema": lambda item: isinstance(item.get("outputSchema"), dict),
    "with-arguments": lambda item: isinstance(item.get("arguments"), list) and bool(item["arguments"]),
}
"""What a word of ``must:`` or ``prefer:`` asks of an item; ``unmirrored``, ``named x`` and ``mentions x`` come beside
these."""

MEANINGS = {
    "read-only": "the tool says `readOnlyHint: true`",
    "no-arguments": "the tool, or the prompt, requires no argument",
    "text-argument": "the tool takes a string",
    "free-text": "the tool takes a string without enum, const, pattern and format; of an argument: it is one",
    "url-argument": "the tool takes a string whose format or name is that of a URL; of an argument: it is one",
    "path-argument": "the tool takes a string whose name is that of a path or file; of an argument: it is one",
    "unmirrored": "the tool takes a string that no HTTP header repeats; of an argument: it is one",
    "output-schema": "the tool has an `outputSchema`",
    "with-arguments": "the prompt has arguments",
    "named x": "the name is x, whatever its letter case",
    "mentions x": "x stands in the name or the description (of an argument: of its tool), whatever its letter case",
}
"""The same in words, for the reference of the language."""


WORDING = {
    "read-only": "is read-only",
    "no-arguments": "needs no arguments",
    "text-argument": "takes a text",
    "free-text": "takes any text",
    "url-argument": "takes a URL",
    "path-argument": "takes a path",
    "unmirrored": "takes a text that no header repeats",
    "output-schema": "has an output schema",
    "with-arguments": "has arguments",
}
"""The words in a sentence about what was not found."""


def is_prompt_with_required_arguments(item: JSONObject) -> bool:
    arguments = item.get("arguments")
    return isinstance(arguments, list) and any(
        isinstance(argument, dict) and argument.get("required") is True for argument in arguments
    )
