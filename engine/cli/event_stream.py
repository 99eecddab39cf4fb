"""``--format ndjson``: events on standard output while the run goes on, each line at once."""

from __future__ import annotations

from types import TracebackType

from mcp_compliance.cli import output
from mcp_compliance.cli.errors import UserError
from mcp_compliance.model.events import Listener
from mcp_compliance.model.result import Result
from mcp_compliance.reporters import ndjson


class EventStream:
    """Writes what happens, and passes it on to another listener. A reader that goes away does not end the run.

    As a context manager it ends the stream of a run that comes to no report; the ending of others is written by whoever
    gets the report.
    """

    def __init__(self, inner: Listener) -> None:
        self._inner = inner

    def __enter__(self) -> EventStream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(error, KeyboardInterrupt):
            output.write(ndjson.broken_off("interrupted"))
        elif isinstance(error, UserError):
            output.write(ndjson.broken_off(str(error)))

    def planned(self, total: int, spec_version: str) -> None:
        output.write(ndjson.beginning(total, spec_version))
        self._inner.planned(total, spec_version)

    def started(self, rule_id: str) -> None:
        self._inner.started(rule_id)

    def finished(self, result: Result) -> None:
        output.write(ndjson.test(result))
        self._inner.finished(result)

    def status(self, message: str) -> None:
        output.write(ndjson.status(message))
        self._inner.status(message)

    def server_stderr(self, line: str) -> None:
        self._inner.server_stderr(line)
