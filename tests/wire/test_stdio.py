"""StdioWire with a real child: framing, matching of answers, streams, the child's environment."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest
import trio

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.exchange.sending import Answers, Sending
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.wire.errors import StartError
from mcp_compliance.wire.stdio import StdioWire, start_stdio
from mcp_compliance.wire.stdio_routing import StreamMarks
from tests.aio import run
from tests.wire.talk import note, responder

T = TypeVar("T")
TOY = [sys.executable, "-S", str(Path(__file__).with_name("toy_server.py"))]


def call(
    method: str, params: JSONObject | None = None, *, id: JSON = 1, within: float = 5, answers: Answers = "mine"
) -> Sending:
    message: JSONObject = {"jsonrpc": "2.0", "id": id, "method": method}
    if params is not None:
        message["params"] = params
    return Sending(method, within, message=message, answers=answers)


@asynccontextmanager
async def toy(
    *flags: str,
    command: list[str] | None = None,
    recorder: Recorder | None = None,
    env: dict[str, str] | None = None,
    cwd: str | None = None,
    forward: Callable[[str], None] | None = None,
    marks: StreamMarks | None = None,
) -> AsyncIterator[StdioWire]:
    async with trio.open_nursery() as nursery:
        wire = await start_stdio(
            command or [*TOY, *flags],
            nursery=nursery,
            recorder=recorder or Recorder(),
            responder=responder,
            env=env,
            cwd=cwd,
            forward_stderr=forward,
            marks=marks,
        )
        try:
            yield wire
        finally:
            await wire.aclose()


def talk(act: Callable[[StdioWire], Awaitable[T]], *flags: str, recorder: Recorder | None = None) -> T:
    async def main() -> T:
        async with toy(*flags, recorder=recorder) as wire:
            return await act(wire)

    return run(main, jump=False, at_most=30)


def test_answers_and_what_is_no_answer() -> None:
    recorder = Recorder()

    async def act(wire: StdioWire) -> None:
        pong = await wire.exchange(call("ping"))
        assert (pong.outcome, pong.result, pong.http) == ("answered", {}, None)
        assert pong.process is not None
        assert pong.process.alive
        assert (await wire.exchange(note())).outcome == "answered"
        echo = await wire.exchange(call("echo", {"text": "é漢🎉 \u2028 \\n"}, id="é-2"))
        assert echo.result == {"text": "é漢🎉 \u2028 \\n"}
        assert (await wire.exchange(call("split", id=3))).result == {"text": "é"}
        crlf = await wire.exchange(call("crlf", id=4))
        assert crlf.outcome == "answered"
        assert str(crlf.messages[0]["raw"]).endswith("}\r")
        strays = await wire.exchange(call("strays", id=5))
        assert strays.outcome == "answered"
        assert [item["kind"] for item in strays.messages] == ["stray"] * 5 + ["response"]
        problems = [str(item["problem"]) for item in strays.messages[:5]]
        for word, problem in zip(["not UTF-8", "None", "deeper", "not JSON", "byte order mark"], problems, strict=True):
            assert word in problem
        assert strays.messages[0]["raw"] == "\\xff\\xfe"
        batch = await wire.exchange(call("batch", id=6))
        assert (batch.message, batch.messages[0]["kind"]) == ({"jsonrpc": "2.0", "id": 6, "result": {}}, "batch")
        asked = await wire.exchange(call("ask", id=7))
        assert asked.result == {"jsonrpc": "2.0", "id": "q", "result": {}}
        assert [item["kind"] for item in asked.messages] == ["request", "response"]
        broken = await wire.exchange(Sending("broken", 5, body=b"{nope", answers="any"))
        assert broken.error == {"code": -32700, "message": "Parse error"}

    talk(act, "--banner", recorder=recorder)
    received = recorder.view()["received"]
    assert [item["raw"] for item in received[:2]] == ["Server v1 is running...", ""]
    assert [item["kind"] for item in received[:2]] == ["stray", "stray"]
    assert [entry["step"] for entry in recorder.view()["sent"]].count("answer") == 1


def test_answers_in_another_order_find_their_requests() -> None:
    async def act(wire: StdioWire) -> None:
        exchanges: dict[JSON, Exchange] = {}

        async def one(sending: Sending) -> None:
            exchanges[sending.id] = await wire.exchange(sending)

        async with trio.open_nursery() as nursery:
            for id in (1, "1", 2):
                nursery.start_soon(one, call("keep", id=id))
            await trio.testing.wait_all_tasks_blocked(0.05)
            nursery.start_soon(one, call("release", id=3))
        for id, exchange in exchanges.items():
            assert exchange.outcome == "answered"
            assert (exchange.message or {})["id"] == id
            assert len(exchange.messages) == 1

    talk(act)


def test_a_late_answer_is_recorded_and_not_delivered() -> None:
    recorder = Recorder()

    async def act(wire: StdioWire) -> None:
        silent = await wire.exchange(call("keep", id=1, within=0.1))
        assert (silent.outcome, silent.message) == ("timeout", None)
        assert "0.1 s" in (silent.problem or "")
        after = await wire.exchange(call("release", id=2))
        assert [item["payload"]["id"] for item in after.messages] == [2]  # type: ignore[index, call-overload]

    talk(act, recorder=recorder)
    late, _ = recorder.view()["received"]
    assert late["request"]["step"] == "keep"


@pytest.mark.parametrize("wrong", [0, "1", None])
def test_an_answer_under_an_id_that_nobody_had_is_read_and_shown(wrong: JSON) -> None:
    async def act(wire: StdioWire) -> None:
        right = await wire.exchange(call("as", {"id": wrong, "then": True}, id=2))
        assert (right.message or {})["id"] == 2
        exchange = await wire.exchange(call("as", {"id": wrong}, id=3))
        assert (exchange.outcome, (exchange.message or {"id": "none"})["id"]) == ("answered", wrong)
        assert 1000 <= exchange.ms < 3000

    talk(act)


def test_a_server_that_never_finds_the_id_is_waited_for_once() -> None:
    async def act(wire: StdioWire) -> None:
        waits = [(await wire.exchange(call("as", {"id": 0}, id=id))).ms for id in (2, 3)]
        assert waits[0] >= 1000 > waits[1]
        assert (await wire.exchange(call("ping", id=4))).ms < 1000
        assert (await wire.exchange(call("as", {"id": 0}, id=5))).ms >= 1000

    talk(act)


def test_listening_and_progress() -> None:
    async def act(wire: StdioWire) -> None:
        log = await wire.exchange(call("log"))
        assert [item["kind"] for item in log.messages] == ["notification", "response"]

        async def other() -> None:
            exchange = await wire.exchange(call("keep", id=2, within=0.3))
            assert exchange.messages == ()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(other)
            await trio.testing.wait_all_tasks_blocked(0.01)
            progress = await wire.exchange(call("progress", {"_meta": {"progressToken": "t"}}, id=3))
            assert len(progress.messages) == 2

    talk(act)


def test_streams_own_what_carries_their_id() -> None:
    marks = StreamMarks("sub", "notifications/subscriptions/")

    async def main() -> None:
        async with toy(marks=marks) as wire:
            stream = await wire.stream(call("subscribe", id=7), lambda exchange: len(exchange.messages) == 2)
            assert stream.exchange.outcome == "open"
            methods = [item["payload"]["method"] for item in stream.exchange.messages]  # type: ignore[index, call-overload]
            assert methods == ["notifications/subscriptions/acknowledged", "notifications/tools/list_changed"]
            assert (await wire.exchange(call("log", id=8))).outcome == "answered"
            await stream.aclose()
            quiet = await wire.stream(call("keep", id=9, within=0.1), "message")
            assert (quiet.exchange.outcome, quiet.exchange.messages) == ("quiet", ())
            await quiet.aclose()
            answered = await wire.stream(call("ping", id=10), "message")
            assert answered.exchange.outcome == "answered"
            died = await wire.stream(call("exit", {"code": 4}, id=11), "message")
            assert died.exchange.outcome == "died"

    run(main, jump=False)


def test_environment_directory_and_stderr(tmp_path: Path) -> None:
    forwarded: list[str] = []
    real = str(tmp_path.resolve())

    async def main() -> None:
        async with toy(env={"TOY_X": "é"}, cwd=str(tmp_path), forward=forwarded.append) as wire:
            value = await wire.exchange(call("environment", {"name": "TOY_X"}))
            assert value.result == {"value": "é", "cwd": real}
            path = await wire.exchange(call("environment", {"name": "PATH"}, id=2))
            assert isinstance(path.result, dict)
            assert path.result["value"]
            await wire.exchange(call("stderr", id=3))
            ended = await wire.exchange(call("exit", id=4))
            assert ended.process is not None
            assert ended.process.stderr_tail.endswith("x\\xff end\nlast words\n")
            assert len(ended.process.stderr_tail) <= 64 * 1024 + 3

    run(main, jump=False)
    assert [line.strip("x") for line in forwarded] == ["", "last words"]  # the first one is too long, and cut


@pytest.mark.parametrize(
    ("command", "cwd", "words"),
    [
        ([], None, "no command"),
        (["no-such-command-replay"], None, "command not found: no-such-command-replay"),
        (["./no-such-file"], None, "command not found: ./no-such-file"),
        (["server-command --flag value"], None, "'server-command --flag value'"),
        ([str(Path(__file__))], None, "permission denied"),
        ([sys.executable], "/no/such/directory", "working directory /no/such/directory does not exist"),
        (["a\0b"], None, "null byte"),
    ],
)
def test_commands_that_cannot_be_started(command: list[str], cwd: str | None, words: str) -> None:
    async def main() -> None:
        async with trio.open_nursery() as nursery:
            with pytest.raises(StartError) as caught:
                await start_stdio(command, nursery=nursery, recorder=Recorder(), responder=responder, cwd=cwd)
            assert words in str(caught.value)
            assert "\n" not in str(caught.value)

    run(main, jump=False)


def test_a_script_without_its_interpreter(tmp_path: Path) -> None:
    script = tmp_path / "server"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)

    async def main() -> None:
        async with toy(command=[str(script)]):
            pass

    with pytest.raises(StartError, match="interpreter"):
        run(main, jump=False)


def test_the_message_leaves_as_raw_utf8() -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {"t": "é"}}, ensure_ascii=False)

    async def act(wire: StdioWire) -> None:
        exchange = await wire.exchange(Sending("raw", 5, body=body.encode(), answers="any", message=json.loads(body)))
        assert exchange.result == {"t": "é"}

    talk(act)
