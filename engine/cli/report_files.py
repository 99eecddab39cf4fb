"""``--report FORMAT=FILE`` and ``--output``: reports beside the one on standard output."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_compliance.cli.errors import UserError, one_of
from mcp_compliance.reporters import BADGE, REPORTERS, Reporter

if TYPE_CHECKING:
    from mcp_compliance.model.result import Report
    from mcp_compliance.reporters.style import Style

FILE_WIDTH = 100


@dataclass(frozen=True)
class ReportFile:
    """One further report. ``option`` is how the user asked for it, for messages."""

    option: str
    path: Path
    reporter: Reporter


def report_files(pairs: Sequence[str], badge: Path | None) -> tuple[ReportFile, ...]:
    """What is to be written after the run. Raises `UserError`, also for a folder that is not there: nobody wants to
    learn of it when the run is over.
    """
    found = [_report_file(pair) for pair in pairs]
    if badge is not None:
        found.append(ReportFile("--output", badge, BADGE))
    for file in found:
        writable(file.option, file.path)
    return tuple(found)


def writable(option: str, path: Path) -> None:
    """Raises `UserError` where no file can be written under this name."""
    if path.is_dir():
        raise UserError(f"{option} {path}: is a folder; name a file")
    if not path.absolute().parent.is_dir():
        raise UserError(f"{option} {path}: there is no folder {path.parent}; make it first")
    if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        raise UserError(f"{option} {path}: may not be written")


def _report_file(pair: str) -> ReportFile:
    form, equals, file = pair.partition("=")
    if not equals or not file:
        raise UserError(f"--report {pair}: expected FORMAT=FILE, as in junit=report.xml")
    name = one_of("--report", form, tuple(REPORTERS))
    return ReportFile(f"--report {name}", Path(file), REPORTERS[name])


def write_reports(files: Sequence[ReportFile], report: Report) -> tuple[str, ...]:
    """Write them all; returns a line for each that could not be written."""
    from mcp_compliance.reporters.style import Style

    style = Style(width=FILE_WIDTH, whole_lines=True)
    return tuple(line for file in files if (line := _write(file, report, style)) is not None)


def _write(file: ReportFile, report: Report, style: Style) -> str | None:
    return write_whole(file.option, file.path, file.reporter(report, style))


def write_whole(option: str, path: Path, text: str) -> str | None:
    """Write the file whole or not at all; returns what went wrong."""
    try:
        if path.exists() and not path.is_file():  # /dev/stderr and its like cannot be replaced
            path.write_text(text, encoding="utf-8", errors="replace")
            return None
        handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
        try:
            with open(handle, "w", encoding="utf-8", errors="replace", newline="\n") as stream:
                stream.write(text)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        return f"{option} {path}: not written: {error.strerror or error}"
    return None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
