"""The stdio player as a process on real pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from .corpus_case import Case
from .corpus_files import baseline_case, load_cases, read_case
from .player.journal import read_process_log
from .stage import PLAY_STDIO
from .tool import kill_all, processes_with

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the played processes use POSIX signals")

REVISION = "2025-11-25"
CASES = {case.id: case for case in load_cases() if case.revision == REVISION}


class Process:
    """A played server; closing it kills what is left of it."""

    def __init__(self, case: Case, folder: Path) -> None:
        self.case_file = folder / f"{case.id}.json"
        self.case_file.write_text(json.dumps(case.script), "utf-8")
        self.journal = folder / "journal"
        command = [sys.executable, "-I", "-S", str(PLAY_STDIO), str(self.case_file), str(self.journal)]
        pipe = subprocess.PIPE
        self.child = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        self.stdin, self.stdout, self.stderr = map(_open, (self.child.stdin, self.child.stdout, self.child.stderr))

    def send(self, message: object) -> None:
        data = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode()
        self.stdin.write(data + b"\n")

    def ask(self, method: str, params: dict[str, Any] | None = None, identifier: object = 5) -> Any:
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": identifier, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return json.loads(self.stdout.readline())

    def close(self) -> None:
        self.child.kill()
        self.child.wait()
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Any]:
    started: list[Process] = []

    def begin(*entries: dict[str, Any], case: Case | None = None) -> Process:
        document = {"id": "made", "transport": "stdio", "server": list(entries), "expect": {}}
        started.append(Process(case or read_case(document, REVISION), tmp_path))
        return started[-1]

    yield begin
    for process in started:
        process.close()


def test_baseline_answers_as_the_specification_has_it(start: Any) -> None:
    process = start(case=baseline_case(REVISION, "stdio"))
    assert process.ask("initialize")["result"]["protocolVersion"] == REVISION
    assert process.ask("initialize")["error"]["code"] == -32600
    process.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    process.send({"jsonrpc": "2.0", "id": 1, "result": {}})
    assert process.ask("ping", identifier="a") == {"jsonrpc": "2.0", "id": "a", "result": {}}
    assert [tool["name"] for tool in process.ask("tools/list")["result"]["tools"]] == ["echo"]
    assert process.ask("tools/list", {"cursor": "x"})["error"]["code"] == -32602
    called = process.ask("tools/call", {"name": "echo", "arguments": {"text": "ü\n"}})
    assert called["result"]["content"] == [{"type": "text", "text": "ü\n"}]
    assert process.ask("tools/call", {"name": "echo"})["result"]["isError"] is True
    assert process.ask("tools/call", {"name": "other"})["error"]["code"] == -32602
    assert process.ask("prompts/list")["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b"", -32700),
        (b'"\xff"', -32700),
        (b"[1]", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
    ],
)
def test_baseline_refuses_what_is_no_message(start: Any, line: bytes, code: int) -> None:
    process = start()
    process.send(line)
    answer = json.loads(process.stdout.readline())
    assert (answer["error"]["code"], "id" in answer) == (code, False)


def test_process_ends_with_its_input_and_its_journal_tells_all(start: Any) -> None:
    process = start()
    process.ask("ping", identifier=7)
    process.stdin.close()
    assert process.child.wait(5) == 0
    assert process.stdout.read() == b""
    log = read_process_log(process.journal)
    assert log.processes == (process.child.pid,)
    assert [(seen.message.method, seen.message.id) for seen in log.messages] == [("ping", 7)]


def test_sigterm_ends_a_process_that_does_not_ignore_it(start: Any) -> None:
    process = start()
    process.ask("ping")
    process.child.terminate()
    assert process.child.wait(5) == -signal.SIGTERM


def test_stubborn_process_outlives_all_but_sigkill(start: Any) -> None:
    process = start(case=CASES["proc-sigterm-ignored"])
    assert process.ask("ping")["result"] == {}
    process.stdin.close()
    process.child.terminate()
    with pytest.raises(subprocess.TimeoutExpired):
        process.child.wait(0.3)
    assert processes_with(str(process.case_file)) == [process.child.pid]
    kill_all([process.child.pid])
    assert process.child.wait(5) == -signal.SIGKILL
    assert processes_with(str(process.case_file)) == []


def test_banner_comes_first(start: Any) -> None:
    process = start(case=CASES["stdio-banner"])
    assert process.stdout.readline().startswith(b"Played server 1.0 is listening on stdio ...")
    assert process.ask("ping")["result"] == {}


def test_lines_before_the_answer(start: Any) -> None:
    process = start(case=CASES["stdio-json-log-line"])
    assert process.ask("ping")["severity"] == "info"
    assert json.loads(process.stdout.readline()) == {"jsonrpc": "2.0", "id": 5, "result": {}}


def test_answer_cut_inside_a_character(start: Any) -> None:
    process = start(case=CASES["stdio-utf8-split"])
    began = time.monotonic()
    process.send(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "echo", "arguments": {"text": "xü"}},
        }
    )
    first = process.stdout.read(65536)
    assert first.endswith(b'"text":"x\xc3')
    rest = process.stdout.read(65536)
    assert rest.startswith(b"\xbc")
    assert time.monotonic() - began >= 0.15
    assert json.loads(first + rest)["result"]["content"][0]["text"] == "xü"


def test_garbled_text(start: Any) -> None:
    process = start(case=CASES["stdio-cp1252-mojibake"])
    params = {"name": "echo", "arguments": {"text": "ü"}}
    assert process.ask("tools/call", params)["result"]["content"][0]["text"] == "Ã¼"
    params["arguments"] = {"text": "plain"}
    assert process.ask("tools/call", params)["result"]["content"][0]["text"] == "plain"


def test_large_lines(start: Any) -> None:
    process = start(case=CASES["stdio-large-line"])
    assert process.ask("initialize")["result"]["instructions"] == "h" * 131072
    description = process.ask("tools/list")["result"]["tools"][0]["description"]
    assert description == "Gives the text back unchanged. " + "m" * 300000
    assert process.ask("initialize")["error"]["code"] == -32600


def test_flood_has_no_newline_and_keeps_its_rate(start: Any) -> None:
    process = start({"when": {"method": "ping"}, "reply": {"flood": {"text": "ab", "mib_per_s": 4}}})
    process.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    began, received = time.monotonic(), b""
    while len(received) < 2 * 1024 * 1024:
        received += process.stdout.read(65536)
    assert set(received) == {ord("a"), ord("b")}
    assert time.monotonic() - began > 0.4
    process.child.terminate()
    assert process.child.wait(5) == -signal.SIGTERM


def test_exit_with_a_word_on_stderr_before_initialize_only(start: Any) -> None:
    entry = {
        "when": {"method": {"not": "initialize"}, "state": "before-initialize"},
        "reply": {"write": ["half"], "stderr": "say initialize first\n", "exit": 3},
    }
    healthy = start(entry)
    healthy.ask("initialize")
    assert healthy.ask("ping")["result"] == {}
    process = start(entry)
    process.send({"jsonrpc": "2.0", "id": 1, "method": "server/discover"})
    assert process.child.wait(5) == 3
    assert (process.stdout.read(), process.stderr.read()) == (b"half", b"say initialize first\n")


def test_silence(start: Any) -> None:
    process = start(case=CASES["unsafe-integer-ids"])
    process.send({"jsonrpc": "2.0", "id": 2**53, "method": "ping"})
    process.send({"jsonrpc": "2.0", "id": 1.5, "method": "ping"})
    assert process.ask("ping", identifier=2**53 - 1)["id"] == 2**53 - 1


def test_wrong_ids(start: Any) -> None:
    process = start(case=CASES["id-always-zero"])
    assert process.ask("ping", identifier=7)["id"] == 0
    assert process.ask("ping", identifier="7")["id"] is None


def test_conditions_on_bytes(start: Any) -> None:
    process = start({"when": {"raw": "has-non-ascii"}, "reply": {"stderr": "cannot decode\n"}})
    process.send({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "ü"}})
    assert process.stderr.readline() == b"cannot decode\n"
    assert process.ask("ping", {"x": "u"})["result"] == {}
