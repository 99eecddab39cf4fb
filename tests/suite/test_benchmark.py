"""Benchmarks of scripted servers on a clock that jumps: every figure is known beforehand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import pytest
import trio

from mcp_compliance.catalog.load import load_revision
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.interpreter.scripted import ENDPOINT
from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.model.options import HttpTarget, RunOptions, StdioTarget
from mcp_compliance.suite import benchmark
from mcp_compliance.suite.benchmark import Benchmark, BenchmarkOptions, run_benchmark
from mcp_compliance.suite.latency import Latency, latency
from mcp_compliance.wire.wire import Wire
from tests.aio import run
from tests.suite.eras import PROBE, Answer, Server, ServerWire, on_probe
from tests.suite.scripted import MODERN, catalogue, rule

LEGACY = rule("legacy", "  - {name: one, call: ping, check: [{get: one.result, type: object}]}")
REFUSED: JSONObject = {"status": 404, "error": {"code": -32601, "message": "Method not found"}}
WARM_UP = 3


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rules")
    catalogue(folder, LEGACY)
    return catalogue(folder, LEGACY, name="t2", like=MODERN)


@dataclass
class Timed(Server):
    """Answers the n-th ``method`` after ``delay(n)`` seconds, counted from 1; all else at once."""

    method: str = "ping"
    delay: Callable[[int], float] = lambda number: 0.0
    asked: int = 0
    busy: int = 0
    most_busy: int = 0

    async def start(self, peer: str) -> Wire:
        answer = self.answers[min(self.starts, len(self.answers) - 1)]
        self.starts += 1
        return _TimedWire(self, answer, peer)


class _TimedWire(ServerWire):
    def __init__(self, server: Timed, answer: Answer, peer: str) -> None:
        super().__init__(server, answer, peer)
        self._timed = server

    async def exchange(self, sending: Sending) -> Exchange:
        server = self._timed
        if sending.method == server.method and sending.step == "benchmark":
            server.asked += 1
            server.busy += 1
            server.most_busy = max(server.most_busy, server.busy)
            try:
                await trio.sleep(server.delay(server.asked))
                return await super().exchange(sending)
            finally:
                server.busy -= 1
        return await super().exchange(sending)


def server_of(rules: Path, *names: str, **more: Any) -> Timed:
    return Timed(tuple(load_revision(rules / name) for name in names), **more)


def measured(server: Timed, rules: Path, requests: int = 10, at_once: int = 1, **more: Any) -> Benchmark:
    method = more.pop("method", None)
    target = HttpTarget(ENDPOINT) if server.transport == "http" else StdioTarget(("server",))
    options = replace(RunOptions(target, seed=1), **more)
    wanted = BenchmarkOptions(requests, at_once, method)
    return run(
        lambda: run_benchmark(options, wanted, server, connect=server.connect, rules=rules),
        at_most=1000.0,
    )


def near(**figures: float) -> Latency:
    return Latency(**{name: pytest.approx(value, abs=1e-6) for name, value in figures.items()})


@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_every_figure_of_two_hundred_answers_is_exact(rules: Path, transport: Literal["http", "stdio"]) -> None:
    # 1 to 200 ms, each once, in an order that is neither rising nor falling; the warm-up takes a second each
    server = server_of(
        rules,
        "t1",
        transport=transport,
        answers=(on_probe(REFUSED),),
        delay=lambda n: 1.0 if n <= WARM_UP else (((n - WARM_UP) * 77) % 201) / 1000,
    )
    found = measured(server, rules, 200)
    assert found.latency == near(min=1, mean=100.5, p50=100, p90=180, p95=190, p99=198, max=200)
    assert (found.sent, found.succeeded, found.warm_up, found.failures) == (200, 200, WARM_UP, ())
    assert found.elapsed_ms == pytest.approx(20_100)
    assert found.per_second == pytest.approx(200 / 20.1)
    assert (found.method, found.spec_version, found.error, found.stopped) == ("ping", "t1", None, None)
    assert server.asked == 200 + WARM_UP


@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_as_many_requests_as_asked_for_are_on_their_way_at_once(
    rules: Path, transport: Literal["http", "stdio"]
) -> None:
    server = server_of(rules, "t1", transport=transport, answers=(on_probe(REFUSED),), delay=lambda n: 0.010)
    found = measured(server, rules, 200, 4)
    assert server.most_busy == 4
    assert found.warm_up == 4 * WARM_UP
    assert found.latency == near(min=10, mean=10, p50=10, p90=10, p95=10, p99=10, max=10)
    assert found.elapsed_ms == pytest.approx(500)
    assert found.per_second == pytest.approx(400)


def test_no_more_workers_than_requests(rules: Path) -> None:
    server = server_of(rules, "t1", answers=(on_probe(REFUSED),), delay=lambda n: 0.010)
    found = measured(server, rules, 2, 8)
    assert (server.most_busy, found.concurrency, found.sent) == (2, 2, 2)


def test_more_requests_than_are_kept_are_no_reason_to_warn(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "RECORDED", 5)
    found = measured(server_of(rules, "t1", answers=(on_probe(REFUSED),)), rules, 50)
    assert found.succeeded == 50
    assert not [warning for warning in found.warnings if "recording" in warning]


def test_a_revision_without_ping_is_asked_its_own_plain_request(rules: Path) -> None:
    found = measured(server_of(rules, "t2", method=PROBE), rules)
    assert (found.method, found.spec_version, found.succeeded) == (PROBE, "t2", 10)


def test_another_method_can_be_asked_for(rules: Path) -> None:
    server = server_of(rules, "t1", answers=(on_probe(REFUSED),), method="tools/list", delay=lambda n: 0.005)
    found = measured(server, rules, method="tools/list")
    assert (found.method, found.succeeded, server.asked) == ("tools/list", 10, 10 + WARM_UP)


def test_a_child_that_dies_of_the_question_is_started_anew_with_the_warning_of_a_graded_run(rules: Path) -> None:
    server = server_of(rules, "t1", transport="stdio", answers=(on_probe({"died": 3}), lambda sending, wire: None))
    found = measured(server, rules)
    assert server.starts == 2
    assert (found.succeeded, found.error) == (10, None)
    assert any("so a fresh instance was started" in warning for warning in found.warnings)
    assert found.detection is not None
    assert found.detection.reason == f"{PROBE}: no response, legacy"


def test_a_silent_answer_to_the_question_is_waited_for_no_longer_than_asked(rules: Path) -> None:
    server = server_of(rules, "t1", transport="stdio", answers=(on_probe({"timeout": True}),))
    found = measured(server, rules, startup_timeout=7000)
    assert found.startup_ms == pytest.approx(7000)
    assert found.succeeded == 10
    assert server.said[0] == f"Waiting for the server's answer to {PROBE}; --spec-version t1 skips this question"


def test_pinned_nothing_is_asked_beforehand(rules: Path) -> None:
    server = server_of(rules, "t1", transport="stdio")
    found = measured(server, rules, spec_version="t1")
    assert PROBE not in server.log
    assert (found.succeeded, found.warnings) == (10, ())


def _failing(replies: dict[int, JSONObject]) -> Answer:
    """The n-th measured ping is answered otherwise."""
    asked = 0

    def answer(sending: Sending, wire: ServerWire) -> JSONObject | None:
        nonlocal asked
        if sending.method == PROBE:
            return REFUSED
        asked += sending.method == "ping"
        return replies.get(asked - WARM_UP) if sending.method == "ping" else None

    return answer


def test_failures_are_counted_by_kind_and_left_out_of_the_times(rules: Path) -> None:
    replies: dict[int, JSONObject] = {
        1: {"error": {"code": -32603, "message": "boom"}},
        3: {"error": {"code": -32603, "message": "boom again"}},
        4: {"status": 429, "error": {"code": -32000, "message": "slow down"}},
        5: {"status": 503},
        7: {"timeout": True},
    }
    server = server_of(rules, "t1", answers=(_failing(replies),), delay=lambda n: 0.010)
    found = measured(server, rules, 10, timeout=2000)
    assert (found.sent, found.succeeded, found.stopped) == (10, 5, None)
    assert [(failure.kind, failure.code, failure.status, failure.count) for failure in found.failures] == [
        ("json-rpc", -32603, 200, 2),
        ("json-rpc", -32000, 429, 1),
        ("http", None, 503, 1),
        ("timeout", None, None, 1),
    ]
    assert found.failures[0].example == "JSON-RPC error -32603 (boom)"
    assert found.latency is not None
    assert found.latency.max == pytest.approx(10)
    assert found.elapsed_ms == pytest.approx(10 * 10 + 2000)


def test_a_server_that_goes_silent_is_asked_no_further(rules: Path) -> None:
    server = server_of(
        rules, "t1", transport="stdio", answers=(_failing({n: {"timeout": True} for n in range(3, 99)}),)
    )
    found = measured(server, rules, 50, timeout=1000)
    assert (found.sent, found.succeeded) == (5, 2)
    assert found.stopped == "the server did not answer 3 requests in a row"
    assert found.elapsed_ms == pytest.approx(3000)


def test_a_server_that_exits_is_asked_no_further(rules: Path) -> None:
    server = server_of(rules, "t1", transport="stdio", answers=(_failing({4: {"died": 9}}),))
    found = measured(server, rules, 50)
    assert (found.sent, found.succeeded) == (4, 3)
    assert found.stopped is not None
    assert found.stopped.startswith("the server exited")
    assert [(failure.kind, failure.count) for failure in found.failures] == [("died", 1)]


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ({"status": 401}, "HTTP 401"),
        ({"unreachable": True}, "the server cannot be reached"),
        ({"status": 404, "body": "nothing here"}, "HTTP 404"),
    ],
)
def test_a_server_that_does_not_let_itself_be_met_is_not_measured(rules: Path, reply: JSONObject, error: str) -> None:
    server = server_of(rules, "t1", answers=(lambda sending, wire: reply,))
    found = measured(server, rules)
    assert found.error is not None
    assert error in found.error
    assert (found.sent, found.latency) == (0, None)


def test_percentiles_are_times_that_were_measured() -> None:
    assert latency([]) is None
    assert latency([0.25]) == Latency(250, 250, 250, 250, 250, 250, 250)
    ten = latency([n / 1000 for n in range(1, 11)])
    # of ten the ninth is the 90th percentile, and only the tenth is above 90 %
    assert ten == near(min=1, mean=5.5, p50=5, p90=9, p95=10, p99=10, max=10)
