"""Where a finding about a server is, for tools that know findings in files only.

Code scanning throws a whole file away for one result without a location, wants each to be relative to the repository,
and opens an alert anew when it moves. So a script of the command that starts the server is the place, since that is
most likely a file of the repository; else the command itself, or the address of the endpoint, written like a path.
Ports and absolute paths are left out: they differ from run to run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote, urlsplit

from mcp_compliance.model.result import Report

_SCRIPTS = frozenset(
    {
        "bash",
        "bat",
        "cjs",
        "cmd",
        "cts",
        "dll",
        "exe",
        "exs",
        "go",
        "jar",
        "js",
        "jsx",
        "kts",
        "lua",
        "mjs",
        "mts",
        "php",
        "pl",
        "ps1",
        "py",
        "pyz",
        "rb",
        "rs",
        "sh",
        "ts",
        "tsx",
    }
)
_LONGEST = 200
_NAMELESS = "server"


def location_of(report: Report) -> str:
    """A relative reference as RFC 3986 has it: no scheme, no leading slash, no segment that goes up."""
    if report.transport == "stdio":
        words = report.url.removeprefix("stdio:").split()
        return _reference(_script(words) or _command(words))
    try:
        parts = urlsplit(report.url)
        return _reference(f"{parts.hostname or _NAMELESS}{parts.path}")
    except ValueError:
        return _NAMELESS


def _script(words: Sequence[str]) -> str:
    """The first word that names a script: whole where it is a path below here, else the last part of it."""
    for word in words[1:]:
        path = word.replace("\\", "/").removeprefix("./")
        if re.match(r"[-@]|\w+:/", path) and not _is_absolute(path):
            continue
        if path.rpartition(".")[2].lower() in _SCRIPTS and "." in path:
            return path.rpartition("/")[2] if _is_absolute(path) else path
    return ""


def _command(words: Sequence[str]) -> str:
    program = words[0].replace("\\", "/").rpartition("/")[2] if words else ""
    return " ".join([program, *(word for word in words[1:] if not _is_absolute(word.replace("\\", "/")))])


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or ".." in path.split("/") or re.match(r"[A-Za-z]:/", path) is not None


def _reference(path: str) -> str:
    parts = [part for part in path[:_LONGEST].split("/") if part not in ("", ".", "..")]
    # a colon in the first part would make a scheme of what stands in front of it
    return "/".join(quote(part, safe="@", errors="replace") for part in parts) or _NAMELESS
