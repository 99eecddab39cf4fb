"""The one resend of a request that a rate limit turned away."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from email.utils import parsedate_to_datetime

import trio

from mcp_compliance.catalog.revision import Resend
from mcp_compliance.exchange.exchange import Exchange


async def after_limit(send: Callable[[], Awaitable[Exchange]], resend: Resend) -> Exchange:
    """Send; when the status asks for it wait as Retry-After says, within bounds, and send once more."""
    exchange = await send()
    if not is_limited(exchange, resend):
        return exchange
    await trio.sleep(wait_seconds(exchange, resend))
    return await send()


def is_limited(exchange: Exchange, resend: Resend) -> bool:
    """Whether the status says that the request came too soon."""
    return exchange.http is not None and exchange.http.status in resend.on


def wait_seconds(exchange: Exchange, resend: Resend) -> float:
    """Seconds that Retry-After asks for, at most ``resend.at_most``; ``otherwise`` when absent or unreadable."""
    value = "" if exchange.http is None else exchange.http.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return min(float(value), resend.at_most)
    try:
        moment = parsedate_to_datetime(value).timestamp()
        now = parsedate_to_datetime(exchange.http.headers["date"]).timestamp() if exchange.http else moment
    except (ValueError, KeyError, TypeError):
        return min(resend.otherwise, resend.at_most)
    return max(0.0, min(moment - now, resend.at_most))
