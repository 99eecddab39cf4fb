"""Compiles how a revision is recognised."""

from __future__ import annotations

from typing import Literal, cast

from mcp_compliance.catalog.compile_values import Compiler, time_or_name
from mcp_compliance.catalog.revision import Reading, RecogniseCase, Recognition
from mcp_compliance.catalog.rule import Transport
from mcp_compliance.jsontypes import JSON, JSONObject

TRANSPORTS: tuple[Transport, ...] = ("http", "stdio")


def compile_recognition(compiler: Compiler, source: JSON) -> Recognition | None:
    """None where the revision is the fallback, or says nothing of it."""
    document = _object(source)
    if "send" not in document:
        return None
    answers, cases = document.get("answers"), document.get("cases")
    pinned = _object(document.get("pinned"))
    return Recognition(
        fixture=str(document["send"]),
        within=_times(_object(document.get("within"))),
        again=_times(_object(document.get("again_after_timeout"))),
        pinned=frozenset(name for name in TRANSPORTS if pinned.get(name) == "send"),
        fallback=str(document["fallback"]),
        readings=tuple(
            _reading(compiler, _object(entry), index)
            for index, entry in enumerate(answers if isinstance(answers, list) else ())
        ),
        cases=tuple(
            _case(_object(entry), index) for index, entry in enumerate(cases if isinstance(cases, list) else ())
        ),
    )


def _reading(compiler: Compiler, source: JSONObject, index: int) -> Reading:
    at = ("recognise", "answers", index)
    return Reading(
        condition=compiler.optional_expression(source, "if", at),
        selects_this=source.get("selects") == "this",
        undetermined=source.get("undetermined") is True,
        note=compiler.text(source["note"], (*at, "note")),
        warn=compiler.text(source["warn"], (*at, "warn")) if "warn" in source else None,
    )


def _case(source: JSONObject, index: int) -> RecogniseCase:
    return RecogniseCase(
        at=("recognise", "cases", index),
        reply=_object(source.get("reply")),
        on="stdio" if source.get("on") == "stdio" else "http",
        credentials=cast(Literal["configured", "none"], source.get("credentials", "none")),
        selects=str(source.get("selects")),
        undetermined=source.get("undetermined") is True,
        note=str(source.get("note", "")),
        warns=None if "warns" not in source else str(source["warns"]),
    )


def _times(source: JSONObject) -> dict[Transport, str | float]:
    return {name: time_or_name(source[name]) for name in TRANSPORTS if name in source}


def _object(source: JSON) -> JSONObject:
    return source if isinstance(source, dict) else {}
