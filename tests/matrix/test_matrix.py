"""Each fault of the reference server flips exactly the rules that are written down with it, over sockets and pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest
import trio

from mcp_compliance.catalog.index import known_revisions, load_index
from mcp_compliance.model.events import Silence
from mcp_compliance.model.options import HttpTarget, RunOptions, StdioTarget, Target
from mcp_compliance.model.result import Report
from mcp_compliance.reference.faults import EXEMPT, FAULTS, Fault
from mcp_compliance.suite.run import run_suite

TOKEN = "matrix-token-1f0c9a"
REFERENCE = (sys.executable, "-m", "mcp_compliance.reference")
TIMEOUT = 2_000
"""ms; faults that keep silent cost it once or twice."""
MOST_EXEMPT = 5

# Measured: on the conforming server these have nothing to measure. Everything else passes.
SKIPS = {
    ("http", False): {
        "security-auth-required": "no credential is configured and the server asks for none",
        "security-www-authenticate": "nothing is refused with 401",
        "security-auth-malformed": "no credential is configured",
        "security-session-not-auth": "no credential is configured",
        "security-oauth-metadata": "the server asks for no authorization",
        "security-token-in-uri": "no credential is configured",
        "security-tls-required": "plain HTTP on loopback",
        "error-capability-gated": "tools, resources and prompts are all declared",
    },
    ("http", True): {
        "security-tls-required": "plain HTTP on loopback",
        "error-capability-gated": "tools, resources and prompts are all declared",
    },
    ("stdio", False): {"error-capability-gated": "tools, resources and prompts are all declared"},
}


@contextmanager
def served(transport: str, fault: str | None, *, auth: bool) -> Iterator[Target]:
    faulty = () if fault is None else ("--fault", fault)
    if transport == "stdio":
        yield StdioTarget((*REFERENCE, "--stdio", *faulty))
        return
    environment = {**os.environ, **({"MCP_REFERENCE_TOKEN": TOKEN} if auth else {})}
    process = subprocess.Popen(
        [*REFERENCE, "--http", "0", *faulty],
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    try:
        assert process.stderr is not None
        url = process.stderr.readline().split()[-1]
        yield HttpTarget(url, (("Authorization", f"Bearer {TOKEN}"),) if auth else ())
    finally:
        process.kill()
        process.communicate()


def graded(transport: str, fault: str | None, *, auth: bool) -> Report:
    with served(transport, fault, auth=auth) as target:
        options = RunOptions(target, timeout=TIMEOUT, startup_timeout=5_000, seed=3)
        return trio.run(run_suite, options, Silence())


def verdicts(report: Report) -> dict[str, str]:
    return {result.id: result.verdict for result in report.results}


@cache
def baseline(transport: str, auth: bool) -> dict[str, str]:
    return verdicts(graded(transport, None, auth=auth))


def lines() -> list[tuple[Fault, str]]:
    return [(fault, transport) for fault in FAULTS.values() for transport in sorted(fault.transports)]


@pytest.mark.parametrize(("transport", "auth"), sorted(SKIPS))
def test_the_conforming_server_passes_everything_that_can_be_measured(transport: str, auth: bool) -> None:
    report = graded(transport, None, auth=auth)
    assert {result.id: result.message for result in report.results if result.verdict not in ("pass", "skip")} == {}
    assert {result.id for result in report.results if result.skipped} == set(SKIPS[transport, auth])


@pytest.mark.parametrize(("fault", "transport"), lines(), ids=lambda part: getattr(part, "name", part))
def test_a_fault_flips_exactly_the_stated_rules(fault: Fault, transport: str) -> None:
    auth = fault.needs == "auth"
    before = baseline(transport, auth)
    report = graded(transport, fault.name, auth=auth)
    after = verdicts(report)
    said = {result.id: result.message for result in report.results}
    wanted = {rule_id for rule_id in fault.flips if rule_id in before}
    assert wanted, "the fault flips no rule of this transport"
    missed = {rule_id: said[rule_id] for rule_id in wanted if after[rule_id] not in ("fail", "not-evaluable")}
    changed = {
        rule_id: f"{before[rule_id]} to {after[rule_id]}: {said[rule_id]}"
        for rule_id in before
        if after[rule_id] != before[rule_id] and rule_id not in wanted and rule_id not in fault.allows
    }
    assert (missed, changed) == ({}, {})


def test_every_rule_can_be_made_to_fail_over_each_of_its_transports() -> None:
    flipped = {(rule_id, transport) for fault, transport in lines() for rule_id in fault.flips}
    index = load_index(known_revisions()[0])
    without = {
        (entry.id, transport)
        for entry in index.entries
        for transport in entry.transports
        if (entry.id, transport) not in flipped
    }
    assert without == set(EXEMPT)
    assert len(EXEMPT) <= MOST_EXEMPT
