"""Plays a script over stdin and stdout. Started by play_stdio.py with a case file and a journal file."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from .answer import Answer
from .context import Context, Progress
from .journal import ProcessJournal
from .message import Json, read_message
from .script import Script
from .sessions import note_progress
from .template import compact

# No played process outlives its test by more than this, whatever it ignores.
LONGEST_LIFE_S = 120
STDOUT = 1
STDERR = 2


def main(arguments: list[str]) -> int:
    """Play `arguments[0]` (a case as JSON) and note what happens in `arguments[1]`. Returns the exit code."""
    signal.alarm(LONGEST_LIFE_S)
    document: Mapping[str, Json] = json.loads(Path(arguments[0]).read_text("utf-8"))
    return StdioPlayer(Script.from_json(document), ProcessJournal(Path(arguments[1]))).serve()


class StdioPlayer:
    """One process, one client."""

    def __init__(self, script: Script, journal: ProcessJournal) -> None:
        self._script = script
        self._journal = journal
        self._progress = Progress()
        self._recent: list[float] = []

    def serve(self) -> int:
        """Answer line after line until stdin ends or an answer says to exit."""
        self._journal.note("start")
        on_signal = self._event("SIGTERM")
        if on_signal is not None and on_signal.stay:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        started = self._event("start")
        if started is not None and (code := self._do(started)) is not None:
            return code
        for line in sys.stdin.buffer:
            if (code := self._take(line)) is not None:
                return code
        self._journal.note("stdin-eof")
        ended = self._event("stdin-eof")
        while ended is not None and ended.stay:
            signal.pause()
        return 0

    def _take(self, line: bytes) -> int | None:
        raw = line.rstrip(b"\r\n")
        self._journal.note("message", raw)
        self._recent.append(time.monotonic())
        message = read_message(raw)
        context = Context(message=message, progress=self._progress, recent=self._recent)
        answer = self._script.answer(context, _no_session)
        note_progress(self._progress, message)
        return self._do(answer)

    def _event(self, name: str) -> Answer | None:
        return self._script.on_event(name, Context(read_message(b"", may_be_empty=True)), _no_session)

    def _do(self, answer: Answer) -> int | None:
        for text in answer.lead:
            _write(STDOUT, text.encode("utf-8"))
        if answer.message is not None:
            _write_parts(compact(dict(answer.message)).encode("utf-8") + b"\n", answer)
        for text in answer.write:
            _write(STDOUT, text.encode("utf-8"))
        if answer.stderr:
            _write(STDERR, answer.stderr.encode("utf-8"))
        if answer.flood is not None:
            _flood(str(answer.flood["text"]), float(str(answer.flood["mib_per_s"])))
        return answer.exit


def _write_parts(line: bytes, answer: Answer) -> None:
    first = next((at for at, byte in enumerate(line) if byte > 0x7F), None) if answer.cut else None
    if first is None:
        _write(STDOUT, line)
        return
    _write(STDOUT, line[: first + 1])
    time.sleep(answer.pause_ms / 1000)
    _write(STDOUT, line[first + 1 :])


def _flood(text: str, mib_per_s: float) -> None:
    """Write without end and without a newline; only a signal or a closed pipe stops it."""
    block = (text * (65536 // len(text) + 1)).encode("utf-8")[:65536]
    while True:
        _write(STDOUT, block)
        time.sleep(len(block) / (mib_per_s * 1024 * 1024))


def _write(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


def _no_session() -> str:
    raise ValueError("there are no sessions on stdio")
