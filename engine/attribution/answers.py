"""What kind of answer an exchange got, as attribution sees it."""

from __future__ import annotations

from mcp_compliance.exchange.exchange import Exchange

REACHED_NOTHING = (401, 403, 429)
"""Statuses of a twin that may come from something in front of the server."""


def status_of(exchange: Exchange) -> int | None:
    return None if exchange.http is None else exchange.http.status


def is_served(exchange: Exchange) -> bool:
    """A result, or for messages that draw none (notifications, bare HTTP) any 2xx."""
    if exchange.outcome == "open":
        return True
    status = status_of(exchange)
    fine = status is None or status < 300
    if exchange.message is not None:
        return "result" in exchange.message and (status is None or status < 400)
    if exchange.sending.answers != "none" or not fine:
        return False
    return exchange.outcome == "answered" or (exchange.outcome == "quiet" and status is not None)


def is_rejected(exchange: Exchange) -> bool:
    """A JSON-RPC error at any status, or HTTP 400 and above."""
    status = status_of(exchange)
    return (exchange.message is not None and "error" in exchange.message) or (status is not None and status >= 400)


def reached_server(twin: Exchange) -> bool:
    """Whether a conformant twin got to the server itself: a result, any 2xx, or a 4xx that servers choose."""
    if is_served(twin):
        return True
    status = status_of(twin)
    if status is None:
        return twin.message is not None
    return status < 300 or (400 <= status < 500 and status not in REACHED_NOTHING)


def error_code(exchange: Exchange) -> int | None:
    """The code of the JSON-RPC error when it is a whole number, never a boolean."""
    error = exchange.error
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and not isinstance(code, bool) else None
