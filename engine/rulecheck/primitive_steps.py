"""R6: primitives get the arguments they declare, and what they return is read as they declare it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_compliance.catalog.functions.schemas import schema_violations
from mcp_compliance.catalog.rule import Step
from mcp_compliance.catalog.values import Literal
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.primitives import PRIMITIVES, Primitive
from mcp_compliance.rulecheck.expression_uses import uses_in
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.fixed_values import fixed
from mcp_compliance.rulecheck.nearest import known_or_nearest
from mcp_compliance.rulecheck.subjects import RuleSubject

CODE = "R6"


def check_primitives(subject: RuleSubject) -> Iterator[Finding]:
    results: dict[str, JSONObject] = {}
    for step in subject.rule.steps:
        if step.verb != "run" or not isinstance(step.target, Literal):
            continue
        primitive = PRIMITIVES.get(str(step.target.value))
        if primitive is None:
            hint = known_or_nearest(str(step.target.value), PRIMITIVES)
            yield subject.source.finding(CODE, (*step.at, "run"), f"no primitive {step.target.value}", hint)
            continue
        results[step.name] = primitive.result
        yield from _arguments(subject, step, primitive)
        missing = sorted(primitive.touches - subject.rule.touches)
        if missing:
            message = f"{primitive.name} disturbs {', '.join(missing)}, which `touches` does not say"
            hint = f"write touches: [{', '.join(sorted(primitive.touches | subject.rule.touches))}]"
            yield subject.source.finding(CODE, (*step.at, "run"), message, hint)
    yield from _paths(subject, results)
    yield from _stubs(subject, results)


def _arguments(subject: RuleSubject, step: Step, primitive: Primitive) -> Iterator[Finding]:
    declared = primitive.arguments.get("properties")
    known: Mapping[str, JSON] = declared if isinstance(declared, dict) else {}
    at = (*step.at, "with")
    for name, value in step.arguments.items():
        if name not in known:
            hint = known_or_nearest(name, known, f"{primitive.name} takes")
            yield subject.source.finding(CODE, (*at, name), f"unknown argument '{name}'", hint, key=True)
        elif (known_value := fixed(value)) is not None:
            if name == "payloads" and known_value[0] not in (sets := subject.revision.revision.payloads):
                hint = known_or_nearest(str(known_value[0]), sets)
                yield subject.source.finding(CODE, (*at, name), f"there is no payload set {known_value[0]}", hint)
            for problem in schema_violations(known_value[0], known[name])[:1]:
                yield subject.source.finding(CODE, (*at, name), f"the argument {name} does not fit: {problem}")
    required = primitive.arguments.get("required")
    misspelt = not step.arguments.keys() <= known.keys()
    for needed in required if isinstance(required, list) and not misspelt else ():
        if str(needed) not in step.arguments:
            message = f"{primitive.name} needs the argument '{needed}'"
            yield subject.source.finding(CODE, (*step.at, "run"), message)


def _paths(subject: RuleSubject, results: Mapping[str, JSONObject]) -> Iterator[Finding]:
    for use in uses_in(subject.rule):
        for path in use.expression.paths:
            root, _, rest = path.text.partition(".")
            schema = results.get(root)
            if schema is None or not rest:
                continue
            wrong = _unknown(rest, schema)
            if wrong is not None and path.text.endswith(wrong[0]):
                hint = known_or_nearest(wrong[0], wrong[1], "known there")
                message = f"{_holder(path.text)} never has '{wrong[0]}'"
                offset = use.offset + path.column
                yield subject.source.finding_within(CODE, use.at, offset, len(wrong[0]), message, hint)


def _holder(path: str) -> str:
    """A path without its last name."""
    return path.rpartition(".")[0]


def _unknown(path: str, schema: JSON) -> tuple[str, tuple[str, ...]] | None:
    """The first name of a path that a schema does not know, with those it knows there."""
    for part in path.split("."):
        name, marks = part.rstrip("[]{}"), part[len(part.rstrip("[]{}")) :]
        if not isinstance(schema, dict):
            return None
        properties = schema.get("properties")
        if not isinstance(properties, dict):
            return None
        if name not in properties:
            return name, tuple(properties)
        schema = properties[name]
        for _ in range(marks.count("[]")):
            items = schema.get("items") if isinstance(schema, dict) else None
            schema = items if items is not None else schema
    return None


def _stubs(subject: RuleSubject, results: Mapping[str, JSONObject]) -> Iterator[Finding]:
    """What cases supply instead of a primitive."""
    for case in subject.rule.cases:
        for name, stub in case.runs.items():
            if name in results:
                for problem in schema_violations(stub, results[name])[:1]:
                    message = f"the primitive cannot return this: {problem}"
                    yield subject.source.finding(CODE, (*case.at, "runs", name), message)
