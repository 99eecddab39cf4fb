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
    if str(path) == "-":
        raise UserError(f"{option} -: name a file; what goes to standard output is chosen with --format")
    try:
        if path.is_dir():
            raise UserError(f"{option} {path}: is a folder; name a file")
        if not path.absolute().parent.is_dir():
            raise UserError(f"{option} {path}: there is no folder {path.parent}; make it first")
        if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
            raise UserError(f"{option} {path}: may not be written")
    except OSError as error:  # a name that is too long, a folder that is gone
        raise UserError(f"{option} {path}: cannot be written: {error.strerror or error}") from error


def distinct(written: Sequence[tuple[str, Path]], read: Sequence[tuple[str, Path | None]]) -> None:
    """Raises `UserError` where two options name one file, and one of them writes it. Devices are no such files."""
    seen = {os.path.realpath(path): option for option, path in read if path is not None}
    for option, path in written:
        place = os.path.realpath(path)
        if place in seen and (path.is_file() or not path.exists()):
            raise UserError(f"{option} {path}: is the file of {seen[place]}, too; name another one")
        seen[place] = option


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
        if _is_device(path):
            with open(path, "a", encoding="utf-8", errors="replace", newline="\n") as stream:
                stream.write(text)
            return None
        place = Path(os.path.realpath(path))  # a link stays one
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
        try:
            with open(handle, "w", encoding="utf-8", errors="replace", newline="\n") as stream:
                stream.write(text)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, place)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        return f"{option} {path}: not written: {error.strerror or error}"
    return None


def _is_device(path: Path) -> bool:
    """Whether this is no file that could be replaced, and be it only the name of one: /dev/stdout is a link."""
    names_another = path.is_symlink() and path.absolute().is_relative_to("/dev")
    return (path.exists() and not path.is_file()) or names_another or path.absolute().is_relative_to("/proc")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
