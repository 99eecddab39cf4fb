"""What the server does about one message, before it is put on a wire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from .context import Context
from .message import Json, is_number
from .template import NewSession, compact, fill_json, fill_text


@dataclass(frozen=True)
class Answer:
    """A JSON-RPC object (`message`), literal `text`, a `stream` of chunks, or nothing at all.

    `status` is for HTTP; `write`, `stderr`, `exit`, `flood`, `stay`, `lead`, `cut` are for stdio. Times are
    milliseconds.
    """

    message: Mapping[str, Json] | None = None
    text: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    without_headers: frozenset[str] = frozenset()
    stream: tuple[str, ...] | None = None
    keep_open: bool = False
    every_ms: int = 0
    hang: bool = False
    drop: bool = False
    write: tuple[str, ...] = ()
    stderr: str = ""
    exit: int | None = None
    flood: Mapping[str, Json] | None = None
    stay: bool = False
    lead: tuple[str, ...] = ()
    cut: bool = False
    pause_ms: int = 0

    @property
    def body(self) -> str | None:
        """The body as text: the JSON of the message, or the literal text."""
        return compact(dict(self.message)) if self.message is not None else self.text


def literal_answer(reply: Mapping[str, Json], context: Context, new_session: NewSession) -> Answer:
    """Fill the place-holders of a `reply` that does not refer to the baseline."""
    headers = reply.get("headers", {})
    stream = reply.get("stream")
    flood = reply.get("flood")
    text = reply.get("text")
    return Answer(
        message=_message(reply, context, new_session),
        text=fill_text(text, context, new_session) if isinstance(text, str) else None,
        status=_integer(reply.get("status", 200)),
        headers={
            name: fill_text(str(value), context, new_session)
            for name, value in (headers.items() if isinstance(headers, dict) else ())
        },
        stream=_texts(stream, context, new_session) if stream is not None else None,
        keep_open=bool(reply.get("keep_open")),
        every_ms=_integer(reply.get("every_ms", 0)),
        hang=bool(reply.get("hang")),
        drop=bool(reply.get("drop")),
        write=_texts(reply.get("write", []), context, new_session),
        stderr=str(reply.get("stderr", "")),
        exit=_integer(reply["exit"]) if "exit" in reply else None,
        flood=flood if isinstance(flood, dict) else None,
        stay=bool(reply.get("stay")),
    )


def changed_answer(answer: Answer, change: Mapping[str, Json], context: Context, new_session: NewSession) -> Answer:
    """Apply the changes of `reply.base` to the baseline's answer."""
    message = dict(answer.message) if answer.message is not None else None
    if message is not None and "id_as" in change:
        message["id"] = _other_id(change["id_as"], context.message.id)
    members = change.get("members")
    if message is not None and isinstance(members, dict):
        # An error answer keeps its own error member when the change adds one of that name.
        message |= {name: value for name, value in members.items() if name not in message}
    stripped = _texts(change.get("strip_headers", []), context, new_session)
    answer = replace(
        answer,
        message=message,
        without_headers=frozenset(name.lower() for name in stripped),
        lead=_texts(change.get("lead", []), context, new_session),
        cut=bool(change.get("cut")),
        pause_ms=_integer(change.get("pause_ms", 0)),
    )
    events = change.get("sse")
    if events is None or answer.status != 200:
        return answer
    return replace(answer, message=None, stream=_texts(events, context, new_session, answer.body or ""))


def _message(reply: Mapping[str, Json], context: Context, new_session: NewSession) -> dict[str, Json] | None:
    for member in ("result", "error"):
        if member in reply:
            head: dict[str, Json] = {"jsonrpc": "2.0"}
            if context.message.id is not None:
                head["id"] = context.message.id
            if "id" in reply:
                head["id"] = reply["id"]
            return {**head, member: fill_json(reply[member], context, new_session)}
    return None


def _other_id(rule: Json, sent: Json) -> Json:
    if isinstance(rule, dict):
        return rule["value"]
    if rule != "number-if-digits":
        raise ValueError(f"unknown id_as {rule!r}")
    return int(sent) if isinstance(sent, str) and sent.isdigit() else sent


def _texts(value: Json, context: Context, new_session: NewSession, body: str = "") -> tuple[str, ...]:
    assert isinstance(value, list)
    return tuple(fill_text(str(item), context, new_session, body) for item in value)


def _integer(value: Json) -> int:
    assert is_number(value)
    assert isinstance(value, int)
    return value
