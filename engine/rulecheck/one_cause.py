"""Makes one finding of several that have one cause: a name that is misspelt where it is set, or wherever it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mcp_compliance.catalog.closest_word import closest_word, one_slip
from mcp_compliance.rulecheck.findings import Finding


def one_for_each_cause(findings: Sequence[Finding]) -> list[Finding]:
    """The findings of one rule with those about unknown names put together, one for each name.

    A name that is unknown in several places and near one that is set and never read was misspelt where it is set.
    """
    places: dict[str, list[Finding]] = {}
    for finding in sorted(findings, key=lambda one: one.order):
        if finding.unknown:
            places.setdefault(finding.unknown, []).append(finding)
    unread = {finding.unread: finding for finding in findings if finding.unread}
    kept = [finding for finding in findings if not finding.unknown and not finding.unread]
    explained: set[str] = set()
    for name, found in places.items():
        if any(one_slip(other, name) and _is_declared(places[other]) for other in places if other != name):
            continue
        set_as = closest_word(name, list(unread))
        if set_as is not None:
            explained.add(set_as)
        if set_as is not None and set_as != name and len(found) > 1:
            message = f"{set_as} is set and never read, and {name} is read and unknown, {_times(len(found))}"
            kept.append(replace(unread[set_as], message=message, hint=f"did you mean {name}?"))
        else:
            first = found[0]
            more = f"; the same {_times(len(found) - 1)} more" if len(found) > 1 else ""
            kept.append(replace(first, message=f"{first.message}{more}"))
    return kept + [finding for name, finding in unread.items() if name not in explained]


def _is_declared(found: Sequence[Finding]) -> bool:
    """Whether an unknown name stands where the rule lists the fixtures that it fetches."""
    return any(finding.message.startswith("there is no fixture") for finding in found)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
