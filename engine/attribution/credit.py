"""Decides whether a refusal may be credited to the server, step by step; the first step that holds decides."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mcp_compliance.attribution.answers import error_code, is_rejected, is_served, reached_server, status_of
from mcp_compliance.attribution.sentences import LONGEST_QUOTE, gate_reading, quoted_error, unusable
from mcp_compliance.catalog.functions.protocol import auth_reading
from mcp_compliance.catalog.rule import Credit
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.facts.printable import printable, shorten
from mcp_compliance.jsontypes import JSONObject

CreditOutcome: TypeAlias = Literal[
    "served", "neither", "credited", "unattributed", "server_failed", "unreachable", "dropped", "died"
]

OUTCOMES: Mapping[CreditOutcome, str] = {
    "served": "a result, or a 2xx to what draws none: the checks go on",
    "neither": "an HTTP answer that is neither a result nor a refusal, such as a redirect or a page, of a server that "
    "serves the setup: the checks go on",
    "credited": "a refusal that is the server's own: the checks go on",
    "unattributed": "an answer that cannot be credited, no served one: ends the rule as `unattributed` says, with "
    "the reason",
    "server_failed": "the server failed on the request (5xx): the rule fails",
    "unreachable": "nothing came: ends the rule as `no_answer` says",
    "dropped": "the connection was closed without an answer: ends the rule as `no_answer` says",
    "died": "the stdio server exited: the checks go on",
}
"""What each reading means, and what becomes of the rule. With mode ``off`` every refusal is credited; what becomes of
silence is for ``no_answer`` alone to say."""

HOST_OR_ORIGIN = re.compile(r"\b(host|origin)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Attribution:
    """``reason`` is a sentence when the answer cannot be credited; ``warning`` one for the run. In views both are
    ASCII: they quote what gateways write, and go into texts of a line each."""

    outcome: CreditOutcome
    reason: str | None = None
    warning: str | None = None
    twin: Exchange | None = None

    def view(self) -> JSONObject:
        return {
            "outcome": self.outcome,
            "reason": _ascii(self.reason),
            "warning": _ascii(self.warning),
            "twin": None if self.twin is None else self.twin.view,
        }


@dataclass(frozen=True)
class Question:
    """One probe and what is needed to judge its answer.

    ``setup`` is the exchange of the revision's setup fixture; ``send_twin`` sends the conformant request with the
    step's own credential and gives None when the probe was itself conformant (``twin: self``).
    """

    credit: Credit
    probe: Exchange
    setup: Exchange | None
    before_rpc: tuple[int, ...]
    send_twin: Callable[[], Awaitable[Exchange | None]]


async def attribute(question: Question) -> Attribution:
    """The reading of the probe's answer. Sends at most one twin."""
    probe, credit = question.probe, question.credit
    if probe.outcome == "died":
        return Attribution("died")
    if is_served(probe):
        return Attribution("served")
    rejected = is_rejected(probe)
    if not rejected and (probe.http is None or probe.outcome in ("dropped", "timeout")):
        return await _no_answer(question)
    setup = question.setup
    if credit.mode != "off" and setup is not None and not is_served(setup):
        did = (
            "rejects the conformant request too"
            if is_rejected(setup)
            else "does not serve the conformant request either"
        )
        return Attribution("unattributed", f"the server {did}: {unusable(setup) or setup.outcome}")
    if not rejected:
        return Attribution("neither")
    if credit.mode == "off":
        return Attribution("credited")
    status = status_of(probe)
    if status is None or credit.mode == "setup_served":
        return Attribution("credited")
    if credit.mode == "pre_rpc":
        if status in question.before_rpc:
            reading = gate_reading(probe)
            return Attribution(
                "unattributed",
                f"HTTP {status} comes before JSON-RPC is read" + (f" ({reading})" if reading else ""),
            )
        return Attribution("credited")
    return await _attributable(question, status)


async def _attributable(question: Question, status: int) -> Attribution:
    probe, credit = question.probe, question.credit
    if status == 429:
        return Attribution("unattributed", "a rate limit answered twice with HTTP 429; nothing was measured")
    if status == 401 or (status == 403 and auth_reading(probe.view) in ("required", "rejected")):
        return Attribution("unattributed", f"HTTP {status}: {gate_reading(probe)}")
    if status == 403:
        return await _ask_twin(question)
    if status >= 500:
        code = error_code(probe)
        own = code is not None and code in credit.own_codes
        if credit.twin == "self":
            if own:
                return Attribution("credited")
            return Attribution("unattributed", f"HTTP {status} may come from a gateway{_quoted(probe)}")
        if own:
            return Attribution(
                "credited",
                warning=f"the refusal {code} came with HTTP {status}; a 4xx is expected for a client's error",
            )
        return Attribution("server_failed", f"the server failed on the request: HTTP {status}{_quoted(probe)}")
    return Attribution("credited")


async def _ask_twin(question: Question) -> Attribution:
    probe = question.probe
    if question.credit.twin == "self":
        return Attribution("unattributed", f"HTTP 403: {gate_reading(probe)}")
    twin = await question.send_twin()
    if twin is None or reached_server(twin):
        return Attribution("credited", twin=twin)
    drew = f"HTTP {status_of(twin)}" if twin.http is not None else twin.outcome
    quote = quoted_error(twin) or shorten(printable(twin.http.body if twin.http is not None else ""), LONGEST_QUOTE)
    named = f": {quote}" if status_of(twin) == 403 and HOST_OR_ORIGIN.search(quote) else ""
    return Attribution("unattributed", f"HTTP 403, and the conformant twin drew {drew} as well{named}", twin=twin)


async def _no_answer(question: Question) -> Attribution:
    probe = question.probe
    if probe.outcome == "dropped":
        if question.credit.drop == "refusal":
            twin = await question.send_twin()
            if twin is not None and is_served(twin):
                return Attribution("credited", twin=twin)
        return Attribution("dropped", f"no answer: {probe.problem or 'the connection was closed without one'}")
    problem = probe.problem or f"nothing came within {probe.sending.within:g} s"
    reason = f"no answer to {probe.sending.method or probe.sending.http_method}: {problem}"
    return Attribution("unreachable", reason)


def _ascii(text: str | None) -> str | None:
    return None if text is None else text.encode("ascii", "backslashreplace").decode("ascii")


def _quoted(exchange: Exchange) -> str:
    quote = quoted_error(exchange)
    return f" ({quote})" if quote else ""
