"""Sets a case up, runs the checker against it and keeps what came of it."""

from __future__ import annotations

import json
import shlex
import socket
import ssl
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path

import trustme

from .corpus_case import Case
from .forked import run_forked
from .player.http_server import HttpPlayer
from .player.journal import Seen, read_process_log
from .player.message import Json
from .player.script import Script
from .report_rows import Report, read_report
from .tool import PIN_OPTION, TOOL, Outcome, kill_all, wait_until_gone

Start = Callable[[Sequence[str], Path, Mapping[str, str], float], Outcome]
"""``run_tool`` or ``run_forked``."""
PLAY_STDIO = Path(__file__).parent / "play_stdio.py"


class Stage:
    """A context manager. `run` starts the checker; the same run is made once only."""

    def __init__(self, case: Case, folder: Path, start: Start = run_forked) -> None:
        self._start = start
        self.case = case
        self.folder = folder
        self.case_file = folder / f"{case.id}.case.json"
        self.journal = folder / "journal"
        self.authority_file = folder / "authority.pem"
        self.http: HttpPlayer | None = None
        self._runs: dict[tuple[str, ...], Outcome] = {}
        self._open = ExitStack()
        self._closed_port = 0

    def __enter__(self) -> Stage:
        self.case_file.write_text(json.dumps(self.case.script), "utf-8")
        if self.case.transport == "http":
            tls = self._certificate() if self.case.run.tls else None
            self.http = self._open.enter_context(HttpPlayer(Script.from_json(self.case.script), tls))
        # Bound and not listening: connections are refused, and nobody else can take the port.
        held = self._open.enter_context(socket.socket())
        held.bind(("127.0.0.1", 0))
        self._closed_port = held.getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        kill_all(wait_until_gone(str(self.case_file), 0))

    def run(self, output: str = "json", extra: Sequence[str] = ()) -> Outcome:
        """Run with `--format output`."""
        key = (output, *extra)
        if key not in self._runs:
            folder = self.folder / f"run-{len(self._runs)}"
            folder.mkdir()
            env = {name: self.fill(value) for name, value in self.case.run.env.items()}
            self._runs[key] = self._start(self._argv(output, extra), folder, env, self.case.run.cap_s)
        return self._runs[key]

    def left_processes(self) -> list[int]:
        """Played processes that outlive the run."""
        return wait_until_gone(str(self.case_file))

    @property
    def started_processes(self) -> tuple[int, ...]:
        return read_process_log(self.journal).processes

    @property
    def seen(self) -> list[Seen]:
        """The messages that reached the played server."""
        return list(self.http.seen) if self.http else list(read_process_log(self.journal).messages)

    @cached_property
    def outcome(self) -> Outcome:
        """The run in JSON, which the expectations are about."""
        return self.run()

    @cached_property
    def report(self) -> Report | None:
        """The report of that run, None when stdout holds no JSON."""
        try:
            document: Json = json.loads(self.outcome.stdout)
        except ValueError:
            return None
        return read_report(document)

    @property
    def rated(self) -> Report:
        assert self.report is not None, f"no JSON on stdout\n{self.outcome.printed[-2000:]}"
        return self.report

    def fill(self, text: str) -> str:
        """Fill the place-holders of `run` and of patterns."""
        values = {
            "url": self.http.url if self.http else "",
            "ca-file": str(self.authority_file),
            "closed-port": str(self._closed_port),
            "server-line": shlex.join(self._played_command),
            **{name: str(port) for name, port in (self.http.ports if self.http else {}).items()},
        }
        for name, value in values.items():
            text = text.replace(f"{{{{{name}}}}}", value)
        return text

    def _argv(self, output: str, extra: Sequence[str]) -> list[str]:
        run = self.case.run
        argv = [*TOOL, PIN_OPTION, run.revision or self.case.revision, "--format", output]
        argv += [*(self.fill(option) for option in run.options), *extra]
        if self.case.transport == "http":
            return [*argv, self.fill(run.target or "{{url}}")]
        command = self._played_command if run.command is None else [self.fill(word) for word in run.command]
        return [*argv, "--", *command]

    @property
    def _played_command(self) -> list[str]:
        return [sys.executable, "-I", "-S", str(PLAY_STDIO), str(self.case_file), str(self.journal)]

    def _certificate(self) -> ssl.SSLContext:
        authority = trustme.CA()
        authority.cert_pem.write_to_path(str(self.authority_file))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("127.0.0.1").configure_cert(context)
        return context
