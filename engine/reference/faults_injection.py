"""Tools that do with a text argument what an attacker wants.

The attacks are real as far as that does no harm: the SQL is run on a table in memory, a URL on loopback is
fetched. A shell and the file system are only imitated, so that the server can be started anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote, urlsplit

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.fault_model import Fault, RpcHook, crash_on, is_method, texts
from mcp_compliance.reference.jsonrpc import JSONObject
from mcp_compliance.reference.session import Answer, Session
from mcp_compliance.reference.tools import said

TOO_LONG = 500_000

_SHELL = re.compile(r"[;|&`$%\n]")
_SUM = re.compile(r"(\d{1,9})[\s\\'\"]*([*+-])[\s\\'\"]*(\d{1,9})")

_PASSWD = (
    "root:x:0:0:root:/root:/bin/bash\n"
    "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
    "bin:x:2:2:bin:/bin:/usr/sbin/nologin\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
)
_SYSTEM_INI = "; for 16-bit app support\n[386Enh]\nwoafont=dosapp.fon\n[drivers]\nwave=mmdrv.dll\n[mci]\n"


def gives_in(attack: Callable[[str], str | None], gives: Callable[[str], JSONObject] = said) -> RpcHook:
    """Answer a call with what ``attack`` makes of one of its texts, unless it makes None of all of them."""

    def hook(answer: Answer, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        id_ = jsonrpc.request_id(message)
        arguments = jsonrpc.params_of(message).get("arguments") if is_method("tools/call")(message) else None
        found = next((hit for text in texts(arguments) if (hit := attack(text)) is not None), None)
        if id_ is None or found is None:
            yield from answer(session, message)
        else:
            yield jsonrpc.result(id_, gives(found))

    return hook


def shell(text: str) -> str | None:
    """What a shell would have computed, for the payloads that make one compute something."""
    operator = _SHELL.search(text)
    asked = _SUM.search(text, operator.start()) if operator else None
    if asked is None:
        return None
    left, right = int(asked[1]), int(asked[3])
    return str({"*": left * right, "+": left + right, "-": left - right}[asked[2]])


def sql(text: str) -> str | None:
    """What a database says to a query into which the text was pasted."""
    if "'" not in text:
        return None
    import sqlite3

    with sqlite3.connect(":memory:") as database:
        database.executescript(
            "CREATE TABLE notes (title TEXT, text TEXT);"
            "INSERT INTO notes VALUES ('Tides', 'High water'), ('Fog', 'The horn sounds');"
        )
        try:
            rows = database.execute(f"SELECT title, text FROM notes WHERE title = '{text}'").fetchall()
        except (sqlite3.Error, sqlite3.Warning) as problem:
            return f"{type(problem).__module__}.{type(problem).__name__}: {problem}"
    return "\n".join(f"{title}: {note}" for title, note in rows) or "no notes"


def path(text: str) -> str | None:
    """The file that a path leads to when nobody looks where it goes."""
    plain = unquote(unquote(text)).replace("\\", "/").lower()
    if "../" not in plain and not re.match(r"(/|[a-z]:/|file:/)", plain):
        return None
    if plain.endswith(".ini"):
        return _SYSTEM_INI
    return _PASSWD if "etc/passwd" in plain else None


def url(text: str) -> str | None:
    """What stands at a URL on loopback."""
    import ipaddress

    try:
        host = urlsplit(text).hostname or ""
        local = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return None
    return _fetched(text) if local else None


def _fetched(url: str) -> str:
    from urllib.error import HTTPError
    from urllib.request import ProxyHandler, build_opener

    try:
        with build_opener(ProxyHandler({})).open(url, timeout=2) as response:
            return str(response.read(4000).decode("utf-8", "replace"))
    except HTTPError as problem:
        return f"the page answers {problem.code}"
    except (OSError, ValueError):
        return "the page cannot be reached"


def _is_long(message: JSONObject) -> bool:
    return is_method("tools/call")(message) and any(len(text) >= TOO_LONG for text in texts(jsonrpc.params_of(message)))


def _has_prototype(message: JSONObject) -> bool:
    arguments = jsonrpc.as_object(jsonrpc.params_of(message).get("arguments"))
    return is_method("tools/call")(message) and "__proto__" in arguments


_long_crash = crash_on(_is_long)
_prototype_crash = crash_on(_has_prototype)

FAULTS = (
    Fault(
        "shell-in-tools",
        "A text that reaches a tool is not run by a shell.",
        ("security-command-injection",),
        rpc=gives_in(shell),
    ),
    Fault(
        "sql-in-tools",
        "A text that reaches a tool does not become part of an SQL statement.",
        ("security-sql-injection",),
        rpc=gives_in(sql),
    ),
    Fault(
        "paths-in-tools",
        "A path that reaches a tool does not lead out of what the tool serves.",
        ("security-path-traversal",),
        rpc=gives_in(path),
    ),
    Fault(
        "urls-in-tools",
        "A URL that reaches a tool does not lead to internal addresses.",
        ("security-ssrf-internal",),
        rpc=gives_in(url),
    ),
    Fault(
        "long-text-crashes",
        "A very long argument does no harm.",
        ("security-oversized-input",),
        rpc=_long_crash.rpc,
        http=_long_crash.http,
    ),
    Fault(
        "extra-argument-crashes",
        "An argument that the tool does not know does no harm.",
        ("security-extra-params",),
        rpc=_prototype_crash.rpc,
        http=_prototype_crash.http,
    ),
)
