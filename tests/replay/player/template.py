"""Place-holders of scripted answers: `{{id}}`, `{{arg:text}}`, `{{repeat:x:1000}}` and their kind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from .context import Context, dig
from .message import Json

_HOLDER = re.compile(r"\{\{([^{}]+)\}\}")

NewSession = Callable[[], str]


def fill_json(value: Json, context: Context, new_session: NewSession) -> Json:
    """Fill a JSON value. A string that is nothing but a place-holder becomes the value it stands for."""
    if isinstance(value, dict):
        return {key: fill_json(member, context, new_session) for key, member in value.items()}
    if isinstance(value, list):
        return [fill_json(member, context, new_session) for member in value]
    if not isinstance(value, str):
        return value
    whole = _HOLDER.fullmatch(value)
    if whole:
        return _look_up(whole[1], context, new_session)
    return _HOLDER.sub(lambda found: _plain(_look_up(found[1], context, new_session)), value)


def fill_text(text: str, context: Context, new_session: NewSession, body: str = "") -> str:
    """Fill literal text. What comes from the message is written as JSON; `{{body}}` is `body`."""

    def replace(found: re.Match[str]) -> str:
        name = found[1]
        if name == "body":
            return body
        value = _look_up(name, context, new_session)
        return compact(value) if name.startswith(("id", "arg:", "param:", "requested")) else _plain(value)

    return _HOLDER.sub(replace, text)


def compact(value: Json) -> str:
    """JSON on one line, characters beyond ASCII as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def as_cp1252(text: str) -> str:
    """The text as a program sees it that takes its UTF-8 for Windows-1252."""
    return text.encode("utf-8").decode("cp1252", errors="replace")


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else compact(value)


def _look_up(name: str, context: Context, new_session: NewSession) -> Json:
    if name == "id":
        return context.message.id
    if name == "new-session":
        return new_session()
    if name == "requested-version":
        return (context.message.meta or {}).get("io.modelcontextprotocol/protocolVersion")
    if name in ("port", "tlsport", "plainport"):
        return context.ports[name]
    word, _, rest = name.partition(":")
    if word == "repeat":
        character, _, count = rest.partition(":")
        return character * int(count)
    if word == "param":
        return dig(context.message.params, rest)
    if word == "arg":
        path, _, change = rest.partition("|")
        value = dig(context.message.params, f"arguments.{path}")
        return as_cp1252(value) if change == "as-cp1252" and isinstance(value, str) else value
    raise ValueError(f"unknown place-holder {{{{{name}}}}}")
