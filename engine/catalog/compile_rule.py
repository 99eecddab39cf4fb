"""Compiles a rule document that has passed its schema into a ``Rule``."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from mcp_compliance.catalog.compile_checks import compile_checks
from mcp_compliance.catalog.compile_steps import compile_steps
from mcp_compliance.catalog.compile_values import Compiler
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.catalog.rule import Case, Level, Phase, Rule, SkipUnless, SpecReference, Transport
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.result import Force


def compile_rule(compiler: Compiler, source: JSONObject, revision: Revision, category: str, path: Path) -> Rule:
    """Problems with expressions are collected in ``compiler``; the rule is usable only when there are none."""
    transports = cast("tuple[Transport, ...]", tuple(_list(source.get("transports")))) or ("http", "stdio")
    return Rule(
        id=str(source["id"]),
        title=str(source["title"]),
        category=category,
        revision=revision.revision,
        level=cast(Level, source["level"]),
        spec=tuple(_reference(item, revision.site) for item in _objects(source["spec"])),
        why=str(source["why"]),
        fix=str(source["fix"]),
        passes=compiler.text(source["pass"], ("pass",)),
        path=path,
        capability=cast("str | None", source.get("capability")),
        transports=transports,
        phase=cast(Phase, source.get("phase", "main")),
        requirements=tuple(map(str, _list(source.get("requirements")))),
        since=cast("str | None", source.get("since")),
        history=tuple((str(entry["in"]), str(entry["what"])) for entry in _objects(source.get("history"))),
        uses=tuple(map(str, _list(source.get("uses")))),
        judges=tuple(map(str, _list(source.get("judges")))),
        touches=frozenset(map(str, _list(source.get("touches")))),
        skip_unless=tuple(
            SkipUnless(
                compiler.expression(entry["that"], ("skip_unless", index, "that")),
                compiler.text(entry["say"], ("skip_unless", index, "say")),
            )
            for index, entry in enumerate(_objects(source.get("skip_unless")))
        ),
        steps=compile_steps(compiler, source.get("steps"), ("steps",), revision.credit.default),
        checks=compile_checks(compiler, source.get("check"), ("check",)),
        at_end=compile_checks(compiler, source.get("at_end"), ("at_end",)),
        cases=tuple(_case(entry, index, transports[0]) for index, entry in enumerate(_objects(source.get("cases")))),
    )


def _reference(source: JSONObject, site: str) -> SpecReference:
    url = str(source["url"]) if "url" in source else site + str(source["at"])
    return SpecReference(url, cast(Force, source["force"]))


def _case(source: JSONObject, index: int, transport: Transport) -> Case:
    sends = source.get("sends")
    return Case(
        name=str(source["name"]),
        on=cast(Transport, source.get("on", transport)),
        verdict=str(source["verdict"]),
        at=("cases", index),
        replies=_object(source.get("replies")),
        runs=_object(source.get("runs")),
        root=_object(source.get("root")),
        sent=_object(source.get("sent")),
        sends=None if sends is None else tuple(map(str, _list(sends))),
        says=None if source.get("says") is None else str(source["says"]),
        warns=None if source.get("warns") is None else str(source["warns"]),
        filtered=source.get("filtered") is True,
    )


def _list(source: JSON) -> list[JSON]:
    return source if isinstance(source, list) else []


def _object(source: JSON) -> JSONObject:
    return source if isinstance(source, dict) else {}


def _objects(source: JSON) -> list[JSONObject]:
    return [item for item in _list(source) if isinstance(item, dict)]
