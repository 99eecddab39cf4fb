"""Whether the answers of a tool follow a condition that was put into its argument."""

from __future__ import annotations

import random

from mcp_compliance.primitives.answers import Answer
from mcp_compliance.primitives.payloads import Condition
from mcp_compliance.primitives.probe import Attempt, Probe

TURNS = ((" < ", True), (" < ", False), (" > ", True), (" > ", False)) * 2
"""Sign and truth of each condition sent: an answer that changes by chance, or by the order of words, does not keep
step."""
LETTERS = "bcdfghjklmnpqrstvwxz"


async def follows_condition(probe: Probe, payload: Condition) -> Attempt | None:
    """True and false conditions in turns, all of one length and in the same words: only their order tells them apart.

    None where the harmless value alone draws no result, so that there is nothing to compare with. A hit when every
    condition of one truth draws the answer to the harmless value and all others draw one same other answer, copies of
    what was sent cut out, and the harmless value still draws what it drew.
    """
    usual = probe.usual if payload.plain is None else await probe.send_once(payload.plain)
    if usual is None or usual.kind != "served":
        return None
    changed: set[str] = set()
    first: Attempt | None = None
    answer: Answer = usual
    for sign, truth in TURNS:
        low, high = _words(probe.context.random, quoted=bool(payload.quote))
        left, right = (low, high) if truth is (sign == " < ") else (high, low)
        mark = payload.quote
        answer = await probe.send(f"{usual.sent}{payload.behind}{mark}{left}{mark}{sign}{mark}{right}")
        first = first or probe.judged(answer)
        echoes = (usual.sent, payload.behind.strip(), low, high)
        said, usually = answer.without(*echoes), usual.without(*echoes)
        if answer.kind == "died":
            return probe.judged(answer)
        if answer.kind not in ("served", "flagged") or (said == usually) is not (truth is payload.like_plain):
            return first
        changed |= {said} - {usually}
        if len(changed) > 1:
            return first
    again = await probe.send(usual.sent)
    if first is None or again.said != usual.said:
        return first or probe.judged(again)
    truth_name = "false" if payload.like_plain else "true"
    evidence = f"the answer follows the condition; when it is {truth_name}: {changed.pop() or 'nothing'}"
    return Attempt(answer.sent, "hit", evidence, answer)


def _words(source: random.Random, *, quoted: bool) -> tuple[str, str]:
    """Two words (numbers where they are not quoted) of one length that no text holds by accident, the smaller first."""
    if not quoted:
        return str(source.randrange(10_000, 40_000)), str(source.randrange(60_000, 99_999))
    letters = "".join(source.choices(LETTERS, k=10))
    return f"b{letters[:5]}", f"w{letters[5:]}"
