"""Which rules run, in which order, and next to what. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mcp_compliance.catalog.rule import PHASES, Phase, Rule, Transport

READS = "reads"


def ordered(rules: Iterable[Rule], transport: Transport) -> tuple[tuple[Phase, tuple[Rule, ...]], ...]:
    """The rules of a transport by phase, each phase in the catalogue's order."""
    kept = [rule for rule in rules if transport in rule.transports]
    return tuple((phase, tuple(rule for rule in kept if rule.phase == phase)) for phase in PHASES)


def may_run_beside(
    touches: frozenset[str], others: Sequence[frozenset[str]], conflicts: Mapping[str, tuple[str, ...]]
) -> bool:
    """Whether a rule may start while others run: no word of either side excludes a word of the other."""
    mine = touches or frozenset({READS})
    return not any(
        _excludes(mine, other or frozenset({READS}), conflicts)
        or _excludes(other or frozenset({READS}), mine, conflicts)
        for other in others
    )


def _excludes(left: frozenset[str], right: frozenset[str], conflicts: Mapping[str, tuple[str, ...]]) -> bool:
    return any(
        "*" in excluded or any(word in excluded for word in right)
        for word in left
        if (excluded := conflicts.get(word, ()))
    )
