"""R5: names that stand by themselves rather than in expressions: fixtures, steps, peers, budgets, picks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mcp_compliance.catalog.rule import Rule, Step
from mcp_compliance.catalog.values import Literal, Pointer
from mcp_compliance.rulecheck.expression_uses import picks_in, uses_in
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.names import names_read
from mcp_compliance.rulecheck.nearest import known_or_nearest
from mcp_compliance.rulecheck.subjects import RevisionSubject, RuleSubject

CODE = "R5"
FIXED_BUDGETS = ("request", "startup", "preflight")
OWN_TWINS = ("self", "same_without_defect")
REPEATABLE = ("call", "notify", "raw", "bytes", "http", "repeat", "stream")


def check_references(subject: RuleSubject) -> Iterator[Finding]:
    fixtures = subject.revision.revision.fixtures
    for key, names in (("uses", subject.rule.uses), ("judges", subject.rule.judges)):
        for index, name in enumerate(names):
            yield from _known(subject, (key, index), name, fixtures, "fixture")
    for name in set(subject.rule.uses) & set(subject.rule.judges):
        yield subject.source.finding(CODE, ("judges",), f"{name} is in uses and in judges", "judge it, or use it")
    earlier: dict[str, Step] = {}
    for step in subject.rule.steps:
        yield from _step(subject, step, earlier)
        earlier[step.name] = step
    for pick in picks_in(subject.rule):
        yield from _known(subject, (*pick.at, "pick"), pick.kind, subject.revision.revision.picks, "kind of pick")
    yield from _cases(subject)
    yield from _unread(subject)


def _step(subject: RuleSubject, step: Step, earlier: dict[str, Step]) -> Iterator[Finding]:
    revision = subject.revision.revision
    budgets = (*FIXED_BUDGETS, *revision.budgets)
    for key, value in (("within", step.within), ("listen", step.listen)):
        if isinstance(value, str):
            yield from _known(subject, (*step.at, key), value, budgets, "budget")
    peers = [name for name, other in earlier.items() if other.verb == "open"]
    if step.on is not None:
        yield from _known(subject, (*step.at, "on"), step.on, peers, "peer opened before")
    target = step.target.value if isinstance(step.target, Literal) else None
    if isinstance(target, str) and step.verb == "watch":
        yield from _known(subject, (*step.at, "watch"), target, ("main", *peers), "peer opened before")
    if isinstance(target, str) and step.verb == "refetch":
        yield from _known(subject, (*step.at, "refetch"), target, revision.fixtures, "fixture")
    if isinstance(target, str) and step.verb == "repeat":
        steps = [name for name, other in earlier.items() if other.verb in REPEATABLE]
        yield from _known(subject, (*step.at, "repeat"), target, steps, "step sent before")
    if step.credit is not None and isinstance(subject.source.at((*step.at, "credit", "twin")), str):
        twins = (*OWN_TWINS, *revision.fixtures)
        yield from _known(subject, (*step.at, "credit", "twin"), step.credit.twin, twins, "twin")


def _cases(subject: RuleSubject) -> Iterator[Finding]:
    steps = subject.names
    answering = (*steps, *subject.revision.revision.fixtures, "twin", "watch", "main")
    primitives = [step.name for step in subject.rule.steps if step.verb == "run"]
    names: set[str] = set()
    for case in subject.rule.cases:
        if case.name in names:
            yield subject.source.finding(CODE, (*case.at, "name"), f"two cases are named {case.name}", "rename one")
        names.add(case.name)
        for name in case.replies:
            yield from _known(subject, (*case.at, "replies", name), name, answering, "step or fixture", key=True)
        for name in case.runs:
            yield from _known(subject, (*case.at, "runs", name), name, primitives, "step with run", key=True)
        for name in case.sent:
            yield from _known(subject, (*case.at, "sent", name), name, steps, "step", key=True)
        for index, name in enumerate(case.sends or ()):
            yield from _known(subject, (*case.at, "sends", index), name, steps, "step")
        if case.on not in subject.rule.transports:
            message = f"the rule does not exist on {case.on}"
            hint = "take another, or add it to transports"
            yield subject.source.finding(CODE, (*case.at, "on"), message, hint)


def _unread(subject: RuleSubject) -> Iterator[Finding]:
    """Fixtures that nothing reads, and last steps whose outcome nobody looks at."""
    rule = subject.rule
    read = names_read(rule) | _read_by_name(subject)
    for index, name in enumerate(rule.uses):
        # A rule over the recording uses a fixture for its traffic.
        if name not in read and "recording" not in read:
            message = f"the fixture {name} is fetched and never read"
            yield replace(subject.source.finding(CODE, ("uses", index), message, "remove it"), unread=name)
    for index, name in enumerate(rule.judges):
        if name not in read:
            message = f"the fixture {name} is never judged"
            hint = "give it a check, or remove it"
            yield replace(subject.source.finding(CODE, ("judges", index), message, hint), unread=name)
    for step in _idle(rule):
        if step.name not in read:
            message = f"nobody looks at what the step {step.name} drew"
            finding = subject.source.finding(CODE, step.at, message, "give it a check, or remove it")
            yield replace(finding, unread=step.name)


def _read_by_name(subject: RuleSubject) -> frozenset[str]:
    """Fixtures and steps that are read without an expression."""
    revision = subject.revision.revision
    names = {pick.kind for pick in picks_in(subject.rule)}
    behind: list[object] = [revision.picks[kind] for kind in names if kind in revision.picks]
    if any(step.verb == "run" for step in subject.rule.steps):
        behind += revision.picks.values()
    roots = names_read(subject.rule)
    if "server" in roots or subject.rule.capability is not None:
        behind += revision.server.values()
    found = {name.text for use in uses_in(behind) for name in use.expression.names}
    if "session" in roots and revision.sessions is not None:
        found.add(revision.sessions.open)
    for step in subject.rule.steps:
        found.add(step.on or "")
        if step.credit is not None:
            found.add(step.credit.twin)
        if isinstance(step.target, Literal) and step.verb in ("repeat", "watch", "refetch"):
            found.add(str(step.target.value))
    return frozenset(found)


def _idle(rule: Rule) -> Iterator[Step]:
    """Steps after which nothing is judged any more."""
    if rule.checks or rule.at_end or rule.phase == "after":
        return
    for step in reversed(rule.steps):
        if step.checks or step.credit is not None:
            return
        if not step.always:
            yield step


def check_revision_names(subject: RevisionSubject) -> Iterator[Finding]:
    """Fixtures that the revision's own parts name."""
    revision, source = subject.revision, subject.source
    fixtures = revision.fixtures
    named: list[tuple[Pointer, str]] = [
        (("credit", "setup"), revision.credit.setup),
        (("preflight", "fixture"), revision.preflight),
    ]
    if revision.credit.default.twin not in OWN_TWINS:
        named.append((("credit", "twin"), revision.credit.default.twin))
    if revision.sessions is not None:
        named.append((("session", "open"), revision.sessions.open))
    for index, settling in enumerate(revision.settle):
        if settling.otherwise is None:
            named += [(("settle", index, "fixture"), name) for name in settling.fixtures]
        else:
            named += [(("settle", index, "first_of", place), name) for place, name in enumerate(settling.fixtures)]
    recognition = revision.recognition
    if recognition is not None:
        named.append((("recognise", "send"), recognition.fixture))
        for key, times in (("within", recognition.within), ("again_after_timeout", recognition.again)):
            for transport, budget in times.items():
                if isinstance(budget, str) and budget not in (*FIXED_BUDGETS, *revision.budgets):
                    hint = known_or_nearest(budget, (*FIXED_BUDGETS, *revision.budgets))
                    yield source.finding(CODE, ("recognise", key, transport), f"no budget {budget}", hint)
    for pointer, name in named:
        if name not in fixtures:
            yield source.finding(CODE, pointer, f"no fixture {name}", known_or_nearest(name, fixtures))
    for name, fixture in fixtures.items():
        if isinstance(fixture.within, str) and fixture.within not in (*FIXED_BUDGETS, *revision.budgets):
            pointer = ("fixtures", name, "within")
            yield source.finding(
                CODE, pointer, f"no budget {fixture.within}", known_or_nearest(fixture.within, revision.budgets)
            )


def _known(
    subject: RuleSubject, at: Pointer, name: str, known: Iterable[str], what: str, *, key: bool = False
) -> Iterator[Finding]:
    names = list(known)
    if name not in names:
        message = f"there is no {what} {name}"
        yield replace(subject.source.finding(CODE, at, message, known_or_nearest(name, names), key=key), unknown=name)
