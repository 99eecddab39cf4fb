"""Where a command writes: data on standard output, words for people on standard error."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from mcp_compliance.reporters.untrusted import visible

if TYPE_CHECKING:
    from mcp_compliance.reporters.style import Style

_NARROWEST, _WIDEST = 60, 120


def say(message: str) -> None:
    """One line on standard error, under the tool's name."""
    tell(f"mcp-compliance: {visible(message, lines=True)}")


def tell(line: str) -> None:
    """``line`` as it is on standard error. Where nobody can hear it, the work goes on."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def notes(lines: Iterable[str]) -> None:
    for line in lines:
        say(f"note: {line}")


_unwritten: list[str] = []


def write(text: str) -> None:
    """``text`` on standard output as UTF-8. A reader that went away early (``| head``) is not an error; any other is
    what `unwritten` gives, and the work goes on.
    """
    try:
        sys.stdout.flush()
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:  # replaced by a text-only stream, as tests do
            sys.stdout.write(text)
        else:
            buffer.write(text.encode("utf-8", errors="replace"))
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
    except OSError as error:
        _unwritten.append(error.strerror or str(error))
        silence(sys.stdout)


def unwritten() -> str | None:
    """Why standard output could not be written since this was asked last; None where all was."""
    reason = _unwritten[0] if _unwritten else None
    _unwritten.clear()
    return reason


def silence(stream: TextIO) -> None:
    """Send what the stream still holds, and all that follows, nowhere: it would fail again, at exit, too."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def colored(stream: object, *, no_color: bool) -> bool:
    """Colour only for a terminal that shows it, and never against ``--no-color`` or ``NO_COLOR``."""
    if no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return is_terminal(stream)


def is_terminal(stream: object) -> bool:
    isatty = getattr(stream, "isatty", None)
    return bool(isatty is not None and isatty())


def style(*, no_color: bool) -> Style:
    """How a report looks on standard output as it is now."""
    from mcp_compliance.reporters.style import Style

    width = shutil.get_terminal_size(fallback=(100, 24)).columns
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    return Style(
        width=max(_NARROWEST, min(width, _WIDEST)),
        color=colored(sys.stdout, no_color=no_color),
        unicode=encoding.startswith("utf"),
        whole_lines=not is_terminal(sys.stdout),
    )
