"""One thing to be sent, complete: a transport adds nothing to it and leaves nothing out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from mcp_compliance.jsontypes import JSON, JSONObject

if TYPE_CHECKING:
    from mcp_compliance.exchange.exchange import Exchange

Headers: TypeAlias = tuple[tuple[str, str], ...]
Answers: TypeAlias = Literal["mine", "any", "none"]
Until: TypeAlias = "Literal['headers', 'message', 'response'] | Callable[[Exchange], bool]"


@dataclass(frozen=True)
class Sending:
    """A JSON-RPC message, raw bytes, or a bare HTTP request, with everything that goes out.

    ``message`` is the parsed JSON-RPC message when there is one; ``body`` holds the exact bytes that leave:
    the HTTP body, or one line on stdio without its newline. ``headers`` is the complete list in the order and
    letter case in which it leaves (added are only Host, Content-Length, and User-Agent
    where it is missing); it is empty on stdio.

    ``answers`` says which response counts: ``mine`` the one whose id equals the message's id in value and
    JSON type, ``any`` also one whose id is null or missing (for requests too broken to have an id), ``none``
    for notifications and bare HTTP requests. Times are in seconds.
    """

    step: str
    within: float
    message: JSONObject | None = None
    body: bytes | None = None
    http_method: str = "POST"
    url: str | None = None
    """Absolute URL; None is the target's endpoint."""
    headers: Headers = ()
    answers: Answers = "mine"
    listen: float = 0.0
    """Seconds for which messages are still collected after the answer."""
    peer: str = "main"
    raw: bool = False
    """Whether it goes out as a rule wrote it: a raw body, a bare HTTP request. ``message`` is then what its body
    happens to parse as, and need not be a request."""
    era: str | None = None
    """Set on traffic of another revision; the recording keeps it apart."""

    @property
    def id(self) -> JSON:
        return None if self.message is None else self.message.get("id")

    @property
    def has_id(self) -> bool:
        return self.message is not None and "id" in self.message

    @property
    def media_type(self) -> str | None:
        """What the body is labelled as, in lower case and without parameters; None without such a header."""
        labels = [value for name, value in self.headers if name.lower() == "content-type"]
        return labels[-1].partition(";")[0].strip().lower() if labels else None

    @property
    def method(self) -> str | None:
        name = None if self.message is None else self.message.get("method")
        return name if isinstance(name, str) else None
