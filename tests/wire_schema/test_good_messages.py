"""Messages without fault have no finding."""

from __future__ import annotations

import pytest

from tests.wire_schema.messages import GOOD, Message, item_of
from tests.wire_schema.received import TABLES, check


@pytest.mark.parametrize("message", GOOD, ids=lambda message: message.label)
def test_a_good_message_has_no_finding(message: Message) -> None:
    for status in (200, None):
        found = check(item_of(message.payload, message.method, status=status))
        assert found == {"judged": 1, "left_out": 0, "violations": []}


def test_there_is_a_good_message_of_every_kind() -> None:
    answered = {message.method for message in GOOD if "result" in message.payload}
    told = {message.payload.get("method") for message in GOOD if message.method is None}
    assert answered >= TABLES["response"].keys() - {"*"}
    assert told >= TABLES["notification"].keys() - {"*"}
    assert len(GOOD) == len({message.label for message in GOOD}) >= 30
