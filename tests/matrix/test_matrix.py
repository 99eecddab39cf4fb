"""Each fault of the reference server flips exactly the rules that are written down with it, over sockets and pipes.

Run are enough lines to see every fault, and to see every rule fail over each of its transports; all of them with
``MCP_COMPLIANCE_WHOLE_MATRIX=1`` (see ``tests.matrix.lines``).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
import trio

from mcp_compliance.catalog.index import load_index
from mcp_compliance.model.events import Silence
from mcp_compliance.model.options import HttpTarget, RunOptions, StdioTarget, Target
from mcp_compliance.model.result import Report
from mcp_compliance.reference.eras import LEGACY, MODERN
from mcp_compliance.reference.faults import EXEMPT, FAULTS, Fault
from mcp_compliance.suite.run import run_suite
from tests.matrix.lines import all_lines, chosen, flips, lines
from tests.reference import quick

TOKEN = "matrix-token-1f0c9a"
TIMEOUT = 2_000
"""ms; faults that keep silent cost it once or twice."""
MOST_EXEMPT = 5

# How a server is started: the revision that is graded, the transport, and what the fault needs (see Fault.needs).
Start = tuple[str, str, str | None]

# Measured: on the conforming server these have nothing to measure. Everything else passes.
NO_GATE = {
    "security-auth-required": "no credential is configured and the server asks for none",
    "security-www-authenticate": "nothing is refused with 401",
    "security-auth-malformed": "no credential is configured",
    "security-oauth-metadata": "the server asks for no authorization",
    "security-token-in-uri": "no credential is configured",
}
LOOPBACK = {"security-tls-required": "plain HTTP on loopback"}
DECLARED = {"error-capability-gated": "tools, resources and prompts are all declared"}
NOT_ASKED = {"schema-input-required-shape": "no tool that is called asks for input"}
SKIPS: dict[Start, dict[str, str]] = {
    (LEGACY, "http", None): {
        **NO_GATE,
        **LOOPBACK,
        **DECLARED,
        "security-session-not-auth": "no credential is configured",
    },
    (LEGACY, "http", "auth"): {**LOOPBACK, **DECLARED},
    (LEGACY, "stdio", None): DECLARED,
    (MODERN, "http", None): {**NO_GATE, **LOOPBACK, **DECLARED, **NOT_ASKED},
    (MODERN, "http", "auth"): {**LOOPBACK, **DECLARED, **NOT_ASKED},
    (MODERN, "http", "alone"): {**NO_GATE, **LOOPBACK, **DECLARED, **NOT_ASKED},
    (MODERN, "stdio", None): {**DECLARED, **NOT_ASKED},
    (MODERN, "stdio", "alone"): {**DECLARED, **NOT_ASKED},
}


def name_of(part: object) -> str:
    """What stands for a fault or a start in the id of a test."""
    if isinstance(part, Fault):
        return part.name
    return "-".join(word for word in part if word) if isinstance(part, tuple) else str(part)


@contextmanager
def served(start: Start, fault: str | None) -> Iterator[Target]:
    revision, transport, needs = start
    options = () if fault is None else ("--fault", fault)
    options += ("--spec-version", revision) if needs == "alone" else ()
    if transport == "stdio":
        yield StdioTarget(quick.stdio(*options))
        return
    token = TOKEN if needs == "auth" else None
    with quick.http(*options, token=token) as line:
        yield HttpTarget(line.split()[-1], (("Authorization", f"Bearer {TOKEN}"),) if token else ())


def graded(start: Start, fault: str | None) -> Report:
    with served(start, fault) as target:
        options = RunOptions(target, spec_version=start[0], timeout=TIMEOUT, startup_timeout=5_000, seed=3)
        return trio.run(run_suite, options, Silence())


def verdicts(report: Report) -> dict[str, str]:
    return {result.id: result.verdict for result in report.results}


@cache
def baseline(start: Start) -> dict[str, str]:
    """The verdicts of the conforming server, which the first test here holds it to."""
    revision, transport, _ = start
    measured = [entry.id for entry in load_index(revision).entries if transport in entry.transports]
    return {rule_id: "skip" if rule_id in SKIPS[start] else "pass" for rule_id in measured}


@pytest.mark.parametrize("start", SKIPS, ids=name_of)
def test_the_conforming_server_passes_everything_that_can_be_measured(start: Start) -> None:
    report = graded(start, None)
    assert {result.id: result.message for result in report.results if result.verdict not in ("pass", "skip")} == {}
    assert {result.id for result in report.results if result.skipped} == set(SKIPS[start])
    assert verdicts(report) == baseline(start)


@pytest.mark.parametrize(("fault", "transport"), lines(), ids=name_of)
def test_a_fault_flips_exactly_the_stated_rules(fault: Fault, transport: str) -> None:
    start = (fault.revision, transport, fault.needs)
    before = baseline(start)
    report = graded(start, fault.name)
    after = verdicts(report)
    said = {result.id: result.message for result in report.results}
    wanted = {rule_id for rule_id in fault.flips if rule_id in before}
    missed = {rule_id: said[rule_id] for rule_id in wanted if after[rule_id] not in ("fail", "not-evaluable")}
    changed = {
        rule_id: f"{before[rule_id]} to {after[rule_id]}: {said[rule_id]}"
        for rule_id in before
        if after[rule_id] != before[rule_id] and rule_id not in wanted and rule_id not in fault.allows
    }
    assert (missed, changed) == ({}, {})


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_every_rule_can_be_made_to_fail_over_each_of_its_transports(revision: str) -> None:
    flipped = {
        (rule, transport) for fault, transport in all_lines() if fault.revision == revision for rule in fault.flips
    }
    without = {
        (entry.id, transport)
        for entry in load_index(revision).entries
        for transport in entry.transports
        if (entry.id, transport) not in flipped
    }
    assert without == set(EXEMPT[revision])
    assert len(EXEMPT[revision]) <= MOST_EXEMPT


def test_the_lines_that_are_run_show_every_fault_and_every_flip() -> None:
    everything, run = all_lines(), chosen(all_lines())
    assert [(fault.name, transport) for fault, transport in everything if not flips((fault, transport))] == []
    assert {fault.name for fault, _ in run} == set(FAULTS)
    assert set().union(*map(flips, run)) == set().union(*map(flips, everything))
    assert len(chosen(run)) == len(run) < len(everything)
    assert lines() in (run, everything)
