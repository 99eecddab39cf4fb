"""Injection: payloads sent to one text argument of one tool, and what became of each."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import cast

from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.primitives.attacks import attempt, computed, late_knocks
from mcp_compliance.primitives.inject_schema import ARGUMENTS, RESULT
from mcp_compliance.primitives.loopback_listener import LoopbackListener, listening
from mcp_compliance.primitives.payloads import Callback, PayloadSet, Where, read_payload_set
from mcp_compliance.primitives.primitive import Primitive, PrimitiveContext
from mcp_compliance.primitives.probe import Attempt, Outcome, Probe

MOST_TARGETS = 3
"""Arguments that are tried until one lets values through."""
MOST_SILENT = 2
"""Payloads in a row that may draw no answer; each can cost the whole time-out."""


async def inject(context: PrimitiveContext, arguments: JSONObject) -> JSON:
    """Send each payload of a named set to one tool argument and say what became of it.

    ``payloads`` names the set; ``argument`` are the words that the argument must fit, ``prefer`` words that order the
    candidates. Safety comes first whatever is preferred, as in every pick. Other required arguments get placeholders.
    A harmless value is sent first: an argument with which the tool never answers is left for the next, three at most.

    ``target`` is null, with the ``reason``, when no argument can be probed. The ``outcome`` of an attempt is ``hit``
    (the evidence of the set, which no echo can produce; it ends the attempts), ``rejected`` (an error, a flagged result
    or the words of a refusal), ``inert`` (an answer without evidence), ``unreached`` (nothing that the tool said about
    this value, or a question before it goes on) or ``died`` (the server is gone, which ends the attempts too).
    ``by_design`` says that the tool does on purpose what the payload would bring about; then a hit is no injection.
    """
    payloads = read_payload_set(context.payloads(str(arguments["payloads"])), str(arguments["payloads"]))
    must, prefer = _words(arguments.get("argument")), _words(arguments.get("prefer"))
    candidates = context.candidates(must, prefer, MOST_TARGETS)
    if not candidates:
        return _found(None, context, [], reason=context.no_candidate(must))
    results: list[JSONObject] = []
    async with AsyncExitStack() as stack:
        listener = await _listener(stack, payloads)
        for candidate in candidates:
            result = await _probed(_probe(context, candidate, payloads, listener), payloads)
            outcomes = {view["outcome"] for view in cast("list[JSONObject]", result["attempts"])}
            if "died" in outcomes or (result["by_design"] is None and outcomes - {"unreached"}):
                return result
            results.append(result)
    return next((result for result in results if result["by_design"] is not None), results[0])


def _probe(
    context: PrimitiveContext, candidate: JSONObject, payloads: PayloadSet, listener: LoopbackListener | None
) -> Probe:
    tool = cast(JSONObject, candidate["tool"])
    name = str(candidate["name"])
    return Probe(context, tool, name, candidate.get("schema"), payloads.plain, payloads.only_plain, listener)


async def _probed(probe: Probe, payloads: PayloadSet) -> JSONObject:
    """The result of one argument."""
    usual = await probe.learn()
    if usual.kind in ("silent", "unfinished", "refused", "died"):
        outcome: Outcome = "died" if usual.kind == "died" else "unreached"
        return _found(probe, probe.context, [Attempt(usual.sent, outcome, usual.why or usual.said, usual)])
    attempts: list[Attempt] = []
    by_design: str | None = None
    silent = 0
    for payload, only in payloads.payloads:
        if only is not None and not _has_place(only, probe):
            continue
        made = await attempt(probe, payload)
        if made is None:
            continue
        attempts.append(made)
        silent = silent + 1 if made.answer is not None and made.answer.kind == "silent" else 0
        if made.outcome == "hit":
            by_design = await _by_design(probe, payloads)
        if made.outcome in ("hit", "died") or silent >= MOST_SILENT:
            if made.answer is not None:
                probe.context.show(made.answer.exchange)
            break
    return _found(probe, probe.context, await late_knocks(probe, attempts), by_design=by_design)


async def _by_design(probe: Probe, payloads: PayloadSet) -> str | None:
    """What shows that the tool computes on purpose; None when nothing does."""
    for payload in payloads.on_purpose:
        answer, evidence = await computed(probe, payload)
        if evidence is not None:
            return f"{answer.sent} alone: {evidence}"
    return None


def _has_place(only: Where, probe: Probe) -> bool:
    if only == "harmless":
        return probe.safety in ("read-only", "not destructive")
    return probe.context.near is (only == "near")


async def _listener(stack: AsyncExitStack, payloads: PayloadSet) -> LoopbackListener | None:
    """A listener where the set needs one; None where it does not, or where loopback cannot be listened on."""
    if not any(isinstance(payload, Callback) for payload, _ in payloads.payloads):
        return None
    try:
        return await stack.enter_async_context(listening())
    except OSError:
        return None


def _found(
    probe: Probe | None,
    context: PrimitiveContext,
    attempts: list[Attempt],
    *,
    reason: str | None = None,
    by_design: str | None = None,
) -> JSONObject:
    target: JSON = None
    if probe is not None:
        filled: list[JSON] = [*probe.filled]
        target = {"tool": probe.tool.get("name"), "argument": probe.argument, "safety": probe.safety, "filled": filled}
    passed_over: list[JSON] = [*context.passed_over]
    views: list[JSON] = [attempt.view for attempt in attempts]
    return {
        "target": target,
        "reason": reason,
        "passed_over": passed_over,
        "by_design": by_design,
        "attempts": views,
    }


def _words(value: JSON) -> tuple[str, ...]:
    return tuple(str(word) for word in value) if isinstance(value, list) else ()


INJECT = Primitive("inject", inject, ARGUMENTS, RESULT, frozenset({"tool-calls", "process"}))
