"""JSON Schema as servers publish it: hostile until proven otherwise, so every check has a budget and
fetches nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from mcp_compliance.catalog.functions.canonical import key_of
from mcp_compliance.catalog.functions.declare import TEXT_LIMIT
from mcp_compliance.catalog.functions.regex import safe_regex
from mcp_compliance.jsontypes import JSON, JSONObject, type_name

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

MESSAGES = 20
MESSAGE_LENGTH = 300
SCHEMA_NODES = 10_000
VALUE_NODES = 20_000
"""Values inside a schema or a value that are looked at; a larger one is not checked, and that is said."""
PRODUCT = 5_000_000
"""Most of the one times the other: some keywords compare each member with each."""
STEPS = 60_000
"""Keywords that one check may evaluate."""
KEPT = 4096
"""Characters of a schema whose findings are kept."""
DEFAULT = "https://json-schema.org/draft/2020-12/schema"

_steps: ContextVar[list[int]] = ContextVar("_steps")
_DATA_KEYWORDS = frozenset({"const", "enum", "default", "examples", "example"})
_NAMED_SCHEMAS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)


class _UncheckableError(Exception):
    """The validator itself failed."""


class _TooMuchError(Exception):
    """The budget of steps is used up."""


@dataclass(frozen=True)
class Findings:
    """What a check of a schema, or of a value against one, found. ``obstacle`` says why it could not be made, for
    reasons that are no mistake of the schema; there are no messages then.
    """

    messages: tuple[str, ...] = ()
    obstacle: str | None = None

    @property
    def all(self) -> list[str]:
        return [self.obstacle] if self.obstacle is not None else [*self.messages]


def warm_up() -> None:
    """Load the JSON Schema library now: it takes a tenth of a second, which nobody notices while a server boots."""
    schema_errors({"type": "object"})
    schema_violations({}, {"type": "object"})


def schema_errors(schema: JSON) -> list[str]:
    """Messages of the meta-schema check, or the obstacle to it; empty for a sound schema."""
    return examined_schema(schema).all


def schema_violations(value: JSON, schema: JSON) -> list[str]:
    """Messages of a validation, or the obstacle to it; empty for a valid value."""
    return examined_value(value, schema).all


def examined_schema(schema: JSON) -> Findings:
    """A schema held against the meta-schema of its dialect."""
    if isinstance(schema, bool):
        return Findings()
    if not isinstance(schema, dict):
        return Findings((f"a schema is an object or a boolean, not {type_name(schema)}",))
    dialect, problem = _dialect(schema)
    if problem is not None:
        return problem
    size = _oversize(schema, SCHEMA_NODES)
    if size is not None:
        return Findings(obstacle=f"the schema {size}")
    try:
        text = json.dumps(schema)
    except (ValueError, RecursionError):
        return _examined(dialect, schema)
    return _examined_again(dialect, text) if len(text) <= KEPT else _examined(dialect, schema)


@lru_cache(maxsize=512)
def _examined_again(dialect: str, text: str) -> Findings:
    """Several rules look at the schemas of the same few tools, so what was found in a small one is kept."""
    return _examined(dialect, json.loads(text))


def _examined(dialect: str, schema: JSON) -> Findings:
    try:
        return _findings(lambda: iter(_meta_validator(dialect).iter_errors(schema)))
    except _UncheckableError as error:
        return Findings(obstacle=str(error))


def examined_value(value: JSON, schema: JSON) -> Findings:
    """A value held against a schema."""
    if not isinstance(schema, (bool, dict)):
        return Findings((f"a schema is an object or a boolean, not {type_name(schema)}",))
    dialect, problem = _dialect(schema) if isinstance(schema, dict) else (DEFAULT, None)
    if problem is not None:
        return problem
    size = _oversize(schema, SCHEMA_NODES)
    if size is not None:
        return Findings(obstacle=f"the schema {size}")
    size = _oversize(value, min(VALUE_NODES, PRODUCT // _nodes(schema, SCHEMA_NODES)))
    if size is not None:
        return Findings(obstacle=f"the value {size}")

    def errors() -> Iterator[Any]:
        bounded = _without_risk(schema) if isinstance(schema, dict) else schema
        return iter(_validator(dialect, bounded).iter_errors(value))

    try:
        return _findings(errors)
    except _UncheckableError as error:
        problems = schema_errors(schema)
        return Findings(obstacle=f"the schema is not valid: {problems[0]}" if problems else str(error))


def _findings(errors: Callable[[], Iterator[Any]]) -> Findings:
    """At most twenty messages in the order of their places, each once, or why there are none."""
    from referencing.exceptions import InvalidAnchor, NoSuchAnchor, PointerToNowhere, Unresolvable

    token = _steps.set([STEPS])
    try:
        found = list(islice(errors(), 4 * MESSAGES))
        found.sort(key=lambda error: [str(part) for part in error.absolute_path])
        # the vocabularies of a meta-schema each find the same mistake below themselves
        return Findings(tuple(dict.fromkeys(_worded(error) for error in found))[:MESSAGES])
    except Unresolvable as error:
        cause = error.__cause__ or error
        reference = str(getattr(cause, "ref", getattr(cause, "anchor", "")))[:120]
        missing = isinstance(cause, (PointerToNowhere, NoSuchAnchor, InvalidAnchor))
        fate = "does not exist" if missing else "is not fetched"
        return Findings(obstacle=f"the schema refers to {reference!r}, which {fate}")
    except _TooMuchError:
        return Findings(obstacle="the schema takes too many steps to check")
    except RecursionError:
        return Findings(obstacle="the schema is nested too deeply or refers to itself without end")
    except Exception as error:
        # A schema that breaks its own meta-schema reaches corners of the validator that raise anything.
        raise _UncheckableError(f"the schema cannot be checked: {type(error).__name__}") from error
    finally:
        _steps.reset(token)


def _worded(error: Any) -> str:
    place = ""
    for part in error.absolute_path:
        place += f"[{part}]" if isinstance(part, int) else f".{part}" if place else str(part)
    message = " ".join(str(error.message).split())
    text = f"{place}: {message}" if place else message
    return text if len(text) <= MESSAGE_LENGTH else text[:MESSAGE_LENGTH] + "..."


def _dialect(schema: JSONObject) -> tuple[str, Findings | None]:
    named = schema.get("$schema", DEFAULT)
    if not isinstance(named, str):
        return DEFAULT, Findings((f"$schema: a dialect is named by a URI, not by {type_name(named)}",))
    plain = named.removesuffix("#")
    for right, wrong in (
        ("http://json-schema.org/draft-0", "https:"),
        ("https://json-schema.org/draft/20", "http:"),
    ):
        # The scheme is confused so often that it says nothing about the dialect meant.
        if plain.startswith(wrong + right[right.index("//") :]):
            plain = right + plain.removeprefix(wrong + right[right.index("//") :])
    if plain not in _dialects():
        return DEFAULT, Findings(obstacle=f"$schema: the dialect {named[:120]!r} is not known")
    return plain, None


@lru_cache(maxsize=1)
def _dialects() -> Mapping[str, Any]:
    """Validator classes by the URI of their dialect."""
    import jsonschema

    return {
        str(cls.META_SCHEMA.get("$id", cls.META_SCHEMA.get("id"))).removesuffix("#"): cls
        for cls in (
            jsonschema.Draft202012Validator,
            jsonschema.Draft201909Validator,
            jsonschema.Draft7Validator,
            jsonschema.Draft6Validator,
            jsonschema.Draft4Validator,
            jsonschema.Draft3Validator,
        )
    }


@lru_cache(maxsize=8)
def _bounded_class(dialect: str) -> Any:
    """The validator class of a dialect with each keyword counted and the dangerous ones replaced."""
    import jsonschema

    base = _dialects()[dialect]
    keywords = {name: _counted(check) for name, check in base.VALIDATORS.items()}
    keywords["uniqueItems"] = _counted(_unique_items)
    keywords["pattern"] = _counted(_pattern)
    return jsonschema.validators.extend(base, keywords)  # type: ignore[no-untyped-call]


def _validator(dialect: str, schema: JSON) -> Validator:
    # The registry is given, because the default one fetches what it does not know.
    validator: Validator = _bounded_class(dialect)(schema, registry=_known_dialects())
    return validator


@lru_cache(maxsize=1)
def _known_dialects() -> Any:
    """The published meta-schemas without their own `$schema`, which would lead out of the bounded class."""
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
    from referencing import Registry
    from referencing.jsonschema import specification_with

    resources = []
    for uri in REGISTRY:
        contents = dict(REGISTRY[uri].contents)
        specification = specification_with(contents.pop("$schema"))
        resources.append((uri, specification.create_resource(contents)))
    # Crawled, so that these anchors stand above those that the validator adds of its own accord.
    return Registry().with_resources(resources).crawl()


@lru_cache(maxsize=8)
def _meta_validator(dialect: str) -> Validator:
    meta = {name: item for name, item in _dialects()[dialect].META_SCHEMA.items() if name != "$schema"}
    return _validator(dialect, meta)


def _counted(check: Any) -> Any:
    def counted(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        left = _steps.get([STEPS])
        left[0] -= 1
        if left[0] < 0:
            raise _TooMuchError
        yield from check(validator, value, instance, schema) or ()

    return counted


def _unique_items(validator: Any, unique: Any, instance: Any, _schema: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    if (
        unique is True
        and validator.is_type(instance, "array")
        and len({key_of(item) for item in instance}) < len(instance)
    ):
        yield ValidationError(f"{instance!r} has non-unique elements")


def _pattern(validator: Any, pattern: Any, instance: Any, _schema: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    compiled = safe_regex(pattern) if isinstance(pattern, str) and isinstance(instance, str) else None
    if compiled is not None and not compiled.search(instance[:TEXT_LIMIT]):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _without_risk(schema: JSONObject) -> JSONObject:
    """A copy that validates alike, without what leads the validator away from its bounds: a dialect named
    further inside (it would be followed out of the bounded class) and property patterns that could take
    very long."""

    def copied(node: JSON) -> JSON:
        if isinstance(node, list):
            return [copied(item) for item in node]
        if not isinstance(node, dict):
            return node
        members: JSONObject = {}
        for key, item in node.items():
            if key == "$schema" and isinstance(item, str):
                continue
            if key in _DATA_KEYWORDS:
                members[key] = item
            elif key in _NAMED_SCHEMAS and isinstance(item, dict):
                members[key] = {name: copied(inner) for name, inner in item.items()}
            else:
                members[key] = copied(item)
        patterns = members.get("patternProperties")
        if isinstance(patterns, dict) and any(safe_regex(name) is None for name in patterns):
            for key in ("patternProperties", "additionalProperties", "unevaluatedProperties"):
                members.pop(key, None)
        return members

    result = copied(schema)
    return result if isinstance(result, dict) else {}


def _oversize(document: JSON, most: int) -> str | None:
    """Why a document is not checked, in words that follow its name; None when it is of reasonable size."""
    return f"holds more than {most} values and was not checked" if _nodes(document, most) > most else None


def _nodes(document: JSON, most: int) -> int:
    """How many values a document holds, itself included; counting ends beyond ``most``."""
    waiting: list[JSON] = [document]
    seen = 0
    while waiting and seen <= most:
        item = waiting.pop()
        seen += 1
        if isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    return seen
