"""Carries out one run for the command line: listens, prints the report, and says how it ended."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from mcp_compliance import __version__
from mcp_compliance.catalog.index import known_revisions
from mcp_compliance.cli import output
from mcp_compliance.cli.errors import EXIT_CANNOT, UserError
from mcp_compliance.cli.gates import Gates, outcome
from mcp_compliance.cli.progress import ProgressListener, Watching
from mcp_compliance.cli.termination import Termination
from mcp_compliance.model.events import Listener
from mcp_compliance.model.options import RunOptions
from mcp_compliance.model.result import Report
from mcp_compliance.reporters import REPORTERS

if TYPE_CHECKING:
    from mcp_compliance.cli.report_files import ReportFile


T = TypeVar("T")

STREAMED = "ndjson"
"""The format that is written while the run goes on: an event for each rule that ends."""


@dataclass(frozen=True)
class Presentation:
    """How the run and its report are shown."""

    format: str
    files: tuple[ReportFile, ...] = ()
    evidence: Path | None = None
    verbose: bool = False
    no_color: bool = False


def run(options: RunOptions, gates: Gates, shown: Presentation) -> int:
    """Grade the target, print the report on standard output, and return the exit code.

    Raises KeyboardInterrupt, after everything is cleaned up, when the run is interrupted.
    """
    people = shown.format == "terminal"
    report = gates.marked(graded(options, shown))
    if shown.format == STREAMED:
        from mcp_compliance.reporters.ndjson import ending

        output.write(ending(report))
    else:
        output.write(REPORTERS[shown.format](report, output.style(no_color=shown.no_color)))
    unwritten = write_files(report, shown)
    ended = outcome(report, gates)
    if not (people and report.error is not None):  # that report says it in red
        output.notes(ended.notes)
        for reason in ended.reasons:
            output.say(reason)
    return EXIT_CANNOT if unwritten else ended.code


def graded(options: RunOptions, shown: Presentation) -> Report:
    """The report of one run, while which people, or readers of a stream, are told of what goes on."""
    people = shown.format == "terminal"
    # of a stream that is on the same terminal a bar would cut the lines into pieces
    bar = shown.format != STREAMED or not output.is_terminal(sys.stdout)
    watching = Watching(bar=bar, status=people, verbose=shown.verbose, no_color=shown.no_color)
    with ProgressListener(watching) as progress, Termination() as termination:
        if shown.format != STREAMED:
            return _report(options, progress, termination, verbose=shown.verbose)
        from mcp_compliance.cli.event_stream import EventStream

        with EventStream(progress) as stream:
            return _report(options, stream, termination, verbose=shown.verbose)


def write_files(report: Report, shown: Presentation) -> bool:
    """Write the reports and the evidence that were asked for; whether one could not be written, which is said."""
    from mcp_compliance.cli.report_files import write_reports

    wrong = list(write_reports(shown.files, report))
    if shown.evidence is not None:
        from mcp_compliance.cli.evidence_file import write_evidence

        wrong += write_evidence(shown.evidence, report)
    for line in wrong:
        output.say(line)
    return bool(wrong)


def carried_out(work: Callable[[], Awaitable[T]], termination: Termination) -> T:
    """What ``work`` returns, done in trio. Raises `UserError` for a credential command that prints none, and
    KeyboardInterrupt, after everything is cleaned up, when the run is interrupted.
    """
    import trio

    from mcp_compliance.wire.errors import CredentialError

    async def guarded() -> T:
        return await termination.guard(work)

    try:
        # elsewhere than at checkpoints Ctrl+C may hit the starting of a task, and leave trio in pieces
        return trio.run(guarded, restrict_keyboard_interrupt_to_checkpoints=True)
    except CredentialError as error:
        raise UserError(f"--auth-command: {error}") from error
    except BaseExceptionGroup as group:
        if _interrupted(group):
            raise KeyboardInterrupt from None
        raise


def _report(options: RunOptions, listener: Listener, termination: Termination, *, verbose: bool) -> Report:
    from mcp_compliance.suite.run import run_suite

    try:
        return carried_out(lambda: run_suite(options, listener), termination)
    except UserError:
        raise
    except Exception as error:
        if verbose:
            traceback.print_exc(file=sys.stderr)
        return _failed(options, error)


def _interrupted(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return any(_interrupted(inner) for inner in error.exceptions)
    return isinstance(error, KeyboardInterrupt)


def _failed(options: RunOptions, error: Exception) -> Report:
    """The report of a run that ended in a fault of this tool; machine formats stay valid even then."""
    from mcp_compliance.suite.report import display
    from mcp_compliance.suite.setup import secrets_of

    revisions = known_revisions()
    target = options.target
    return Report(
        spec_version=options.spec_version or (revisions[-1] if revisions else "unknown"),
        tool_version=__version__,
        url=display(options, secrets_of(options)),
        transport=target.transport,
        timestamp=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        results=(),
        seed=options.seed or 0,
        error=in_words(options, error, "--verbose shows where; please report it"),
    )


def in_words(options: RunOptions, error: Exception, hint: str) -> str:
    """A fault of this tool in one line, without what is secret about the run."""
    from mcp_compliance.suite.setup import secrets_of

    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    words = f"internal error, {type(error).__name__}: {error} ({hint})"
    return secrets_of(options).mask(" ".join(words.split()))
