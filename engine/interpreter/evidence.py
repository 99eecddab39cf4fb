"""The exchanges behind a verdict, as short lines for people."""

from __future__ import annotations

from mcp_compliance.attribution.sentences import exit_words
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.facts.printable import beginning, printable, shorten
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.curl import SESSION, curl_line
from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.model.result import EvidenceLine

LONGEST = 400
TELLING = (SESSION, "mcp-protocol-version", "authorization", "origin", "content-type", "accept")
"""Request headers that are shown when a step sent them."""


def evidence_of(exchange: Exchange, context: Context) -> EvidenceLine:
    """Two lines, what was sent and what came back, and over HTTP a third that sends it again."""
    sending = exchange.sending
    return _line(sending.step, _sent(sending), _received(exchange), context, curl_line(sending, context, exchange))


def evidence_of_item(item: JSONObject, sending: Sending | None, context: Context) -> EvidenceLine:
    """The same of one item of the recording, and of what it answers or came during."""
    status = item.get("status")
    received = f"{'' if status is None else f'HTTP {status} '}{item.get('raw') or ''}"
    if sending is None:
        return _line("", "", received, context, None)
    return _line(sending.step, _sent(sending), received, context, curl_line(sending, context))


def _line(step: str, sent: str, received: str, context: Context, curl: str | None) -> EvidenceLine:
    mask = context.secrets.mask
    return EvidenceLine(
        step=step,
        sent=shorten(printable(mask(sent or "(nothing)")), LONGEST),
        received=shorten(printable(mask(received or "(nothing)")), LONGEST),
        curl=curl,
    )


def _sent(sending: Sending) -> str:
    body = "" if sending.body is None else sending.body[: LONGEST * 2].decode("utf-8", "replace")
    if sending.url is None and not sending.headers:  # on stdio
        return body
    shown = [f"{name}: {short_session(name, value)}" for name, value in sending.headers if name.lower() in TELLING]
    start = f"{sending.http_method} {sending.url or ''}".strip()
    return " ".join(part for part in (start, f"[{'; '.join(shown)}]" if shown else "", body) if part)


def short_session(name: str, value: str) -> str:
    """A session id lets others into the session, so only its beginning is shown."""
    return f"{value[:8]}..." if name.lower() == SESSION and len(value) > 12 else value


def _received(exchange: Exchange) -> str:
    parts: list[str] = []
    if exchange.http is not None:
        parts.append(f"HTTP {exchange.http.status}")
        if exchange.http.media_type:
            parts.append(exchange.http.media_type)
    if exchange.message is not None:
        parts.append(beginning(exchange.message))
    elif exchange.http is not None and exchange.http.body:
        parts.append(exchange.http.body[:LONGEST])
    elif exchange.outcome not in ("answered", "open", "quiet", "died"):
        parts.append(f"({exchange.problem or exchange.outcome})")
    if exchange.outcome == "died":
        parts.append(f"(the server exited: {exit_words(exchange)})")
    return " ".join(parts)
