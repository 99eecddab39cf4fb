"""The server put together for one start: which eras it is of, and the faults around its parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from mcp_compliance.reference import dispatch
from mcp_compliance.reference.eras import LEGACY, MODERN, Eras
from mcp_compliance.reference.http_messages import Request, Response
from mcp_compliance.reference.jsonrpc import JSONObject
from mcp_compliance.reference.modern import ALL_REVISIONS, Modern
from mcp_compliance.reference.session import Answer
from mcp_compliance.reference.stdio import one_line

if TYPE_CHECKING:
    from mcp_compliance.reference.fault_model import Fault

Respond = Callable[[Request], Response]
Frame = Callable[[JSONObject], bytes]


def eras_with(faults: Sequence[Fault], alone: str | None = None) -> Eras:
    """How messages are answered in both eras, or in that of the revision ``alone``. A fault acts in its era only."""
    legacy = None if alone == MODERN else _around(dispatch.answer, faults, LEGACY)
    modern = Modern((MODERN,) if alone else ALL_REVISIONS)
    return Eras(legacy, None if alone == LEGACY else _around(modern.answer, faults, MODERN))


def _around(answer: Answer, faults: Sequence[Fault], revision: str) -> Answer:
    for fault in faults:
        if fault.rpc is not None and fault.revision == revision:
            answer = partial(fault.rpc, answer)
    return answer


def responder(respond: Respond, faults: Sequence[Fault]) -> Respond:
    """``respond`` with the faults around it."""
    for fault in faults:
        if fault.http is not None:
            respond = partial(fault.http, respond)
    return respond


def framer(faults: Sequence[Fault]) -> Frame:
    """How a message becomes a line on stdout, with the faults around it."""
    frame: Frame = one_line
    for fault in faults:
        if fault.line is not None:
            frame = partial(fault.line, frame)
    return frame
