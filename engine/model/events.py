"""What a run tells while it goes on, to whoever listens: progress, verbose output, streaming formats."""

from __future__ import annotations

from typing import Protocol

from mcp_compliance.model.result import Result


class Listener(Protocol):
    """Receives events of a run, in order, on the run's own task. Must not block for long and must not raise."""

    def planned(self, total: int, spec_version: str) -> None:
        """The plan stands: so many rules will run."""

    def started(self, rule_id: str) -> None: ...

    def finished(self, result: Result) -> None: ...

    def status(self, message: str) -> None:
        """A line for people about a wait before the first rule."""

    def server_stderr(self, line: str) -> None:
        """A line that the stdio server wrote to its standard error, when forwarding is on."""


class Silence:
    """A listener that does nothing."""

    def planned(self, total: int, spec_version: str) -> None:
        return

    def started(self, rule_id: str) -> None:
        return

    def finished(self, result: Result) -> None:
        return

    def status(self, message: str) -> None:
        return

    def server_stderr(self, line: str) -> None:
        return
