"""The last line of a child, when it has no newline: who ended the child decides what it says."""

from __future__ import annotations

import sys

from mcp_compliance.exchange.recorder import Recorder
from tests.aio import run
from tests.wire.test_stdio import call, toy

HALF = r"""
import sys
sys.stdin.readline()
sys.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","method":"notifi')
sys.stdout.flush()
if "leave" not in sys.argv:
    sys.stdin.readline()
"""


def kinds(*arguments: str) -> list[object]:
    """What was recorded of a child that leaves half a line behind."""

    async def main() -> list[object]:
        recorder = Recorder()
        async with toy(command=[sys.executable, "-S", "-c", HALF, *arguments], recorder=recorder) as wire:
            assert (await wire.exchange(call("ping"))).outcome == "answered"
            if arguments:
                await wire.watch(5)
        received = recorder.view()["received"]
        assert isinstance(received, list)
        return [item["kind"] for item in received if isinstance(item, dict)]

    return run(main, jump=False, at_most=30)


def test_half_a_line_of_a_child_that_is_ended_from_here_is_let_go() -> None:
    assert kinds() == ["response"]


def test_half_a_line_of_a_child_that_ends_itself_is_a_stray() -> None:
    assert kinds("leave") == ["response", "stray"]
