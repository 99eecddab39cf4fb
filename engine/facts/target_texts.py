"""How a target is written: the address of an endpoint, a command line, the value of a header.

Errors are ``ValueError``; their texts hold neither a value nor a command.
"""

from __future__ import annotations

import base64
import os
import re
import shlex
from urllib.parse import unquote, urlsplit, urlunsplit

_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")  # RFC 9110, field-vchar with obs-text, blanks inside


def endpoint(url: str) -> tuple[str, str | None]:
    """The address without user information and fragment, and the value of Authorization (RFC 7617) that its user
    information stands for, which is kept out of the address because every report repeats that.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise ValueError(f"the URL cannot be read: {error}") from error
    if not host or port == 0:
        raise ValueError(f"the URL names no {'port to connect to' if host else 'host'}")
    authorization = None
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        authorization = "Basic " + base64.b64encode(pair.encode()).decode("ascii")
        parts = parts._replace(netloc=parts.netloc.rpartition("@")[2])
    return urlunsplit(parts._replace(fragment="")), authorization


def command_words(line: str) -> tuple[str, ...]:
    """The words of a command line as a shell would read them; no shell is asked."""
    # On Windows the POSIX reading would eat the backslashes of paths.
    posix = os.name != "nt"
    words = [word if posix else word.strip('"') for word in shlex.split(line, posix=posix)]
    if not words:
        raise ValueError("it is empty")
    return tuple(words)


def header_value(value: str) -> str:
    """The value as a header carries it, without blanks around it."""
    value = value.strip(" \t")
    if "\r" in value or "\n" in value:
        raise ValueError("the value holds a line break, which a header cannot carry")
    if not _VALUE.fullmatch(value):
        raise ValueError("the value holds characters that a header cannot carry")
    if not value:
        raise ValueError("the value is empty")
    return value
