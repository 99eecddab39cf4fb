"""Compiles steps and their ``credit``."""

from __future__ import annotations

from typing import cast

from mcp_compliance.catalog.compile_checks import compile_checks
from mcp_compliance.catalog.compile_values import Compiler, time_or_name
from mcp_compliance.catalog.rule import (
    Credentials,
    Credit,
    FailOrSkip,
    ForEach,
    Mode,
    NoAnswer,
    Step,
    Transport,
    Verb,
)
from mcp_compliance.catalog.values import NOT_GIVEN, Literal, Located, Pointer, Reference, Value
from mcp_compliance.jsontypes import JSON, JSONObject

VERBS: tuple[Verb, ...] = (
    "call", "notify", "raw", "bytes", "http", "repeat", "refetch", "open", "watch", "stream", "together", "run",
)  # fmt: skip
MOST_ROUNDS = 25


def compile_steps(compiler: Compiler, source: JSON, at: Pointer, credit: Credit) -> tuple[Step, ...]:
    """The steps of a list, in order; ``credit`` fills what a step's own ``credit:`` leaves out."""
    steps = source if isinstance(source, list) else []
    return tuple(
        _step(compiler, step, (*at, index), credit, f"step_{index + 1}")
        for index, step in enumerate(steps)
        if isinstance(step, dict)
    )


def _step(compiler: Compiler, source: JSONObject, at: Pointer, credit: Credit, unnamed: str) -> Step:
    verb = next((word for word in VERBS if word in source), "none")
    name = str(source.get("name", unnamed))
    http = source.get(verb) if verb in ("http", "stream") else None
    members: tuple[Step, ...] = ()
    if verb == "together":
        group = source["together"]
        members = tuple(
            _step(compiler, member, (*at, "together", index), credit, name)
            for index, member in enumerate(group if isinstance(group, list) else [])
            if isinstance(member, dict)
        )
    target: Value | None = None
    if verb not in ("none", "http", "together") and not isinstance(http, dict):
        target = compiler.value(source[verb], (*at, verb))
    return Step(
        name=name,
        verb=cast(Verb, verb),
        at=at,
        target=target,
        http=compiler.values(http, (*at, verb)),
        members=members,
        times=cast(int, source.get("times", 1)),
        arguments=compiler.values(source.get("with"), (*at, "with")),
        params=compiler.value(source["params"], (*at, "params")) if "params" in source else None,
        meta=compiler.values(source.get("meta"), (*at, "meta")),
        headers=compiler.values(source.get("headers"), (*at, "headers")),
        query=compiler.values(source.get("query"), (*at, "query")),
        id=compiler.value(source["id"], (*at, "id")) if "id" in source else NOT_GIVEN,
        omit=_words(source.get("omit")),
        defect=_words(source.get("defect")),
        credentials=cast(Credentials, source.get("credentials", "configured")),
        session="none" if source.get("session") == "none" else "own",
        on=_word(source.get("on")),
        era=_word(source.get("era")),
        opening="none" if source.get("opening") == "none" else "revision",
        credit=compile_credit(source["credit"], credit) if "credit" in source else None,
        then_alive=_word(source.get("then_alive")),
        answers="any" if source.get("answers") == "any" else "mine",
        within=time_or_name(source.get("within", "request")),
        listen=time_or_name(source.get("listen", 0.0)),
        until=_until(compiler, source.get("until"), at),
        close="rule" if source.get("close") == "rule" else "step",
        only=cast("Transport | None", source.get("only")) or _transport_of(verb, source),
        condition=compiler.optional_expression(source, "if", at),
        let=tuple(compiler.values(source.get("let"), (*at, "let")).items()),
        for_each=_for_each(compiler, source.get("for_each"), (*at, "for_each")),
        always=source.get("always") is True,
        checks=compile_checks(compiler, source.get("check"), (*at, "check")),
    )


def _transport_of(verb: str, source: JSONObject) -> Transport | None:
    """The one transport on which a verb means something; None where both do."""
    if verb == "http" or (verb == "stream" and isinstance(source["stream"], dict)):
        return "http"
    return "stdio" if verb == "open" and source["open"] == "process" else None


def compile_credit(source: JSON, default: Credit) -> Credit:
    """``credit: pre_rpc`` is short for ``{mode: pre_rpc}``."""
    given: JSONObject = source if isinstance(source, dict) else {"mode": source}
    codes = given.get("own_codes")
    return Credit(
        mode=cast(Mode, given.get("mode", default.mode)),
        own_codes=tuple(cast("list[int]", codes)) if isinstance(codes, list) else default.own_codes,
        twin=str(given.get("twin", default.twin)),
        unattributed=cast(FailOrSkip, given.get("unattributed", default.unattributed)),
        no_answer=cast(NoAnswer, given.get("no_answer", default.no_answer)),
        drop="refusal" if given.get("drop", default.drop) == "refusal" else "nothing",
    )


def _until(compiler: Compiler, source: JSON, at: Pointer) -> str | Located | None:
    if isinstance(source, dict):
        return compiler.expression(source.get("that"), (*at, "until", "that"))
    return _word(source)


def _for_each(compiler: Compiler, source: JSON, at: Pointer) -> ForEach | None:
    """``in`` is a list, a reference, or a pick; ``as`` is optional when the value is not needed by name."""
    if not isinstance(source, dict):
        return None
    most = source.get("most")
    items = source["in"]
    return ForEach(
        items=_items_value(compiler, items, (*at, "in")),
        name=str(source.get("as", "item")),
        most=min(most, MOST_ROUNDS) if isinstance(most, int) else MOST_ROUNDS,
        until=compiler.optional_expression(source, "until", at),
    )


def _items_value(compiler: Compiler, items: JSON, at: Pointer) -> Value:
    if isinstance(items, str):
        return Reference(compiler.expression(items, at), Literal([]))
    return compiler.value(items, at)


def _words(source: JSON) -> tuple[str, ...]:
    return tuple(map(str, source)) if isinstance(source, list) else ()


def _word(source: JSON) -> str | None:
    return source if isinstance(source, str) else None
