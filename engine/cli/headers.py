"""``-H`` and ``--auth``: headers for an HTTP target. Values never appear in messages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from mcp_compliance.cli.errors import UserError

Header = tuple[str, str]

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, token
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")  # RFC 9110, field-vchar with obs-text, blanks inside


def headers(lines: Iterable[str], auth: str | None, file: Path | None = None) -> tuple[Header, ...]:
    """Headers of ``file`` and of ``lines`` (each ``Name: value``), and ``auth`` as ``Authorization``.

    Raises `UserError`.
    """
    found = [_header(line) for line in lines]
    if auth is not None:
        if any(name.lower() == "authorization" for name, _ in found):
            raise UserError("--auth and -H both set Authorization; leave one of them out")
        found.append(("Authorization", _checked("--auth", auth)))
    return tuple(found)


def _header(line: str) -> Header:
    name, colon, value = line.partition(":")
    name = name.strip(" ")
    if not colon or not _NAME.fullmatch(name):
        raise UserError("-H/--header: expected 'Name: value' with a header name before the colon")
    return name, _checked(f"-H {name}", value)


def _checked(where: str, value: str) -> str:
    value = value.strip(" \t")
    if "\r" in value or "\n" in value:
        raise UserError(f"{where}: the value holds a line break, which a header cannot carry")
    if not _VALUE.fullmatch(value):
        raise UserError(f"{where}: the value holds characters that a header cannot carry")
    if not value:
        raise UserError(f"{where}: the value is empty")
    return value
