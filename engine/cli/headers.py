"""``-H``, ``--header-file`` and ``--auth``: headers for an HTTP target. Values never appear in messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from mcp_compliance.cli import input_files
from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.expansion import Expansion
from mcp_compliance.facts.header_values import TOKEN
from mcp_compliance.facts.target_texts import header_value

Header = tuple[str, str]


def headers(
    lines: Iterable[str], auth: str | None, file: Path | None = None, expansion: Expansion | None = None
) -> tuple[Header, ...]:
    """Headers of ``file`` and of ``lines`` (each ``Name: value``), and ``auth`` as ``Authorization``. A header that
    stands on the command line takes the place of the file's.

    Raises `UserError`.
    """
    expansion = expansion or Expansion()
    found = [_header(line, "-H/--header", "-H ", expansion) for line in lines]
    if auth is not None:
        if any(name.lower() == "authorization" for name, _ in found):
            raise UserError("--auth and -H both set Authorization; leave one of them out")
        found.append(("Authorization", checked("--auth", auth, expansion)))
    return over(() if file is None else from_file(file, "--header-file", expansion), found)


def over(below: Iterable[Header], above: Sequence[Header]) -> tuple[Header, ...]:
    """Both, without those ``below`` whose name stands ``above``."""
    return (*without(below, above), *above)


def without(these: Iterable[Header], those: Sequence[Header]) -> tuple[Header, ...]:
    """``these`` whose name is not among ``those``."""
    names = {name.lower() for name, _ in those}
    return tuple(header for header in these if header[0].lower() not in names)


def checked(where: str, value: str, expansion: Expansion) -> str:
    """``value`` as a header can carry it, its references filled in. Raises `UserError`, which names ``where``."""
    try:
        return header_value(expansion.fill(value, where))
    except ValueError as error:
        raise UserError(f"{where}: {error}") from None


def is_header_name(name: str) -> bool:
    return TOKEN.fullmatch(name) is not None


def _header(line: str, where: str, before_name: str, expansion: Expansion) -> Header:
    name, colon, value = line.partition(":")
    name = name.strip(" ")
    if not colon or not is_header_name(name):
        raise UserError(f"{where}: expected 'Name: value' with a header name before the colon")
    return name, checked(f"{before_name}{name}", value, expansion)


def from_file(path: Path, option: str, expansion: Expansion) -> tuple[Header, ...]:
    """The headers of a file: one a line; blank lines and those that begin with # say nothing. Raises `UserError`, which
    names ``option``.
    """
    try:
        lines = input_files.text(path).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UserError(f"{option} {path}: cannot be read: {reason}") from error
    return tuple(
        _header(line, f"{option} {path}:{number}", f"{option} {path}:{number}: ", expansion)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith("#")
    )
