"""One argument of one tool under probe: values go in, and what the tool says to each is told apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mcp_compliance.facts.arguments import arguments_for, placeholder
from mcp_compliance.facts.printable import printable, shorten
from mcp_compliance.facts.tools import required, tier
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.primitives.answers import Answer, read_answer, seems_gone
from mcp_compliance.primitives.loopback_listener import LoopbackListener
from mcp_compliance.primitives.primitive import PrimitiveContext

Outcome: TypeAlias = Literal["hit", "rejected", "inert", "unreached", "died"]

SAFETY = ("read-only", "not destructive", "unannotated", "destructive")
REFUSALS = "refusal-wording"
"""The pattern set for the words of a refusal."""
NOT_FOUND = "not-found-wording"
"""The pattern set for the words of a tool that looked for the value."""
OFFERS = {"const", "enum", "default", "examples"}
"""Keywords of a schema by which it offers a value."""
LONGEST = 160


@dataclass(frozen=True)
class Attempt:
    """What became of one payload. ``answer`` is the one that shows it; None when nothing was sent."""

    payload: str
    outcome: Outcome
    evidence: str
    answer: Answer | None = None

    @property
    def view(self) -> JSONObject:
        return {
            "payload": shorten(self.payload, LONGEST),
            "outcome": self.outcome,
            "evidence": shorten(printable(self.evidence), LONGEST),
        }


@dataclass
class Probe:
    """Sends values to one argument, the other required ones filled with placeholders.

    ``plain`` is the harmless value of the payload set; ``usual`` is what the tool says to a harmless value, None before
    ``learn``.
    """

    context: PrimitiveContext
    tool: JSONObject
    argument: str
    schema: JSON
    plain: str
    only_plain: bool = False
    listener: LoopbackListener | None = None
    usual: Answer | None = None
    _sent: dict[str, Answer] = field(default_factory=dict)

    @property
    def filled(self) -> list[str]:
        """Names of the other arguments that placeholders are made for."""
        return [name for name in required(self.tool) if name != self.argument]

    @property
    def safety(self) -> str:
        return SAFETY[tier(self.tool)]

    async def learn(self) -> Answer:
        """Send a harmless value: one that the schema offers, else the set's own."""
        offers = isinstance(self.schema, dict) and bool(OFFERS & self.schema.keys())
        value = placeholder(self.schema, self.tool.get("inputSchema")) if offers and not self.only_plain else self.plain
        self.usual = await self.send(value if isinstance(value, str) else self.plain)
        return self.usual

    async def send(self, value: str) -> Answer:
        arguments = {**arguments_for(self.tool), self.argument: value}
        params: JSONObject = {"name": self.tool.get("name"), "arguments": arguments}
        exchange = await self.context.call("tools/call", params)
        answer = read_answer(exchange, value)
        if seems_gone(exchange) and not await self.context.answers():
            return answer.dead()
        return answer

    async def send_once(self, value: str) -> Answer:
        """The answer to a value that is only to be compared with: sent when it is first asked for."""
        if value not in self._sent:
            self._sent[value] = await self.send(value)
        return self._sent[value]

    def found(self, answer: Answer, patterns: str) -> str | None:
        """The first passage, not copied from the value, that a pattern set finds in an answer."""
        return self.context.pattern_hit(answer.without(), patterns)

    def judged(self, answer: Answer) -> Attempt:
        """The outcome of an answer that holds no evidence."""
        if answer.kind == "died":
            return Attempt(answer.sent, "died", answer.why, answer)
        if answer.kind in ("silent", "unfinished"):
            return Attempt(answer.sent, "unreached", answer.why, answer)
        usual = self.usual
        said = answer.without("" if usual is None else usual.sent)
        usually = "" if usual is None else usual.without(answer.sent)
        worded = self.context.pattern_hit(said, REFUSALS) is not None
        both_flagged = answer.kind == "flagged" and usual is not None and usual.kind == "flagged"
        looked = worded or self.context.pattern_hit(said, NOT_FOUND) is not None
        if both_flagged and said == usually and not looked:
            return Attempt(answer.sent, "unreached", f"every value draws the same error: {said}", answer)
        refuses = worded and self.context.pattern_hit(usually, REFUSALS) is None
        return Attempt(answer.sent, "rejected" if answer.kind != "served" or refuses else "inert", said, answer)
