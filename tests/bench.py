"""How long the tool takes, and what of that is its own: ``python tests/bench.py [-n RUNS]``.

Not a test: figures of one machine, at one moment. Ratios of figures from one call can be compared.

- wall: the process, from start to exit, as a user waits for it
- run: from the first request on its way to the report, without loading Python and the rules
- first: from the start of the run to the first answer, the start of a stdio server included
- open: time in which at least one request was out and not answered (waits that rules ask for included)
- own: run - first - (open after the first answer); what the tool adds, also as a share of open
- peak: the largest resident memory of the tool
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

PIN = "2025-11-25"
MIB = 1024 * 1024 if sys.platform == "darwin" else 1024


@dataclass
class Open:
    """Adds up the time in which any of the timed calls is going on."""

    seconds: float = 0.0
    first_answer: float | None = None
    going: int = 0
    since: float = field(default=0.0)

    def timed(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def wrapped(*words: Any, **named: Any) -> Any:
            if self.going == 0:
                self.since = time.perf_counter()
            self.going += 1
            try:
                return await call(*words, **named)
            finally:
                now = time.perf_counter()
                self.going -= 1
                if self.first_answer is None:
                    self.first_answer = now
                elif self.going == 0:
                    self.seconds += now - self.since

        return wrapped


def run_once(words: Sequence[str]) -> None:
    """In a process of its own: grade, and print the times in seconds as JSON."""
    import resource

    import trio

    from mcp_compliance.model.events import Silence
    from mcp_compliance.model.options import HttpTarget, RunOptions, StdioTarget
    from mcp_compliance.model.scoring import score
    from mcp_compliance.suite.run import run_suite
    from mcp_compliance.wire.http import HttpWire
    from mcp_compliance.wire.stdio import StdioWire

    watch = Open()
    for wire in (HttpWire, StdioWire):
        for name in ("exchange", "stream"):
            setattr(wire, name, watch.timed(getattr(wire, name)))
    target = HttpTarget(words[0]) if words[0].startswith("http") else StdioTarget(tuple(words))
    report = trio.run(run_suite, RunOptions(target, spec_version=PIN, seed=1), Silence())
    run, first = report.durations["total"] / 1000, report.durations["startup"] / 1000
    print(
        json.dumps(
            {
                "run": run,
                "first": first,
                "open": watch.seconds,
                "own": run - first - watch.seconds,
                "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB,
                "rules": len(report.results),
                "score": score(report.results),
                "slowest": {r.id: r.duration_ms for r in sorted(report.results, key=lambda r: -r.duration_ms)[:5]},
            }
        )
    )


def measured(words: Sequence[str]) -> tuple[float, str]:
    """Wall time in seconds, and standard output, of a command."""
    began = time.perf_counter()
    ended = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    wall = time.perf_counter() - began
    if ended.returncode != 0:
        raise SystemExit(f"{' '.join(words)} ended with {ended.returncode}: {ended.stderr[-1000:]}")
    return wall, ended.stdout


@contextmanager
def targets() -> Iterator[dict[str, list[str]]]:
    """The words of every target that is there; servers over HTTP run until the end."""
    from mcp_compliance.cli.demo import demo_target
    from mcp_compliance.cli.target import TargetOptions
    from mcp_compliance.model.options import HttpTarget
    from tests.real import zoo

    with ExitStack() as stack:
        found: dict[str, list[str]] = {}
        for transport in ("stdio", "http"):
            target = stack.enter_context(demo_target(transport, TargetOptions()))
            found[f"reference {transport}"] = [target.url] if isinstance(target, HttpTarget) else list(target.command)
        for transport in ("stdio", "http"):
            server = zoo.by_id(f"everything-{transport}")
            reason = zoo.missing(server)
            if reason is not None:
                print(f"everything {transport} is left out: {reason}")
                continue
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            words = stack.enter_context(zoo.target(server, folder))
            found[f"everything {transport}"] = [word for word in words if word != "--"]
        yield found


def runs(count: int) -> None:
    print(
        f"{'target':<18}{'wall':>7}{'run':>7}{'first':>7}{'open':>7}{'own':>7}{'own/open':>10}{'peak MiB':>10}  rules"
    )
    with targets() as found:
        for name, words in found.items():
            rows: list[dict[str, Any]] = []
            for _ in range(count):
                wall, text = measured([sys.executable, __file__, "--once", *words])
                rows.append({**json.loads(text), "wall": wall})
            mid = {key: statistics.median(row[key] for row in rows) for key in ("wall", "run", "first", "open", "own")}
            share = statistics.median(row["own"] / row["open"] for row in rows)
            print(
                f"{name:<18}" + "".join(f"{value:>7.2f}" for value in mid.values()) + f"{share:>10.2f}"
                f"{max(row['peak'] for row in rows):>10.0f}  {rows[-1]['rules']} (score {rows[-1]['score']})"
            )
            print(f"{'':<18}slowest, ms: {', '.join(f'{rule} {ms}' for rule, ms in rows[-1]['slowest'].items())}")


def starts(count: int) -> None:
    """Cold starts, one after the other in turn, so that a busy moment meets both."""
    tool = str(Path(sys.executable).with_name("mcp-compliance"))
    commands = {
        "mcp-compliance test --list": [tool, "test", "--list"],
        "python -c 'import typer'": [sys.executable, "-c", "import typer"],
        "python -c ''": [sys.executable, "-c", ""],
    }
    walls: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(count):
        for name, words in commands.items():
            walls[name].append(measured(words)[0])
    for name, seconds in walls.items():
        print(f"{name:<28}{statistics.median(seconds) * 1000:>7.0f} ms")
    listing, typer, _ = (statistics.median(seconds) for seconds in walls.values())
    print(f"{'--list / import typer':<28}{listing / typer:>7.2f}")


def main() -> None:
    if sys.argv[1:2] == ["--once"]:
        run_once(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description="How long full runs and cold starts take.")
    parser.add_argument("-n", type=int, default=10, help="runs of each target (10)")
    count = parser.parse_args().n
    starts(count)
    print()
    runs(count)


if __name__ == "__main__":
    main()
