"""R2 where the schema cannot see it: ``{form: ...}`` in a value is any JSON, and was meant as ``{from: ...}``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_compliance.catalog.closest_word import one_slip
from mcp_compliance.catalog.document_schema import schema_of
from mcp_compliance.catalog.expressions import ExpressionError, compile_expression
from mcp_compliance.catalog.rule import Each
from mcp_compliance.catalog.values import Pointer
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.rulecheck.checks_in import checks_of
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.shapes import root_shapes
from mcp_compliance.rulecheck.subjects import RuleSubject

CODE = "R2"
_PARTS = {"from": "reference", "make": "generator", "pick": "pick", "secret": "secret", "literal": "literal"}


def check_values(subject: RuleSubject) -> Iterator[Finding]:
    """Mappings that would be one of the language's own values, were one letter of their key another."""
    document = subject.source.document.value
    known = _names(subject)
    for part in ("steps", "check", "at_end"):
        if isinstance(document, dict) and part in document:
            for at, meant in _slips(document[part], (part,), known):
                message = f"'{at[-1]}' makes this any other JSON, and nothing is filled in"
                hint = f"did you mean '{meant}'? (a mapping that is meant as it stands is written {{literal: {{...}}}})"
                yield subject.source.finding(CODE, at, message, hint, key=True)


def _slips(value: JSON, at: Pointer, names: frozenset[str]) -> Iterator[tuple[Pointer, str]]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _slips(item, (*at, index), names)
    elif isinstance(value, dict) and "literal" not in value:
        for key, member in value.items():
            meant = next((word for word in _PARTS if one_slip(key, word)), None)
            if meant is not None and _fits(value, key, meant, names):
                yield (*at, key), meant
            else:
                yield from _slips(member, (*at, key), names)


def _fits(value: JSONObject, key: str, meant: str, names: frozenset[str]) -> bool:
    """Whether the mapping with ``meant`` in the place of ``key`` would say something."""
    properties = _properties(_PARTS[meant])
    if not all(other == key or other in properties for other in value):
        return False
    member = value[key]
    if meant == "literal":
        return len(value) == 1
    if meant == "from":
        return isinstance(member, str) and _reads(member, names)
    words = properties[meant]
    return isinstance(words, dict) and isinstance(allowed := words.get("enum"), list) and member in allowed


def _reads(text: str, names: frozenset[str]) -> bool:
    try:
        roots = compile_expression(text).roots
    except ExpressionError:
        return False
    return bool(roots) and roots <= names


def _properties(part: str) -> JSONObject:
    definitions = schema_of("rule")["$defs"]
    node = definitions[part] if isinstance(definitions, dict) else {}
    properties = node["properties"] if isinstance(node, dict) else {}
    return properties if isinstance(properties, dict) else {}


def _names(subject: RuleSubject) -> frozenset[str]:
    """All names that some place of the rule can read."""
    rule = subject.rule
    rounds: Sequence[str] = [step.for_each.name for step in rule.steps if step.for_each is not None]
    lets = [name for step in rule.steps for name, _ in step.let]
    items = [check.name for check in checks_of(rule) if isinstance(check, Each)]
    return frozenset((*root_shapes(), *rule.uses, *rule.judges, *subject.names, *rounds, *lets, *items))
