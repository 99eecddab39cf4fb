"""Faults of what the server writes to stdout, and of how it reads stdin."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_compliance.reference.fault_model import STDIO, Fault, Frame
from mcp_compliance.reference.jsonrpc import JSON, JSONObject, as_object
from mcp_compliance.reference.session import Answer, Session


class Banner:
    """Greets on stdout, before the first message."""

    def __init__(self) -> None:
        self._greeting = b"Harbour notebook ready.\n"

    def __call__(self, frame: Frame, message: JSONObject) -> bytes:
        greeting, self._greeting = self._greeting, b""
        return greeting + frame(message)


def _misread(value: JSON) -> JSON:
    """``value`` as it looks when the bytes of its texts are taken for Latin-1."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("latin-1")
    if isinstance(value, list):
        return [_misread(one) for one in value]
    return {key: _misread(one) for key, one in value.items()} if isinstance(value, dict) else value


def _reads_latin_1(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
    yield from answer(session, as_object(_misread(message)))


FAULTS = (
    Fault(
        "stdout-banner",
        "Nothing but messages goes to stdout.",
        ("stdio-framing",),
        STDIO,
        line=Banner(),
    ),
    Fault(
        "reads-latin-1",
        "Messages are UTF-8.",
        ("stdio-unicode",),
        STDIO,
        rpc=_reads_latin_1,
    ),
)
