"""``benchmark``: whose the words at the end are, what is printed, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from mcp_compliance.cli import benchmark_output
from mcp_compliance.cli.benchmark_output import as_text
from mcp_compliance.cli.benchmark_words import in_order
from mcp_compliance.cli.demo import demo_target
from mcp_compliance.cli.target import TargetOptions
from mcp_compliance.model.events import Listener
from mcp_compliance.model.options import HttpTarget, RunOptions, StdioTarget
from mcp_compliance.reporters.style import Style
from mcp_compliance.suite import benchmark as suite
from mcp_compliance.suite.benchmark import Benchmark, BenchmarkOptions
from mcp_compliance.suite.latency import Latency
from mcp_compliance.suite.load import Failure

from .conftest import Ended

Run = Callable[..., Ended]
SCHEMA = json.loads(
    (Path(benchmark_output.__file__).parent / "schemas" / "benchmark.v1.json").read_text(encoding="utf-8")
)
TOOL = str(Path(sys.executable).with_name("mcp-compliance"))
FOUND = Benchmark(
    spec_version="2025-11-25",
    url="stdio:node ./dist/server.js",
    transport="stdio",
    timestamp="2026-01-02T03:04:05Z",
    method="ping",
    requests=200,
    concurrency=4,
    sent=200,
    succeeded=200,
    warm_up=12,
    elapsed_ms=500.0,
    startup_ms=412.4,
    latency=Latency(1.0, 2.5, 2.0, 4.0, 5.0, 9.25, 10.0),
)
BOOM = Failure("json-rpc", -32603, None, 3, "JSON-RPC error -32603 (boom)")


@pytest.mark.parametrize(
    ("words", "ordered"),
    [
        # the line of the documentation
        ("-- node ./dist/server.js -r 200 -c 4", "-r 200 -c 4 -- node ./dist/server.js"),
        ("-- node s.js --concurrency=4 --requests 9", "--concurrency=4 --requests 9 -- node s.js"),
        ("--format json -- node s.js -r 7", "--format json -r 7 -- node s.js"),
        # what stands before -- leaves what stands behind to the server
        ("-c 2 -- node s.js -r 200 -c 4", "-c 2 -- node s.js -r 200 -c 4"),
        ("--requests=2 -- node s.js -r 200", "--requests=2 -- node s.js -r 200"),
        ("-r 2 -- node s.js -c 4", "-r 2 -c 4 -- node s.js"),
        # not at the very end, not a number, and nothing left as the command
        ("-- node s.js -c 4 --verbose", "-- node s.js -c 4 --verbose"),
        ("-- server -c config.json", "-- server -c config.json"),
        ("-- -r 4", "-- -r 4"),
        ("-- server -r", "-- server -r"),
        ("node s.js -r 200", "node s.js -r 200"),
    ],
)
def test_numbers_at_the_very_end_are_the_benchmarks(words: str, ordered: str) -> None:
    assert " ".join(in_order(words.split()).words) == ordered


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[RunOptions, BenchmarkOptions]]:
    """What was asked for; nothing is measured, and ``FOUND`` comes back."""
    asked: list[tuple[RunOptions, BenchmarkOptions]] = []

    async def run_benchmark(options: RunOptions, wanted: BenchmarkOptions, listener: Listener) -> Benchmark:
        asked.append((options, wanted))
        return FOUND

    monkeypatch.setattr(suite, "run_benchmark", run_benchmark)
    return asked


def test_the_line_of_the_documentation(run: Run, scripted: list[tuple[RunOptions, BenchmarkOptions]]) -> None:
    ended = run("benchmark", "--", "node", "./dist/server.js", "-r", "200", "-c", "4")
    assert ended.code == 0
    assert scripted == [(RunOptions(StdioTarget(("node", "./dist/server.js"))), BenchmarkOptions(200, 4))]
    assert "note: -r 200 -c 4 at the end is taken for the benchmark's" in ended.err
    assert "400.0 requests a second" in ended.out


def test_every_option_arrives(run: Run, scripted: list[tuple[RunOptions, BenchmarkOptions]]) -> None:
    words = (
        "--requests 7 --concurrency 3 --method tools/list --spec-version 2025-11-25 --timeout 100 "
        "--startup-timeout 200 --preflight-timeout 300 --auth tok http://127.0.0.1:9/mcp --format json --no-color"
    )
    ended = run("benchmark", *words.split())
    ((options, wanted),) = scripted
    assert wanted == BenchmarkOptions(7, 3, "tools/list")
    assert (options.spec_version, options.timeout, options.startup_timeout) == ("2025-11-25", 100, 200)
    assert options.preflight_timeout == 300
    assert options.target == HttpTarget("http://127.0.0.1:9/mcp", (("Authorization", "tok"),))
    assert (ended.code, ended.err) == (0, "")


def test_a_configuration_file_names_the_target_and_not_how_much_is_sent(
    run: Run,
    scripted: list[tuple[RunOptions, BenchmarkOptions]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    document = {"target": {"url": "http://config/mcp"}, "timeout": 900, "concurrency": 2, "format": "html"}
    Path("mcp-compliance.config.json").write_text(json.dumps(document), encoding="utf-8")
    assert run("benchmark").code == 0
    ((options, wanted),) = scripted
    assert (options.target, options.timeout) == (HttpTarget("http://config/mcp"), 900)
    assert wanted == BenchmarkOptions()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("benchmark",), "no target"),
        (("benchmark", "http://x/mcp", "--format", "html"), "choose one of terminal, json"),
        (("benchmark", "http://x/mcp", "-r", "0"), "-r"),
        (("benchmark", "http://x/mcp", "--method", "notifications/x"), "nothing else is answered"),
        (("benchmark", "--demo", "http://x/mcp"), "--demo brings its own target"),
    ],
)
def test_wrong_usage_is_one_line(run: Run, words: tuple[str, ...], said: str) -> None:
    ended = run(*words)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    ("found", "code", "said"),
    [
        (FOUND, 0, ""),
        (replace(FOUND, succeeded=197, failures=(BOOM,)), 1, "3 of 200 requests drew no result"),
        (replace(FOUND, sent=5, succeeded=4, stopped="the server exited"), 1, "4 of 200 requests drew a result, then"),
        (replace(FOUND, sent=0, succeeded=0, latency=None, error="it is gone"), 2, "it is gone"),
    ],
)
def test_exit_codes_and_valid_json(
    run: Run, monkeypatch: pytest.MonkeyPatch, found: Benchmark, code: int, said: str
) -> None:
    async def run_benchmark(*_: object) -> Benchmark:
        return found

    monkeypatch.setattr(suite, "run_benchmark", run_benchmark)
    ended = run("benchmark", "http://127.0.0.1:9/mcp", "--format", "json")
    assert ended.code == code
    assert said in ended.err
    document = json.loads(ended.out)
    Draft202012Validator(SCHEMA).validate(document)
    assert document["requests"]["failed"] == found.sent - found.succeeded
    assert document["latencyMs"] == (
        None
        if found.latency is None
        else {"min": 1.0, "mean": 2.5, "p50": 2.0, "p90": 4.0, "p95": 5.0, "p99": 9.25, "max": 10.0}
    )
    assert document.get("error") == found.error


def test_figures_and_failures_for_people() -> None:
    found = replace(
        FOUND,
        succeeded=198,
        elapsed_ms=2000.0,
        failures=(Failure("json-rpc", -32603, None, 2, "JSON-RPC error -32603 (\x1b[31mboom)"),),
        warnings=("Mind this.",),
    )
    text = as_text(found, Style(width=100))
    assert "ping, 200 times, 4 at a time; 12 more before them to warm up, not counted" in text
    assert "p99    9.25" in text
    assert "99.0 requests a second" in text
    assert "412 ms to the answer" in text
    assert "2 of 200 requests drew no result" in text
    assert "2 x JSON-RPC error -32603" in text
    assert "\x1b" not in text
    assert "WARNINGS (1)" in text


def console(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (TOOL, "benchmark", *words), capture_output=True, text=True, check=False, timeout=60, encoding="utf-8"
    )


def test_a_real_server_over_stdio() -> None:
    ended = console("--format", "json", "--", sys.executable, "-m", "mcp_compliance.reference", "--stdio", "-r", "20")
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    Draft202012Validator(SCHEMA).validate(found)
    assert found["requests"] == {"wanted": 20, "sent": 20, "succeeded": 20, "failed": 0, "warmUp": 12}
    assert 0 < found["latencyMs"]["min"] <= found["latencyMs"]["p50"] <= found["latencyMs"]["max"]
    assert (found["transport"], found["method"]) == ("stdio", "server/discover")


def test_a_real_server_over_http() -> None:
    with demo_target("http", TargetOptions()) as target:
        assert isinstance(target, HttpTarget)
        ended = console(target.url, "--spec-version", "2025-11-25", "-r", "20", "-c", "2", "--method", "tools/list")
    assert ended.returncode == 0, ended.stderr
    assert "of 20 answers" in ended.stdout
    assert "tools/list, 20 times, 2 at a time" in ended.stdout


SERVER = """
import os, pathlib, sys
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
from mcp_compliance.reference.command import serve
sys.exit(serve(["--stdio"], name="server"))
"""


@pytest.mark.skipif(os.name == "nt", reason="Ctrl+C cannot be sent to one process alone")
def test_ctrl_c_ends_it_and_the_server(tmp_path: Path) -> None:
    server, pid = tmp_path / "server.py", tmp_path / "pid"
    server.write_text(SERVER, encoding="utf-8")
    process = subprocess.Popen(
        [TOOL, "benchmark", "-r", "100000", "--", sys.executable, str(server), str(pid)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        assert process.stderr is not None
        assert process.stderr.readline() == "Sending server/discover 100000 times, 4 at a time\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, out, err) == (130, "", "Interrupted.\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text(encoding="utf-8")), 0)
