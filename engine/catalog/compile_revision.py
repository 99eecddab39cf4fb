"""Compiles a revision document that has passed its schema into a ``Revision``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from mcp_compliance.catalog.compile_recognition import compile_recognition
from mcp_compliance.catalog.compile_steps import compile_credit
from mcp_compliance.catalog.compile_values import Compiler, seconds, time_or_name
from mcp_compliance.catalog.library import Library
from mcp_compliance.catalog.revision import (
    Budget,
    CreditDefaults,
    Envelope,
    Fixture,
    HeaderDefault,
    ModelReply,
    Notice,
    Resend,
    Revision,
    ServerRequestAnswer,
    Sessions,
    Settling,
    Streams,
)
from mcp_compliance.catalog.rule import Credentials, Credit
from mcp_compliance.catalog.values import Reference
from mcp_compliance.jsontypes import JSON, JSONObject

BASE_CREDIT = Credit("attributable", (), "self", "fail", "fail", "nothing")


def compile_revision(
    compiler: Compiler,
    source: JSONObject,
    folder: Path,
    *,
    library: Library,
    payloads: JSONObject,
    model: JSON,
) -> Revision:
    """Problems with expressions are collected in ``compiler``."""
    catalogue = {name: tuple(map(str, _list(ids))) for name, ids in _object(source["catalogue"]).items()}
    envelope = _envelope(compiler, _object(source["envelope"]))
    return Revision(
        revision=str(source["revision"]),
        site=str(source["site"]),
        folder=folder,
        envelope=envelope,
        headers=tuple(_header(compiler, name, value) for name, value in _object(source.get("headers")).items()),
        sessions=_sessions(compiler, source.get("session")),
        budgets={name: _budget(_object(value)) for name, value in _object(source.get("budgets")).items()},
        fixtures={
            name: _fixture(compiler, name, _object(value)) for name, value in _object(source["fixtures"]).items()
        },
        server=compiler.values(source.get("server"), ("server",)),
        picks={
            kind: compiler.expression(value, ("picks", kind)) for kind, value in _object(source.get("picks")).items()
        },
        credit=_credit(_object(source["credit"])),
        answers=tuple(
            ServerRequestAnswer(method, _object(answer)) for method, answer in _object(source.get("answers")).items()
        ),
        streams=_streams(compiler, _object(source.get("streams")), envelope),
        recognition=compile_recognition(compiler, source.get("recognise")),
        notices=tuple(
            Notice(
                compiler.expression(_object(entry)["if"], ("notices", index, "if")),
                compiler.text(_object(entry)["say"], ("notices", index, "say")),
                _object(entry).get("caveat") is True,
            )
            for index, entry in enumerate(_list(source.get("notices")))
        ),
        settle=tuple(_settling(_object(entry)) for entry in _list(source.get("settle"))),
        preflight=str(_object(source["preflight"])["fixture"]),
        conflicts={word: tuple(map(str, _list(others))) for word, others in _object(source["conflicts"]).items()},
        catalogue=catalogue,
        library=library,
        payloads=payloads,
        model=tuple(
            ModelReply(
                compiler.expression(_object(entry)["if"], ("model", index, "if")),
                compiler.references(_object(entry)["reply"], ("model", index, "reply")),
            )
            for index, entry in enumerate(_list(model))
        ),
    )


def _envelope(compiler: Compiler, source: JSONObject) -> Envelope:
    identifier = _object(source.get("id"))
    prefix = {
        str(name): f"{before}{name}"
        for before, names in _object(source.get("meta_prefix")).items()
        for name in _list(names)
    }
    return Envelope(
        jsonrpc=str(source["jsonrpc"]),
        first_id=cast(int, identifier.get("from", 1)),
        meta=compiler.values(source.get("meta"), ("envelope", "meta")),
        meta_prefix=prefix,
    )


def _header(compiler: Compiler, name: str, source: JSON) -> HeaderDefault:
    at = ("headers", name)
    if not isinstance(source, dict):
        return HeaderDefault(name, compiler.value(source, at))
    encoded, condition = source.get("encode") == "header-value", compiler.optional_expression(source, "when", at)
    if "mirror" in source:
        return HeaderDefault(name, compiler.value(None, at), condition, str(source["mirror"]), encoded)
    value = Reference(compiler.expression(source["from"], (*at, "from")), compiler.value(None, at))
    return HeaderDefault(name, value, condition, encoded=encoded)


def _streams(compiler: Compiler, source: JSONObject, envelope: Envelope) -> Streams:
    cancel = _object(_object(source.get("cancel")).get("stdio"))
    short = _object(source.get("id")).get("meta")
    return Streams(
        id_key=None if short is None else envelope.meta_prefix.get(str(short), str(short)),
        own_kind=cast("str | None", source.get("own_kind")),
        resume="resume" in source,
        cancel_method=cast("str | None", cancel.get("notify")),
        cancel_params=compiler.value(cancel["params"], ("streams", "cancel", "stdio", "params"))
        if "params" in cancel
        else None,
    )


def _settling(source: JSONObject) -> Settling:
    if "fixture" in source:
        return Settling((str(source["fixture"]),))
    return Settling(tuple(map(str, _list(source.get("first_of")))), cast("str | None", source.get("otherwise")))


def _sessions(compiler: Compiler, source: JSON) -> Sessions | None:
    if not isinstance(source, dict):
        return None
    lost = _object(source.get("lost"))
    close = _object(_object(source.get("close")).get("http"))
    return Sessions(
        open=str(source["open"]),
        id=compiler.expression(source["id"], ("session", "id")),
        version=compiler.expression(source["version"], ("session", "version")),
        close_method=str(close.get("method", "DELETE")),
        lost=compiler.optional_expression(lost, "if", ("session", "lost")),
    )


def _budget(source: JSONObject) -> Budget:
    return Budget(seconds(source.get("at_least")), seconds(source.get("at_most")))


def _fixture(compiler: Compiler, name: str, source: JSONObject) -> Fixture:
    at = ("fixtures", name)
    return Fixture(
        name=name,
        call=str(source["call"]),
        params=compiler.value(source["params"], (*at, "params")) if "params" in source else None,
        rule=cast("str | None", source.get("rule")),
        capability=cast("str | None", source.get("capability")),
        pages=source.get("pages") == "all",
        items=cast("str | None", source.get("items")),
        within=time_or_name(source.get("within", "request")),
        share="session" if source.get("share") == "session" else "run",
        then_notify=cast("str | None", _object(source.get("then")).get("notify")),
        credentials=cast(Credentials, source.get("credentials", "configured")),
    )


def _credit(source: JSONObject) -> CreditDefaults:
    resend = _object(source.get("resend"))
    fields: Mapping[str, JSON] = {
        key: source[key] for key in ("mode", "twin", "unattributed", "no_answer", "drop", "own_codes") if key in source
    }
    return CreditDefaults(
        setup=str(source["setup"]),
        default=compile_credit(dict(fields), BASE_CREDIT),
        before_rpc=cast("tuple[int, ...]", tuple(_list(source.get("before_rpc")))),
        resend=Resend(
            on=cast("tuple[int, ...]", tuple(_list(resend.get("on")))),
            at_most=seconds(resend.get("at_most")) or 2.0,
            otherwise=seconds(resend.get("otherwise")) or 1.0,
        ),
    )


def _list(source: JSON) -> list[JSON]:
    return source if isinstance(source, list) else []


def _object(source: JSON) -> JSONObject:
    return source if isinstance(source, dict) else {}
