"""A credential that was asked for, and is asked for once more when the server refuses it in mid-run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.sending import Headers

NAME = "Authorization"


@dataclass
class Renewal:
    """``value`` is that of the Authorization header now. ``ask`` gets a new one and raises ``CredentialError``."""

    value: str
    ask: Callable[[], Awaitable[str]]
    worked: bool = False
    """Whether the server has served a request that carried the value."""
    asked_again: bool = False
    over: bool = False
    """Whether the server refuses the new value, too, and nothing more is to be done."""
    former: set[str] = field(default_factory=set)

    def over_headers(self, headers: Headers) -> Headers:
        """The headers with this credential in the place of any other."""
        return (*((name, value) for name, value in headers if name.lower() != NAME.lower()), (NAME, self.value))

    def take(self, value: str) -> None:
        self.former.add(self.value)
        self.value = value
        self.worked = False

    def note(self, exchange: Exchange) -> None:
        """Look at an exchange: an answer that serves shows that the credential is good."""
        if exchange.http is not None and exchange.http.status < 400 and self.sent_with(exchange) == self.value:
            self.worked = True

    def refused(self, exchange: Exchange) -> bool:
        """Whether a request with this credential, or one that it replaced, was refused for its sake. What a rule sends
        in its place is another value, and no credential none.
        """
        if exchange.http is None or exchange.http.status != 401:
            return False
        return self.sent_with(exchange) in {self.value, *self.former}

    @staticmethod
    def sent_with(exchange: Exchange) -> str | None:
        values = [value for name, value in exchange.sending.headers if name.lower() == NAME.lower()]
        return values[-1] if values else None
