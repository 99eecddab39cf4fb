"""The table of faults: complete, well-formed, and each of them as narrow as it says."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from mcp_compliance.reference.eras import LEGACY, MODERN
from mcp_compliance.reference.fault_model import BOTH, Fault
from mcp_compliance.reference.faults import EXEMPT, FAULTS

from .changed_exchanges import CHANGED
from .modern_changed_exchanges import CHANGED as MODERN_CHANGED
from .modern_tour import modern_http_tour, modern_stdio_tour
from .tour import Tour, changed, http_tour, stdio_tour

RULES = Path(__file__).parents[2] / "rules"
EXEMPT_AT_MOST = 5

every_fault = pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))
legacy_fault, modern_fault = (
    pytest.mark.parametrize("fault", [f for f in FAULTS.values() if f.revision == revision], ids=lambda f: f.name)
    for revision in (LEGACY, MODERN)
)


@cache
def _catalogue(revision: str) -> list[str]:
    path = RULES / revision / "_revision.yaml"
    return [rule for ids in YAML(typ="safe").load(path)["catalogue"].values() for rule in ids]


def _transports(revision: str, rule: str) -> set[str]:
    """The transports to which a rule applies, which its document says."""
    (path,) = (RULES / revision).glob(f"*/{rule}.yaml")
    return set(YAML(typ="safe").load(path).get("transports", BOTH))


@every_fault
def test_a_fault_is_described(fault: Fault) -> None:
    assert FAULTS[fault.name] is fault
    assert fault.name == fault.name.lower().replace(" ", "-")
    assert fault.name.startswith("modern-") == (fault.revision == MODERN)
    assert fault.breaks.endswith(".")
    assert fault.transports
    assert fault.transports <= BOTH
    assert fault.flips
    assert len(set(fault.flips)) == len(fault.flips)
    assert fault.needs in (None, "auth", "alone")
    assert fault.rpc or fault.http or fault.line
    assert not set(fault.flips) & set(fault.allows)
    assert all(fault.allows.values())


@every_fault
def test_a_fault_names_rules_that_exist(fault: Fault) -> None:
    assert {*fault.flips, *fault.allows} <= set(_catalogue(fault.revision))


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_every_rule_can_be_made_to_fail(revision: str) -> None:
    rules = _catalogue(revision)
    missing = [rule for rule in rules if not list((RULES / revision).glob(f"*/{rule}.yaml"))]
    if missing:
        pytest.skip(f"{len(missing)} rule documents are not there yet")
    wanted = {(rule, transport) for rule in rules for transport in _transports(revision, rule)}
    faults = [fault for fault in FAULTS.values() if fault.revision == revision]
    reached = {(rule, transport) for f in faults for rule in f.flips for transport in f.transports}
    exempt = EXEMPT[revision].keys()
    assert wanted - reached - exempt == set()
    assert exempt <= wanted
    assert not exempt & reached
    assert len(exempt) <= EXEMPT_AT_MOST


def test_what_each_fault_changes_is_written_down() -> None:
    assert CHANGED.keys() | MODERN_CHANGED.keys() == FAULTS.keys()


@legacy_fault
def test_a_fault_changes_its_exchanges_and_no_other(fault: Fault) -> None:
    expected = CHANGED[fault.name]
    if "http" in fault.transports:
        authorized = fault.needs == "auth"
        burst = {"burst"} if "call" in expected else set()
        assert changed(http_tour((), authorized), http_tour([fault], authorized)) == expected | burst
    if "stdio" in fault.transports:
        assert changed(stdio_tour(), stdio_tour([fault])) == expected


@modern_fault
def test_a_modern_fault_changes_its_exchanges_and_no_other(fault: Fault) -> None:
    expected = MODERN_CHANGED[fault.name]
    authorized, alone = fault.needs == "auth", MODERN if fault.needs == "alone" else None
    if "http" in fault.transports:
        before = _conforming("http", authorized, alone)
        burst = {"burst"} if "call" in expected else set()
        assert changed(before, modern_http_tour([fault], authorized, alone)) == expected | burst
    if "stdio" in fault.transports:
        before = _conforming("stdio", authorized, alone)
        assert changed(before, modern_stdio_tour([fault], alone)) == expected & before.keys()


@cache
def _conforming(transport: str, authorized: bool, alone: str | None) -> Tour:
    return modern_http_tour((), authorized, alone) if transport == "http" else modern_stdio_tour((), alone)


def _all(revision: str) -> list[Fault]:
    return [f for f in FAULTS.values() if f.revision == revision and f.rpc and "stdio" in f.transports]


def test_legacy_faults_leave_the_modern_era_alone() -> None:
    assert changed(_conforming("stdio", False, None), modern_stdio_tour(_all(LEGACY))) == {"handshake"}


def test_modern_faults_leave_the_legacy_era_alone() -> None:
    assert changed(stdio_tour(), stdio_tour(_all(MODERN))) == set()
