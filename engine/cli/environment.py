"""``-E`` and ``--env-file``: environment variables for a command. Values never appear in messages."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from mcp_compliance.cli import input_files
from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.expansion import Expansion


def variables(pairs: Iterable[str], file: Path | None, expansion: Expansion | None = None) -> dict[str, str]:
    """The variables of ``file``, as they stand there, overridden by ``pairs`` (each ``KEY=VALUE``), in which
    references are filled in. Raises `UserError`.
    """
    expansion = expansion or Expansion()
    found = {} if file is None else from_file(file, "--env-file")
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UserError("-E/--env: expected KEY=VALUE; -E 'KEY=${KEY}' takes the value from the environment")
        if "\0" in pair:
            raise UserError(f"-E {name}: the value holds a NUL character")
        found[name] = expansion.fill(value, f"-E {name}")
    return found


def from_file(path: Path, option: str) -> dict[str, str]:
    """The variables of a dotenv file. Raises `UserError`, which names ``option``."""
    from dotenv.parser import parse_stream  # only when a file is named: start-up time

    try:
        text = input_files.text(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UserError(f"{option} {path}: cannot be read: {reason}") from error
    found: dict[str, str] = {}
    for binding in parse_stream(io.StringIO(text)):
        if binding.error:
            raise UserError(f"{option} {path}:{binding.original.line}: expected KEY=VALUE")
        if binding.key is None:  # a comment or a blank line
            continue
        if binding.value is None:
            # not named: it may be a line of a secret
            raise UserError(f"{option} {path}:{binding.original.line}: expected KEY=VALUE, but there is no = sign")
        if "\0" in binding.key + binding.value:
            raise UserError(f"{option} {path}:{binding.original.line}: holds a NUL character")
        found[binding.key] = binding.value
    return found
