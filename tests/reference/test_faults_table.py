"""The table of faults: complete, well-formed, and each of them as narrow as it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from mcp_compliance.reference.fault_model import BOTH, Fault
from mcp_compliance.reference.faults import EXEMPT, FAULTS

from .changed_exchanges import CHANGED
from .tour import changed, http_tour, stdio_tour

RULES = Path(__file__).parents[2] / "rules" / "2025-11-25"
EXEMPT_AT_MOST = 5

every_fault = pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))


def _catalogue() -> list[str]:
    path = RULES / "_revision.yaml"
    if not path.exists():
        pytest.skip("rules/2025-11-25/_revision.yaml is not there yet")
    revision = YAML(typ="safe").load(path)
    return [rule for ids in revision["catalogue"].values() for rule in ids]


def _transports(rule: str) -> set[str]:
    """The transports to which a rule applies, which its document says."""
    (path,) = RULES.glob(f"*/{rule}.yaml")
    return set(YAML(typ="safe").load(path).get("transports", BOTH))


@every_fault
def test_a_fault_is_described(fault: Fault) -> None:
    assert FAULTS[fault.name] is fault
    assert fault.name == fault.name.lower().replace(" ", "-")
    assert fault.breaks.endswith(".")
    assert fault.transports
    assert fault.transports <= BOTH
    assert fault.flips
    assert fault.needs in (None, "auth")
    assert fault.rpc or fault.http or fault.line
    assert not set(fault.flips) & set(fault.allows)
    assert all(fault.allows.values())


@every_fault
def test_a_fault_names_rules_that_exist(fault: Fault) -> None:
    assert {*fault.flips, *fault.allows} <= set(_catalogue())


def test_every_rule_can_be_made_to_fail() -> None:
    rules = _catalogue()
    missing = [rule for rule in rules if not list(RULES.glob(f"*/{rule}.yaml"))]
    if missing:
        pytest.skip(f"{len(missing)} rule documents are not there yet")
    wanted = {(rule, transport) for rule in rules for transport in _transports(rule)}
    reached = {(rule, transport) for f in FAULTS.values() for rule in f.flips for transport in f.transports}
    assert wanted - reached - EXEMPT.keys() == set()
    assert EXEMPT.keys() <= wanted
    assert not EXEMPT.keys() & reached
    assert len(EXEMPT) <= EXEMPT_AT_MOST


def test_what_each_fault_changes_is_written_down() -> None:
    assert CHANGED.keys() == FAULTS.keys()


@every_fault
def test_a_fault_changes_its_exchanges_and_no_other(fault: Fault) -> None:
    expected = CHANGED[fault.name]
    if "http" in fault.transports:
        authorized = fault.needs == "auth"
        burst = {"burst"} if "call" in expected else set()
        assert changed(http_tour((), authorized), http_tour([fault], authorized)) == expected | burst
    if "stdio" in fault.transports:
        assert changed(stdio_tour(), stdio_tour([fault])) == expected
