"""One attempt for each kind of payload: what is sent, and the evidence that it had its effect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from mcp_compliance.primitives.answers import Answer
from mcp_compliance.primitives.conditions import follows_condition
from mcp_compliance.primitives.payloads import Callback, Computes, Condition, OwnEndpoint, Payload, Shows
from mcp_compliance.primitives.probe import Attempt, Probe

FACTORS = range(20_011, 46_337)
"""Their products have nine or ten digits and fit into the 32 bits of the smallest interpreter."""
LATE = 0.1
"""Seconds after the last answer in which a listener still waits for a request."""


async def attempt(probe: Probe, payload: Payload) -> Attempt | None:
    """Send one payload; None where it cannot show anything, such as an IPv6 URL without IPv6."""
    if isinstance(payload, Computes):
        answer, evidence = await computed(probe, payload)
        return probe.judged(answer) if evidence is None else Attempt(answer.sent, "hit", evidence, answer)
    if isinstance(payload, Condition):
        return await follows_condition(probe, payload)
    if isinstance(payload, Callback):
        return await _callback(probe, payload)
    if isinstance(payload, OwnEndpoint):
        parts = urlsplit(probe.context.endpoint or "")
        port = "" if parts.port is None else f":{parts.port}"
        return await _shows(probe, Shows(f"http://{payload.endpoint}{port}{parts.path}", payload.shows))
    return await _shows(probe, payload)


async def computed(probe: Probe, payload: Computes) -> tuple[Answer, str | None]:
    """Send a product and look for what it comes to: the answer, and a sentence when the number stands in it."""
    left, right = probe.context.random.sample(FACTORS, 2)
    answer = await probe.send(payload.written(left, right))
    shown = re.search(rf"(?<!\d){left * right}(?!\d)", answer.said)
    return answer, None if shown is None else f"{left}*{right} came back as {shown.group()}"


async def _shows(probe: Probe, payload: Shows) -> Attempt:
    answer = await probe.send(payload.value)
    found = probe.found(answer, payload.shows)
    if found is None or probe.usual is None or probe.found(probe.usual, payload.shows) is not None:
        return probe.judged(answer)
    if payload.unlike is not None:
        other = await probe.send_once(payload.unlike)
        if other.kind == "silent":
            return Attempt(payload.value, "unreached", f"nothing to compare with: {other.why}", other)
        if other.kind == "died" or probe.found(other, payload.shows) is not None:
            return probe.judged(other if other.kind == "died" else answer)
    return Attempt(payload.value, "hit", f"the answer shows {found}", answer)


async def _callback(probe: Probe, payload: Callback) -> Attempt | None:
    url = None if probe.listener is None else probe.listener.url(payload.callback)
    if url is None or probe.listener is None:
        return None
    answer = await probe.send(url)
    knock = await probe.listener.knock(url, 0)
    return probe.judged(answer) if knock is None else _reached(url, knock, answer)


async def late_knocks(probe: Probe, attempts: Sequence[Attempt]) -> list[Attempt]:
    """The attempts again, those a hit whose request came after the answer. Refused URLs are not waited for."""
    if probe.listener is None or any(made.outcome in ("hit", "died") for made in attempts):
        return list(attempts)
    hopeful = [made.payload for made in attempts if made.outcome != "rejected"]
    if hopeful:
        await probe.listener.any_knock(hopeful, LATE)
    knocks = [probe.listener.known(made.payload) for made in attempts]
    return [
        made if knock is None else _reached(made.payload, knock, made.answer)
        for made, knock in zip(attempts, knocks, strict=True)
    ]


def _reached(url: str, knock: str, answer: Answer | None) -> Attempt:
    return Attempt(url, "hit", f"{knock} reached the listener", answer)
