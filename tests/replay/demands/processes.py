"""Demands on time, memory, processes and connections."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ..stage import Stage

PATIENCE_S = 2.0
# A player looks every 20 ms whether its peer has hung up, and the machine may be busy.
NOTICED_S = 0.3


def _exit(stage: Stage, code: int) -> None:
    """The exit code."""
    assert stage.outcome.exit == code, f"exit code {stage.outcome.exit}: {stage.outcome.printed[-1500:]}"


def _run_within(stage: Stage, seconds: float) -> None:
    """The whole run takes less than so many seconds."""
    assert stage.outcome.seconds < seconds, f"the run took {stage.outcome.seconds:.1f} s"


def _checks_within(stage: Stage, wanted: dict[str, Any]) -> None:
    """These rules together take less than so many milliseconds."""
    spent = sum(stage.rated.rows[rule].duration_ms for rule in wanted["ids"])
    assert spent < wanted["ms"], f"{wanted['ids']} took {spent} ms"


def _ends_after_last_message(stage: Stage, seconds: float) -> None:
    """The run is over so many seconds after the played server got its last message."""
    last = max(seen.at for seen in stage.seen)
    waited = stage.outcome.ended_at - last
    assert waited < seconds, f"the run went on for {waited:.1f} s after its last message"


def _memory_below(stage: Stage, mib: float) -> None:
    """The checker's resident memory stayed below."""
    assert stage.outcome.peak_mib < mib, f"{stage.outcome.peak_mib:.0f} MiB"


def _connections_closed(stage: Stage, _: None) -> None:
    """No connection to the played server is open."""
    assert stage.http is not None
    deadline = time.monotonic() + PATIENCE_S
    while stage.http.open_connections and time.monotonic() < deadline:
        time.sleep(0.02)
    assert stage.http.open_connections == 0


def _streams_closed(stage: Stage, seconds: float) -> None:
    """Each stream that the played server held open was closed by the checker so soon."""
    _connections_closed(stage, None)
    streams = [seen for seen in stage.seen if seen.streamed]
    assert streams, "no stream was asked for"
    for seen in streams:
        assert seen.closed_at is not None
        assert seen.closed_at - seen.at < seconds, f"a stream was open for {seen.closed_at - seen.at:.1f} s"


def _streams_closed_before_next(stage: Stage, _: None) -> None:
    """Each stream that the played server held open was closed by the checker before it sent anything else."""
    _connections_closed(stage, None)
    held = [seen for seen in stage.seen if seen.held_open]
    assert held, "no stream was held open"
    for seen in held:
        following = min((other.at for other in stage.seen if other.at > seen.at), default=None)
        assert seen.closed_at is not None
        if following is not None:
            late = seen.closed_at - following
            assert late < NOTICED_S, f"the stream was open for {late:.1f} s beside what came after it"


def _fresh_process(stage: Stage, _: None) -> None:
    """The first process got one message, which it died of; what was graded is another, started after it."""
    first, *others = stage.started_processes
    assert others, "no second process was started"
    heard = [seen for seen in stage.seen if seen.process == first]
    assert len(heard) == 1, f"the first process got {len(heard)} messages"
    assert stage.seen[0].process == first


def _split_or_refused(stage: Stage, _: None) -> None:
    """A command in one argument either runs as its words, or is refused with the text and without results."""
    if stage.outcome.exit == 0:
        assert stage.started_processes, "exit code 0, but the server was never started"
        assert stage.rated.rows["lifecycle-init"].really_passed
        return
    assert stage.fill("{{server-line}}") in stage.outcome.stderr.replace("\n", "")
    assert stage.report is None or not stage.report.rows


DEMANDS: dict[str, Callable[[Stage, Any], None]] = {
    "exit": _exit,
    "run-within": _run_within,
    "checks-within": _checks_within,
    "ends-after-last-message": _ends_after_last_message,
    "memory-below-mib": _memory_below,
    "connections-closed": _connections_closed,
    "streams-closed-within": _streams_closed,
    "streams-closed-before-next": _streams_closed_before_next,
    "fresh-process": _fresh_process,
    "split-or-refused": _split_or_refused,
}
