"""What every transport offers to the floors above. Tests and rule cases put a scripted one in its place."""

from __future__ import annotations

from typing import Literal, Protocol

from mcp_compliance.exchange.exchange import Exchange, Process
from mcp_compliance.exchange.sending import Sending, Until
from mcp_compliance.jsontypes import JSONObject


class Responder(Protocol):
    """Answers a request that the server sends: the member ``result`` or ``error`` of the response."""

    def __call__(self, request: JSONObject) -> JSONObject: ...


class Stream(Protocol):
    """An exchange whose answer stays open. ``exchange`` is the state when the awaited condition was met or
    gave up.
    """

    @property
    def exchange(self) -> Exchange: ...

    async def aclose(self) -> None:
        """Let go of it: an HTTP stream is dropped; on stdio its id is no longer collected."""


class Wire(Protocol):
    """A way to one server. Never raises for what a server does: that is an ``Exchange`` with its outcome."""

    @property
    def transport(self) -> Literal["http", "stdio"]: ...

    async def exchange(self, sending: Sending) -> Exchange:
        """Send and wait, within ``sending.within`` seconds, for the answer that counts."""
        ...

    async def stream(self, sending: Sending, until: Until) -> Stream:
        """Send, wait until the condition holds (at most ``sending.within`` seconds), and keep the answer
        open.
        """
        ...

    async def watch(self, seconds: float) -> Process | None:
        """Look on for so long, or until the process ends. None where there is no process (HTTP)."""
        ...

    @property
    def process(self) -> Process | None:
        """State of the child now; None for HTTP."""
        ...

    async def aclose(self) -> None: ...
