"""Runs a primitive for a step and holds its result to the schema it declares."""

from __future__ import annotations

import random

from mcp_compliance.catalog.functions.schemas import schema_violations
from mcp_compliance.catalog.rule import Step
from mcp_compliance.catalog.values import Pick
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.facts.addresses import is_loopback
from mcp_compliance.interpreter.draft import Draft
from mcp_compliance.interpreter.peers import Peer
from mcp_compliance.interpreter.picks import Picker
from mcp_compliance.interpreter.steps import StepRunner
from mcp_compliance.interpreter.values import Unbuildable
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.primitives import PRIMITIVES


class ContractBroken(Exception):
    """A primitive returned what its own schema forbids: the engine is wrong, not the server."""


class RunningPrimitive:
    """The context of one run of a primitive."""

    def __init__(self, runner: StepRunner, step: Step) -> None:
        self._runner = runner
        self._step = step
        self._picker: Picker = runner.resolver.picker

    @property
    def transport(self) -> str:
        return self._runner.context.transport

    @property
    def endpoint(self) -> str | None:
        return self._runner.context.endpoint

    @property
    def near(self) -> bool:
        return self.endpoint is None or is_loopback(self.endpoint)

    @property
    def random(self) -> random.Random:
        return self._runner.resolver.generator.random

    def payloads(self, name: str) -> JSONObject:
        found = self._runner.context.revision.payloads.get(name)
        if not isinstance(found, dict):
            raise Unbuildable(f"there is no payload set {name}")
        return found

    def candidates(self, must: tuple[str, ...], prefer: tuple[str, ...], most: int) -> list[JSONObject]:
        pick = Pick("argument", must, prefer, most, self._step.at)
        return [item for item in self._picker.pick(pick, self._runner.scope) if isinstance(item, dict)]

    def no_candidate(self, must: tuple[str, ...]) -> str:
        return self._picker.reason(Pick("argument", must, (), 1, self._step.at), self._runner.scope)

    @property
    def passed_over(self) -> list[str]:
        return list(self._picker.passed_over)

    def pattern_hit(self, text: str, name: str) -> str | None:
        patterns = self._runner.context.revision.library.patterns.get(name)
        if patterns is None:
            raise Unbuildable(f"there is no pattern set {name}")
        return next((hit.found for hit in patterns.hits(text)), None)

    async def call(self, method: str, params: JSONObject) -> Exchange:
        draft = Draft(self._step.name, method=method, params=params, within=self._runner.context.budget("request"))
        exchange = await self._runner.fixtures.keeper.send(draft, self._peer())
        self._runner.keep(self._step.name, exchange)
        return exchange

    async def answers(self) -> bool:
        revision = self._runner.context.revision
        fixture = revision.fixtures[revision.credit.default.twin]
        draft = self._runner.fixtures.opener.fixture_draft(fixture, step=f"{self._step.name}.alive")
        exchange = await self._runner.sender.send(draft, self._peer())
        return exchange.message is not None or (exchange.http is not None and exchange.http.status < 500)

    def show(self, exchange: Exchange) -> None:
        kept = self._runner.exchanges.setdefault(self._step.name, [])
        kept[:] = [other for other in kept if other is not exchange] + [exchange]

    def _peer(self) -> Peer:
        peer = self._runner.context.main
        if peer is None:
            raise Unbuildable("there is no connection to the server")
        return peer

    async def get(self, url: str) -> Exchange:
        draft = Draft(
            self._step.name,
            bare=True,
            http_method="GET",
            url=url,
            session=False,
            credentials="none",
            headers={"Accept": "application/json"},
            within=self._runner.context.budget("side"),
        )
        exchange = await self._runner.sender.send(draft, self._peer())
        self._runner.keep(self._step.name, exchange)
        return exchange


async def run_primitive(runner: StepRunner, step: Step) -> JSON:
    """Raises ``ContractBroken`` when the result does not fit the primitive's schema."""
    name = "" if step.target is None else str(runner.resolver.resolve(step.target, runner.scope))
    primitive = PRIMITIVES[name]
    arguments = {key: runner.resolver.resolve(value, runner.scope) for key, value in step.arguments.items()}
    stub = runner.context.stubs.get(step.name)
    result = stub if stub is not None else await primitive.run(RunningPrimitive(runner, step), arguments)
    problems = schema_violations(result, primitive.result)
    if problems:
        raise ContractBroken(f"{name}: {problems[0]}")
    return result
