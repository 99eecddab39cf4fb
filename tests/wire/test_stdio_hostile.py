"""StdioWire with children that die, go deaf, hold pipes or refuse to end: an outcome, in time, and nobody
left.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import trio

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.wire import limits
from mcp_compliance.wire.stdio import StdioWire
from tests.aio import run
from tests.wire.talk import note
from tests.wire.test_stdio import TOY, call, talk, toy


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Children that have to be ended by force cost little time; the order of the steps is the same."""
    monkeypatch.setattr(limits, "CLOSE_STDIN", 0.3)
    monkeypatch.setattr(limits, "CLOSE_TERM", 0.3)


PYTHON = [sys.executable, "-S", "-c"]


def alive(pid: int) -> bool:
    """Whether the process runs; one that ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone_soon(pid: int) -> bool:
    deadline = time.monotonic() + 2
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not alive(pid)


def grandchild(exchange: Exchange | None, tail: str = "") -> int:
    text = tail if exchange is None or exchange.process is None else exchange.process.stderr_tail
    found = re.search(r"grandchild (\d+)", text)
    assert found is not None, text
    return int(found.group(1))


@pytest.mark.parametrize(
    ("sending", "code", "number", "tail"),
    [
        (call("exit", {"code": 7}), 7, None, "last words\n"),
        (call("exit"), 0, None, "last words\n"),
        (call("kill"), None, 9, ""),
    ],
)
def test_death_while_waiting(sending: Sending, code: int | None, number: int | None, tail: str) -> None:
    async def act(wire: StdioWire) -> None:
        exchange = await wire.exchange(sending)
        assert exchange.outcome == "died"
        assert exchange.process is not None
        assert (exchange.process.alive, exchange.process.exit_code, exchange.process.signal) == (False, code, number)
        assert exchange.process.stderr_tail == tail
        assert exchange.problem
        assert exchange.ms < 2000
        again = await wire.exchange(call("ping", id=2))
        assert again.outcome == "died"
        assert again.ms < 100
        assert (await wire.exchange(note())).outcome == "died"
        assert (await wire.watch(60)).exit_code == code

    talk(act)


@pytest.mark.parametrize("sending", [call("exit", {"answer": True}), call("half")])
def test_an_answer_before_death_counts_also_without_its_newline(sending: Sending) -> None:
    async def act(wire: StdioWire) -> None:
        assert (await wire.exchange(sending)).outcome == "answered"
        assert not (await wire.watch(5)).alive

    talk(act)


@pytest.mark.parametrize(
    "program",
    [
        "raise SystemExit(3)",
        "print('usage: server [-h]')\nraise SystemExit(3)",
        "import sys\nsys.stdout.buffer.write(b'\\xff\\xfe\\0garbage')\nraise SystemExit(3)",
    ],
)
def test_a_command_that_exits_at_once(program: str) -> None:
    async def main() -> None:
        async with toy(command=[*PYTHON, program]) as wire:
            exchange = await wire.exchange(call("ping", within=10))
            assert exchange.outcome == "died"
            assert exchange.process is not None
            assert exchange.process.exit_code == 3
            assert exchange.ms < 3000

    run(main, jump=False)


def test_watching_ends_with_the_child() -> None:
    async def act(wire: StdioWire) -> None:
        assert (await wire.watch(0.05)).alive
        await wire.exchange(call("exit", {"code": 5, "answer": True}))
        assert (await wire.watch(30)).exit_code == 5
        assert wire.process.exit_code == 5

    talk(act)


def test_closed_stdout() -> None:
    async def act(wire: StdioWire) -> Exchange:
        return await wire.exchange(call("close stdout", within=10))

    exchange = talk(act)
    assert exchange.outcome == "dropped"
    assert "closed its stdout" in (exchange.problem or "")
    assert exchange.process is not None
    assert exchange.process.alive


def test_closed_stdin() -> None:
    async def act(wire: StdioWire) -> Exchange:
        assert (await wire.exchange(call("close stdin"))).outcome == "answered"
        return await wire.exchange(call("ping", id=2, within=10))

    exchange = talk(act)
    assert exchange.outcome == "dropped"
    assert "standard input" in (exchange.problem or "")


def test_a_child_that_stops_reading_blocks_nobody() -> None:
    async def act(wire: StdioWire) -> None:
        assert (await wire.exchange(call("deaf"))).outcome == "answered"
        big = await wire.exchange(call("echo", {"text": "x" * 1024 * 1024}, id=2, within=0.2))
        assert big.outcome == "timeout"
        assert "did not read" in (big.problem or "")
        assert (await wire.exchange(note(within=0.1))).outcome == "timeout"

    talk(act)


def test_a_megabyte_comes_back() -> None:
    async def act(wire: StdioWire) -> None:
        text = "x" * 1024 * 1024
        exchanges: list[Exchange] = []

        async def one(id: int) -> None:
            exchanges.append(await wire.exchange(call("echo", {"text": text}, id=id, within=20)))

        async with trio.open_nursery() as nursery:
            for id in range(4):
                nursery.start_soon(one, id)
        assert [exchange.result == {"text": text} for exchange in exchanges] == [True] * 4

    talk(act)


def test_a_line_beyond_the_bound_is_a_stray_and_the_next_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LINE", 100_000)

    async def main() -> None:
        answer = 'print(\'{"jsonrpc":"2.0","id":1,"result":{}}\', flush=True)'
        program = f"import sys\nsys.stdin.readline()\nprint('x' * 1_000_000)\n{answer}\nsys.stdin.read()"
        async with toy(command=[*PYTHON, program]) as wire:
            exchange = await wire.exchange(call("ping"))
            assert exchange.outcome == "answered"
            (stray, response) = exchange.messages
            assert (stray["kind"], stray["raw"], response["kind"]) == ("stray", "x" * 4096, "response")
            assert "a line longer than" in str(stray["problem"])

    run(main, jump=False)


def test_too_many_lines_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LINES", 1000)

    async def main() -> None:
        async with toy(command=[*PYTHON, "while True: print('{}')"]) as wire:
            exchange = await wire.exchange(call("ping", within=20))
            assert exchange.outcome == "dropped"
            assert "1000 lines" in (exchange.problem or "")

    run(main, jump=False)


def test_closing_ends_a_polite_child_at_once() -> None:
    async def main() -> None:
        async with toy() as wire:
            await wire.exchange(call("ping"))
            began = trio.current_time()
            await wire.aclose()
            assert trio.current_time() - began < 1
            assert wire.process.exit_code == 0
            await wire.aclose()
            assert (await wire.exchange(call("ping", id=2))).outcome == "died"

    run(main, jump=False)


def test_a_child_that_ignores_everything_is_killed_with_its_family() -> None:
    async def main() -> int:
        async with toy("--ignore-eof", "--ignore-term", "--grandchild") as wire:
            exchange = await wire.exchange(call("ping"))
            began = trio.current_time()
            await wire.aclose()
            assert 0.6 <= trio.current_time() - began < 3
            assert wire.process.signal == signal.SIGKILL
            return grandchild(exchange)

    assert gone_soon(run(main, jump=False))


def test_a_grandchild_that_holds_the_pipe_delays_nobody() -> None:
    async def main() -> int:
        async with toy() as wire:
            exchange = await wire.exchange(call("die with heir", within=30))
            assert exchange.outcome == "died"
            assert exchange.process is not None
            assert exchange.process.exit_code == 3
            assert exchange.ms < 2000
            began = trio.current_time()
            await wire.aclose()
            assert trio.current_time() - began < 2
            return grandchild(exchange)

    assert gone_soon(run(main, jump=False))


def test_a_cancelled_run_leaves_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HURRY", 0.1)

    async def main() -> int:
        with trio.move_on_after(5) as scope:
            async with toy("--ignore-eof", "--ignore-term", "--grandchild") as wire:
                exchange = await wire.exchange(call("ping"))
                scope.cancel()
                await wire.exchange(call("keep", id=2))
        return grandchild(exchange)

    began = time.monotonic()
    assert gone_soon(run(main, jump=False))
    assert time.monotonic() - began < 5


INTERRUPTED = """
import os, sys, trio
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.wire.stdio import start_stdio

async def main():
    async with trio.open_nursery() as nursery:
        wire = await start_stdio(
            sys.argv[1:], nursery=nursery, recorder=Recorder(), responder=lambda request: {"result": {}},
            forward_stderr=lambda line: print(line, flush=True),
        )
        print("child", wire._child._process.pid, flush=True)
        message = {"jsonrpc": "2.0", "id": 1, "method": "keep"}
        await wire.exchange(Sending("keep", 60, message=message))

try:
    trio.run(main)
except* KeyboardInterrupt:
    sys.exit(130)
"""


def test_an_interrupt_leaves_nobody() -> None:
    command = [sys.executable, "-c", INTERRUPTED, *TOY, "--ignore-eof", "--ignore-term", "--grandchild"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline(), process.stdout.readline()]
        began = time.monotonic()
        os.kill(process.pid, signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - began < 5
    for line in lines:
        assert gone_soon(int(line.split()[1])), lines
