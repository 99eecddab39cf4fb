"""What a primitive is, and what it is given to work with."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.jsontypes import JSON, JSONObject


class PrimitiveContext(Protocol):
    """The rule's access to the target, as far as a primitive needs it."""

    @property
    def transport(self) -> str: ...

    @property
    def near(self) -> bool:
        """Whether the server runs on this machine: a child process, or an endpoint on loopback."""
        ...

    @property
    def endpoint(self) -> str | None: ...

    @property
    def random(self) -> random.Random: ...

    def payloads(self, name: str) -> JSONObject:
        """A named payload set of the revision."""
        ...

    def candidates(self, must: tuple[str, ...], prefer: tuple[str, ...], most: int) -> list[JSONObject]:
        """Arguments of tools, safest first, as ``{tool, name, schema}``; empty when nothing may be called."""
        ...

    def no_candidate(self, must: tuple[str, ...]) -> str:
        """Why ``candidates`` gave nothing, as a sentence."""
        ...

    @property
    def passed_over(self) -> list[str]:
        """Names of tools that safety left out so far."""
        ...

    def pattern_hit(self, text: str, name: str) -> str | None:
        """The first passage of the text that a named pattern set finds."""
        ...

    async def call(self, method: str, params: JSONObject) -> Exchange:
        """A conformant request of the run's own, sent once more when a rate limit asks for it."""
        ...

    async def answers(self) -> bool:
        """Whether the server, or a gate before it, still answers the revision's plainest request."""
        ...

    def show(self, exchange: Exchange) -> None:
        """Let this exchange stand as the evidence of the step."""
        ...

    async def get(self, url: str) -> Exchange:
        """A bare GET without credential, to the target's host or a public https address."""
        ...


Run = Callable[[PrimitiveContext, JSONObject], Awaitable[JSON]]


@dataclass(frozen=True)
class Primitive:
    """``arguments`` and ``result`` are JSON Schemas (the result's paths are checked when rules are validated);
    ``touches`` is what a rule that runs it must declare. The docstring of ``run`` is its page."""

    name: str
    run: Run
    arguments: JSONObject
    result: JSONObject
    touches: frozenset[str] = frozenset()

    @property
    def purpose(self) -> str:
        return (self.run.__doc__ or "").strip().splitlines()[0]
