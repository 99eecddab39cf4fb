"""Compiles checks, groups of checks, ``each`` and exits."""

from __future__ import annotations

from typing import cast

from mcp_compliance.catalog.compile_values import Compiler
from mcp_compliance.catalog.rule import Check, CheckVerdict, Each, Exit, Predicate, Several, That, Transport
from mcp_compliance.catalog.values import Pointer
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.result import Force

PREDICATES = frozenset(
    [
        "is",
        "is_not",
        "in",
        "not_in",
        "type",
        "exists",
        "empty",
        "count",
        "at_least",
        "at_most",
        "below",
        "matches",
        "matches_none",
        "contains",
        "unique",
        "conforms_to",
    ]
)


def compile_checks(compiler: Compiler, source: JSON, at: Pointer) -> tuple[Check, ...]:
    """The checks of a list, in order. ``source`` has passed the schema."""
    checks = source if isinstance(source, list) else []
    return tuple(_check(compiler, check, (*at, index)) for index, check in enumerate(checks) if isinstance(check, dict))


def _check(compiler: Compiler, source: JSONObject, at: Pointer) -> Check:
    only = cast(Transport | None, source.get("only"))
    condition = compiler.optional_expression(source, "if", at)
    if "stop" in source:
        return _exit(compiler, source, at, only)
    if "each" in source:
        return Each(
            items=compiler.expression(source["each"], (*at, "each")),
            name=str(source["as"]),
            checks=compile_checks(compiler, source.get("check"), (*at, "check")),
            at=at,
            label=compiler.optional_expression(source, "label", at),
            or_absent=source.get("or_absent") is True,
            only=only,
            condition=condition,
        )
    verdict = cast(CheckVerdict, source.get("verdict", "fail"))
    otherwise = compiler.optional_text(source, "else", at)
    force = cast(Force | None, source.get("force"))
    if "that" in source:
        expression = compiler.expression(source["that"], (*at, "that"))
        return That(expression, verdict, otherwise, at, only, condition, force)
    if "get" in source:
        name = next(key for key in source if key in PREDICATES)
        return Predicate(
            subject=compiler.expression(source["get"], (*at, "get")),
            name=name,
            expected=compiler.value(source[name], (*at, name)),
            verdict=verdict,
            otherwise=otherwise,
            at=at,
            only=only,
            condition=condition,
            force=force,
        )
    kind = "all" if "all" in source else "any"
    checks = compile_checks(compiler, source.get(kind), (*at, kind))
    return Several("all" if kind == "all" else "any", checks, verdict, otherwise, at, only, condition, force)


def _exit(compiler: Compiler, source: JSONObject, at: Pointer, only: Transport | None) -> Exit:
    unless = "unless" in source
    key = "unless" if unless else "if"
    return Exit(
        verdict="skip" if source["stop"] == "skip" else "pass",
        expression=compiler.optional_expression(source, key, at),
        unless=unless,
        say=compiler.text(source.get("say", ""), (*at, "say")),
        at=at,
        only=only,
    )
