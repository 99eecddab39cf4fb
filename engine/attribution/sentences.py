"""Ready sentences about exchanges: why there is no result, and what a 401 or 403 says."""

from __future__ import annotations

import re

from mcp_compliance.catalog.functions.protocol import auth_advice
from mcp_compliance.exchange.exchange import Exchange, Process
from mcp_compliance.facts.printable import LOOKED_AT, beginning, brief, shorten
from mcp_compliance.jsontypes import JSONObject

LONGEST_QUOTE = 120
_ERROR_LINE = re.compile(r"(?:[Uu]ncaught )?[\w.$]{0,80}(?:Error|Exception)\b")


def quoted_error(exchange: Exchange, *, message: bool = True) -> str | None:
    """Code and, where wanted, message of the JSON-RPC error, bounded."""
    error = exchange.error
    if not isinstance(error, dict):
        return None if error is None else "an error that is no object"
    said = error.get("message") if message else None
    # SDKs put whole validation reports into a message, pretty-printed: as one line they can be read.
    words = brief(" ".join(said[:LOOKED_AT].split()), LOOKED_AT) if isinstance(said, str) else ""
    return shorten(f"{_code(error)} {words}".strip(), LONGEST_QUOTE)


def _code(error: JSONObject) -> str:
    code = error.get("code")
    return brief(code if isinstance(code, str) else beginning(code), LONGEST_QUOTE)


def gate_reading(exchange: Exchange) -> str | None:
    """The words for a 401 or 403, with what to do; None for every other answer."""
    advice = auth_advice(exchange.view)
    return advice if isinstance(advice, str) else None


def unusable(exchange: Exchange, *, quote: bool = True) -> str | None:
    """Why the exchange has no result, as a sentence; None when it has one. Without ``quote`` in none of the server's
    own words, for a sentence that stands beside many others of the same cause.
    """
    if exchange.message is not None and "result" in exchange.message:
        return None
    name = exchange.sending.method or f"{exchange.sending.http_method} {exchange.sending.url or ''}".strip()
    error = quoted_error(exchange, message=quote)
    status = exchange.http.status if exchange.http is not None else None
    gate = gate_reading(exchange)
    if gate is not None:
        return f"{name} drew HTTP {status} ({gate})"
    if error is not None:
        return f"{name} was refused: {error}" + (f" (HTTP {status})" if status is not None and status != 200 else "")
    if exchange.outcome == "timeout":
        return f"{name} drew no answer within {exchange.sending.within:g} s (timeout)"
    if exchange.outcome == "died" and exchange.process is not None:
        return f"{name}: the server exited ({exit_words(exchange) if quote else how_ended(exchange.process)})"
    if exchange.outcome in ("unreachable", "dropped", "died"):
        return f"{name}: {exchange.problem or exchange.outcome}"
    if status is not None:
        kind = exchange.http.media_type if exchange.http is not None else None
        return f"{name} drew HTTP {status} without a JSON-RPC result" + (f" ({kind})" if kind else "")
    return f"{name} drew no result ({exchange.problem or exchange.outcome})"


def failure(exchange: Exchange) -> str:
    """What an answer without result was, in a few words: ``JSON-RPC error -32603 (boom)``, ``HTTP 502``."""
    error = exchange.error
    if isinstance(error, dict):
        message = error.get("message")
        words = f" ({brief(message, LONGEST_QUOTE)})" if isinstance(message, str) and message else ""
        return f"JSON-RPC error {_code(error)}{words}"
    if exchange.http is not None:
        gate = gate_reading(exchange)
        return f"HTTP {exchange.http.status}" + (f", {gate}" if gate else "")
    return exit_words(exchange) if exchange.outcome == "died" else exchange.problem or exchange.outcome


def exit_words(exchange: Exchange) -> str:
    """How the child ended: exit code or signal, and the line of its stderr that says why."""
    return "no process" if exchange.process is None else ending(exchange.process)


def ending(process: Process) -> str:
    """The same of a process."""
    lines = [line for line in process.stderr_tail.splitlines() if line.strip()]
    if not lines:
        return how_ended(process)
    # Python names the error last; Node does so above the stack and ends with its own version.
    errors = [line for line in lines if _ERROR_LINE.match(line)]
    return f"{how_ended(process)}; stderr: {brief((errors or lines)[-1].strip(), LONGEST_QUOTE)}"


def how_ended(process: Process) -> str:
    return f"signal {process.signal}" if process.signal is not None else f"exit code {process.exit_code}"
