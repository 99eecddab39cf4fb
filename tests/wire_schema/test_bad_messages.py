"""Every operator on every member that the protocol types, in every kind of message, gives one finding that names it."""

from __future__ import annotations

from collections import Counter

import pytest

from mcp_compliance.catalog.wire_schema import pointer
from mcp_compliance.exchange.recorder import kind_of
from mcp_compliance.jsontypes import JSONObject
from tests.wire_schema.messages import GOOD, Message
from tests.wire_schema.operators import Bad, Path, Place, Walk, bad_messages
from tests.wire_schema.received import DEFINITIONS, TABLES, violations

WALK = Walk(DEFINITIONS)
ASKS_FOR = {"blob": "text", "enum": "anyOf", "mode": "requestedSchema"}
"""Members by which a shape is known: without it the message is of another shape, which wants this member."""
STAYS_GOOD = {"LegacyTitledEnumSchema.enum", "TitledSingleSelectEnumSchema.oneOf"}
"""Without it the choice is a plain string."""


def definition(message: Message) -> str:
    table = TABLES[kind_of(message.payload)]
    return table.get(message.method or str(message.payload.get("method")), table["*"])


def places() -> list[tuple[Message, list[Place]]]:
    """Each member of each definition once for every kind of message that it stands in."""
    seen: set[tuple[str, frozenset[str]]] = set()
    found = []
    for message in GOOD:
        fresh = []
        for place in WALK.places(message.payload, definition(message)):
            key = (definition(message), frozenset(place.owners))
            if key not in seen:
                seen.add(key)
                fresh.append(place)
        if fresh:
            found.append((message, fresh))
    return found


PLACES = places()


def is_good(bad: Bad, place: Place, message: Message) -> bool:
    """Whether the operator made another good message: a notification that nobody knows, a plain string."""
    if bad.operator == "constant":
        return message.method is None and bad.path == ("method",)
    return bad.operator == "drop" and bool(place.owners & STAYS_GOOD)


def expected(bad: Bad) -> tuple[str, str]:
    """Path and words of the one finding."""
    path: Path = bad.path
    if kind_of(bad.payload) == "stray" and path[0] in bad.payload:
        return pointer(path), bad.problem
    if kind_of(bad.payload) == "stray":
        return "", "no JSON-RPC message" if path == ("jsonrpc",) else "none of method, result and error"
    if bad.operator == "drop" and path[-1] in ASKS_FOR:
        path = (*path[:-1], ASKS_FOR[str(path[-1])])
    return pointer(path), bad.problem


@pytest.mark.parametrize(("message", "fresh"), PLACES, ids=[message.label for message, _ in PLACES])
def test_a_bad_message_has_one_finding_that_names_the_member(message: Message, fresh: list[Place]) -> None:
    for place in fresh:
        for bad in bad_messages(message.payload, place):
            found: list[JSONObject] = violations(bad.payload, message.method)
            if is_good(bad, place, message):
                assert found == []
                continue
            told = [violation["text"] for violation in found]
            assert len(found) == 1, (bad, told)
            path, words = expected(bad)
            assert found[0]["path"] == path, (bad, told)
            assert words in str(found[0]["problem"]), (bad, told)
            assert found[0]["found"] == ("null" if bad.operator == "null" else found[0]["found"])


def test_every_member_of_every_definition_is_reached() -> None:
    known = {
        f"{name}.{member}"
        for name, schema in DEFINITIONS.items()
        if isinstance(schema, dict)
        for member in (schema.get("properties") or {})
    }
    assert known <= {owner for _, fresh in PLACES for place in fresh for owner in place.owners}


def test_every_operator_is_applied() -> None:
    counts = Counter(
        bad.operator for message, fresh in PLACES for place in fresh for bad in bad_messages(message.payload, place)
    )
    assert counts.keys() == {"drop", "null", "retype", "constant", "range"}
    assert counts.total() > 2000
