"""The target of a run from what a caller gives. Nothing is connected or started. Messages hold no secret value."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from mcp_compliance.facts.header_values import TOKEN
from mcp_compliance.facts.target_texts import command_words, endpoint, header_value
from mcp_compliance.model.options import HttpTarget, Network, StdioTarget, Target

Header: TypeAlias = tuple[str, str]

_URL = re.compile(r"https?://", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_ADDRESS = re.compile(r"(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?/\S*|(localhost|[\w.-]+):\d+", re.ASCII)


def target_of(given: str | Sequence[str] | Target) -> Target:
    """A URL, a command line in one text, the words of a command, or a target that is one already.

    Raises ``ValueError`` and ``TypeError``.
    """
    if isinstance(given, HttpTarget):
        if not _URL.match(given.url):
            raise ValueError("target: the URL of an HttpTarget begins with http:// or https://")
        address, headers = _http(given.url), headers_of(given.headers, None)
        if not any(name.lower() == "authorization" for name, _ in headers):
            headers = (*address.headers, *headers)
        return replace(given, url=address.url, headers=headers)
    if isinstance(given, StdioTarget):
        return replace(given, command=_words(given.command), env=variables(given.env))
    if isinstance(given, str):
        return _http(given) if _URL.match(given) else StdioTarget(_command(given))
    words = _words(given)
    if _URL.match(words[0]):
        raise ValueError("target: a URL is given as a text, not as the first of several words")
    return StdioTarget(words)


def with_more(
    target: Target,
    headers: Sequence[Header],
    env: Mapping[str, str],
    cwd: Path | None,
    network: Network,
    auth_command: Sequence[str] = (),
) -> Target:
    """The target with these on top of its own. Raises ``ValueError`` for what does not go with it."""
    if isinstance(target, HttpTarget):
        _refuse("a URL", env=env, cwd=cwd)
        names = {name.lower() for name, _ in headers}
        kept = tuple(header for header in target.headers if header[0].lower() not in names)
        every = (*kept, *headers)
        if auth_command and any(name.lower() == "authorization" for name, _ in every):
            raise ValueError("auth_command: the target or the options set Authorization too; leave one of them out")
        return replace(target, headers=every) if headers else target
    _refuse("a command", headers=headers, auth_command=auth_command, network=None if network == Network() else network)
    if cwd is not None and not cwd.is_dir():
        raise ValueError(f"cwd: {cwd} is no directory")
    return replace(target, env={**target.env, **env}, cwd=target.cwd if cwd is None else cwd)


def headers_of(given: Mapping[str, str] | Sequence[Header], auth: str | None) -> tuple[Header, ...]:
    """Headers in their order, ``auth`` as Authorization. Raises ``ValueError`` and ``TypeError``."""
    pairs = given.items() if isinstance(given, Mapping) else given
    found: list[Header] = []
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2:
            raise TypeError("headers: expected a mapping, or pairs of a name and a value")
        name, value = pair
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError("headers: names and values are texts")
        if not TOKEN.fullmatch(name):
            raise ValueError(f"headers: {name!r} is no name that a header can have")
        found.append((name, _value(f"headers: {name}", value)))
    if auth is not None:
        if not isinstance(auth, str):
            raise TypeError("auth: expected a text")
        if any(name.lower() == "authorization" for name, _ in found):
            raise ValueError("auth: headers set Authorization too; leave one of them out")
        found.append(("Authorization", _value("auth", auth)))
    return tuple(found)


def _value(where: str, value: str) -> str:
    try:
        return header_value(value)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _http(url: str) -> HttpTarget:
    try:
        address, authorization = endpoint(url)
    except ValueError as error:
        raise ValueError(f"target: {error}") from error
    return HttpTarget(address, () if authorization is None else (("Authorization", authorization),))


def _command(line: str) -> tuple[str, ...]:
    if scheme := _SCHEME.match(line):
        raise ValueError(f"target: {scheme.group()} addresses are not supported; use http:// or https://")
    if shutil.which(line) is not None or (line.strip() and Path(line).exists()):
        return (line,)
    if _ADDRESS.fullmatch(line):
        raise ValueError(f"target: {line} is neither a URL nor a command; did you mean http://{line}?")
    if not line.strip():
        raise ValueError("target: it is empty; give a URL or a command")
    try:
        return command_words(line)
    except ValueError as error:
        raise ValueError(f"target: the command cannot be taken apart: {error}") from error


def _words(given: object) -> tuple[str, ...]:
    if not isinstance(given, Sequence) or not all(isinstance(word, str) for word in given):
        raise TypeError(f"target: expected a text or a sequence of texts, not {type(given).__name__}")
    if not given or not given[0].strip():
        raise ValueError("target: no word of a command is given")
    return tuple(given)


def variables(env: Mapping[str, str]) -> Mapping[str, str]:
    """``env``, if a process can have these variables. Raises ``ValueError`` and ``TypeError``."""
    for name, value in env.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError("env: names and values are texts")
        if not name or "=" in name or "\0" in name + value:
            raise ValueError(f"env: {name!r} or its value cannot stand in an environment")
    return env


def _refuse(what: str, **given: object) -> None:
    other = "a command" if what == "a URL" else "a URL"
    for name, value in given.items():
        if value:
            raise ValueError(f"{name}: applies to {other}, and the target is {what}")
