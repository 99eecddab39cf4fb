"""Which lines of the matrix are run: a line is a fault and the transport over which a server has it.

A run of each line takes more than half of the time of all tests together, and many faults of both transports flip
rules that others flip as well. So a line is left out whose fault is seen over the other transport, when each of its
rules is flipped over its own transport by another fault that stays. With ``MCP_COMPLIANCE_WHOLE_MATRIX=1`` in the
environment all lines are run.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

from mcp_compliance.catalog.index import load_index
from mcp_compliance.reference.faults import FAULTS, Fault

Line: TypeAlias = tuple[Fault, str]
Flip: TypeAlias = tuple[str, str, str]
"""A revision, one of its rules, and a transport."""

WHOLE = os.environ.get("MCP_COMPLIANCE_WHOLE_MATRIX") == "1"


def all_lines() -> list[Line]:
    return [(fault, transport) for fault in FAULTS.values() for transport in sorted(fault.transports)]


def flips(line: Line) -> set[Flip]:
    """What the line shows: the rules of the fault that are measured over its transport."""
    fault, transport = line
    return {(fault.revision, rule, transport) for rule in fault.flips if transport in _transports(fault.revision)[rule]}


def chosen(lines: Iterable[Line]) -> list[Line]:
    """In the order given, enough lines for every fault and every flip; none of them could be left out as well.

    Lines are dropped one after the other, those over HTTP first, since their runs take longest, and among them those
    that show least first.
    """
    kept = list(lines)
    seen = Counter(fault.name for fault, _ in kept)
    flipped = Counter(flip for line in kept for flip in flips(line))
    for line in sorted(kept, key=lambda line: (line[1] != "http", len(flips(line)))):
        shown = flips(line)
        if seen[line[0].name] > 1 and all(flipped[flip] > 1 for flip in shown):
            kept.remove(line)
            seen[line[0].name] -= 1
            flipped.subtract(shown)
    return kept


def lines() -> list[Line]:
    return all_lines() if WHOLE else chosen(all_lines())


@cache
def _transports(revision: str) -> dict[str, tuple[str, ...]]:
    return {entry.id: tuple(entry.transports) for entry in load_index(revision).entries}
