"""How long a plain request is waited for when the question is whether the server is still there."""

from __future__ import annotations

from typing import cast

import pytest

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.peers import Starter
from mcp_compliance.interpreter.values import Generator
from mcp_compliance.model.secrets import Secrets
from tests.interpreter.made import revision

REQUEST = 15.0


def answered(ms: int) -> Exchange:
    return Exchange(Sending("list", REQUEST), "answered", {"jsonrpc": "2.0", "id": 1, "result": {}}, ms=ms)


def silent(ms: int) -> Exchange:
    return Exchange(Sending("list", REQUEST), "timeout", ms=ms)


def context(answers: list[Exchange], timeout: float = REQUEST) -> Context:
    return Context(
        revision=revision(), transport="stdio", starter=cast(Starter, None), recorder=Recorder(),
        generator=Generator(1, 1), secrets=Secrets(), timeout=timeout, startup=60.0, preflight=10.0, version="1",
        answers={str(number): answer for number, answer in enumerate(answers)},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("answers", "seconds"),
    [
        ([], 2.0),
        ([answered(20)], 2.0),
        ([answered(4_000)], 12.0),
        ([answered(9_000), answered(1_000), answered(5_000)], 3.0),
        ([answered(14_000)], REQUEST),
        ([silent(15_000)], 2.0),
        ([silent(100), answered(1_000)], 3.0),
    ],
    ids=["nothing known", "quick", "slow", "slow to start", "slower than is waited", "silent", "partly silent"],
)
def test_a_slow_server_is_given_three_times_what_it_needs(answers: list[Exchange], seconds: float) -> None:
    assert context(answers).patience == seconds


def test_a_short_budget_leaves_the_two_seconds() -> None:
    assert context([answered(900)], timeout=0.5).patience == 2.0
