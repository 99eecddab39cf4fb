"""Plays the cases of rules: the same interpreter, a scripted wire, a clock that jumps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import trio
import trio.testing

from mcp_compliance import __version__
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.catalog.rule import Case, Rule, Transport
from mcp_compliance.catalog.values import Pointer
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.facts.addresses import url_view
from mcp_compliance.interpreter.context import MAIN, Context
from mcp_compliance.interpreter.fixtures import Fixtures
from mcp_compliance.interpreter.opening import Opener
from mcp_compliance.interpreter.rule_run import Outcome, RuleRun
from mcp_compliance.interpreter.scripted import ENDPOINT, Script, ScriptedWire
from mcp_compliance.interpreter.sender import Sender
from mcp_compliance.interpreter.values import Generator
from mcp_compliance.interpreter.wording import sentence
from mcp_compliance.jsontypes import JSON, JSONObject, same_json
from mcp_compliance.model.secrets import Secrets
from mcp_compliance.wire.wire import Wire

CREDENTIAL = (("Authorization", "Bearer configured-token"),)


class CaseGenerator(Generator):
    """Values that a case can name: ``uuid-1``, ``uuid-2`` and so on."""

    _uuids = 0

    def uuid(self) -> str:
        self._uuids += 1
        return f"uuid-{self._uuids}"


@dataclass(frozen=True)
class Played:
    """What a case came to. ``problems`` says where it differs from what the case demands; empty is right."""

    verdict: str
    message: str
    warnings: tuple[str, ...]
    decided: Pointer | None
    evaluated: frozenset[Pointer]
    noted: frozenset[Pointer]
    sends: tuple[str, ...]
    exchanges: tuple[Exchange, ...]
    problems: tuple[str, ...]
    unrendered: tuple[str, ...]
    names: dict[str, JSON]


@dataclass
class ScriptedStarter:
    """Every peer gets a scripted wire over the same script."""

    transport: Transport
    script: Script
    recorder: Recorder

    async def start(self, peer: str) -> Wire:
        return ScriptedWire(self.transport, self.script, self.recorder, peer)

    async def release(self, wire: Wire) -> None:
        await wire.aclose()

    def speak(self, revision: Revision) -> None:
        return

    async def aclose(self) -> None:
        return

    @property
    def redirected_to(self) -> str | None:
        return None


def play_case(rule: Rule, case: Case, revision: Revision) -> Played:
    """Play one case. Raises only for mistakes of the engine."""
    played = play_cases(rule, (case,), revision)[0]
    if isinstance(played, Exception):
        raise played
    return played


def play_cases(rule: Rule, cases: Sequence[Case], revision: Revision) -> list[Played | Exception]:
    """Play several, each by itself; a mistake of the engine stands in the place of the case that it spoilt."""

    async def all_of_them() -> list[Played | Exception]:
        return [await _boundary(rule, case, revision) for case in cases]

    return trio.run(all_of_them, clock=trio.testing.MockClock(autojump_threshold=0))


async def _boundary(rule: Rule, case: Case, revision: Revision) -> Played | Exception:
    try:
        return await _play(rule, case, revision)
    except Exception as error:
        return error


async def _play(rule: Rule, case: Case, revision: Revision) -> Played:
    context = _context(rule, case, revision)
    sender = Sender(context)
    opener = Opener(context, sender)
    fixtures = Fixtures(context, sender, opener)
    context.main = await opener.process(MAIN)
    await opener.greet(context.main)
    run = RuleRun(rule, context, fixtures)
    outcome = await run.run()
    if outcome.decision.verdict == "pass" and rule.at_end:
        outcome = _with_end(run, outcome)
    said = sentence(outcome.decision)
    warnings = (*outcome.warnings, *context.warnings)
    return Played(
        verdict=outcome.decision.verdict,
        message=said,
        warnings=warnings,
        decided=outcome.decision.at,
        evaluated=outcome.evaluated,
        noted=outcome.noted,
        sends=outcome.sends,
        exchanges=outcome.all_exchanges,
        problems=tuple(_problems(case, outcome, said, warnings)),
        unrendered=outcome.unrendered,
        names=outcome.names,
    )


def _with_end(run: RuleRun, outcome: Outcome) -> Outcome:
    decision = run.at_end()
    return replace(
        outcome,
        decision=decision or outcome.decision,
        warnings=tuple(run.judge.warnings),
        evaluated=frozenset(run.judge.evaluated),
        noted=frozenset(run.judge.noted),
        unrendered=tuple(run.renderer.unrendered),
    )


def _context(rule: Rule, case: Case, revision: Revision) -> Context:
    recorder = Recorder()
    script = Script(revision, case.replies)
    target = case.root.get("target")
    credential = isinstance(target, dict) and target.get("credentials") == "configured"
    headers = CREDENTIAL if credential and case.on == "http" else ()
    others = frozenset(rule_id for ids in revision.catalogue.values() for rule_id in ids)
    return Context(
        revision=revision,
        transport=case.on,
        starter=ScriptedStarter(case.on, script, recorder),
        recorder=recorder,
        generator=CaseGenerator(seed=1, first_id=revision.envelope.first_id),
        secrets=Secrets.of(headers, {}),
        timeout=15.0,
        startup=60.0,
        preflight=10.0,
        version=__version__,
        endpoint=_endpoint(case) if case.on == "http" else None,
        headers=headers,
        planned=frozenset({rule.id}) if case.filtered else others | {rule.id},
        root_overrides=_overrides(case),
        stubs=dict(case.runs),
        page_limit=_page_limit(case),
    )


def _endpoint(case: Case) -> str:
    """``root: {target: {url: {text: ...}}}`` gives a case an address of its own."""
    target = case.root.get("target")
    url = target.get("url") if isinstance(target, dict) else None
    text = url.get("text") if isinstance(url, dict) else None
    return text if isinstance(text, str) else ENDPOINT


def _overrides(case: Case) -> JSONObject:
    """The root as the case gives it; what it leaves out of an address follows from the address."""
    target = case.root.get("target")
    url = target.get("url") if isinstance(target, dict) else None
    if not isinstance(target, dict) or not isinstance(url, dict):
        return dict(case.root)
    return {**case.root, "target": {**target, "url": {**(url_view(_endpoint(case)) or {}), **url}}}


def _page_limit(case: Case) -> int | None:
    """``cut: true`` beside pages plays a list that is still going on when the walk stops."""
    for reply in case.replies.values():
        if isinstance(reply, dict) and reply.get("cut") is True and isinstance(reply.get("pages"), list):
            return len(reply["pages"])  # type: ignore[arg-type]
    return None


def _problems(case: Case, outcome: Outcome, said: str, warnings: tuple[str, ...]) -> list[str]:
    problems = []
    if outcome.decision.verdict != case.verdict:
        problems.append(f"verdict is {outcome.decision.verdict}, not {case.verdict}: {said}")
    elif case.says is not None and case.says not in said:
        problems.append(f"the message does not say {case.says!r}: {said}")
    if case.warns is not None and not any(case.warns in warning for warning in warnings):
        problems.append(f"no warning says {case.warns!r}: {list(warnings)}")
    if case.sends is not None and case.sends != outcome.sends:
        problems.append(f"sent {list(outcome.sends)}, not {list(case.sends)}")
    for name, wanted in case.sent.items():
        drawn = [exchange for exchange in outcome.all_exchanges if exchange.sending.step == name]
        if not drawn:
            problems.append(f"step {name} sent nothing")
        elif not _fits(drawn[0].view["sent"], wanted):
            problems.append(f"step {name} sent {drawn[0].view['sent']}, which lacks {wanted}")
    return problems


def _fits(actual: JSON, wanted: JSON) -> bool:
    """Whether ``wanted`` is part of what was sent; null means that the member is absent."""
    if isinstance(wanted, dict):
        held: JSONObject = actual if isinstance(actual, dict) else {}
        return all(_fits(held.get(key), value) for key, value in wanted.items())
    return same_json(actual, wanted)
