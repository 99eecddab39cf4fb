"""What is to be graded: a URL, or a command with its arguments."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from mcp_compliance.cli.arguments import is_url
from mcp_compliance.cli.connections import check_connections
from mcp_compliance.cli.environment import from_file, variables
from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.expansion import Expansion
from mcp_compliance.cli.headers import Header, checked, headers, over, without
from mcp_compliance.cli.headers import from_file as headers_of
from mcp_compliance.cli.saved_target import SavedTarget
from mcp_compliance.facts.target_texts import command_words, endpoint
from mcp_compliance.model.options import HttpTarget, Network, StdioTarget, Target
from mcp_compliance.model.secrets import Secrets

_OTHER_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_HALF_A_SCHEME = re.compile(r"(https?):/?(?=[^/])", re.IGNORECASE)
_HOST = re.compile(r"(?P<name>localhost|[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+|[A-Za-z0-9.-]+(?=:))(:\d{1,5})?(/\S*)?")
_INTERPRETERS = {".py": "python", ".js": "node", ".mjs": "node", ".cjs": "node", ".sh": "sh", ".rb": "ruby"}
_FILES = {*_INTERPRETERS, ".ts", ".exe", ".cmd", ".bat", ".jar", ".json", ".md"}


@dataclass(frozen=True)
class TargetOptions:
    """Options about the target, as given: headers for a URL, the rest for a command."""

    headers: tuple[str, ...] = ()
    header_file: Path | None = None
    auth: str | None = None
    auth_command: str | None = None
    network: Network = Network()
    env: tuple[str, ...] = ()
    env_file: Path | None = None
    cwd: Path | None = None


def read_target(words: Sequence[str], options: TargetOptions, saved: SavedTarget | None = None) -> Target:
    """The target that ``words`` name, or else the ``saved`` one; ``options`` come on top. References to the
    environment are filled in, but not in a command line: there they are the shell's. Raises `UserError`.
    """
    if not words and saved is not None:
        return _saved(saved, options)
    if not words or not words[0].strip():
        raise UserError(
            "no target: give a URL, a command that starts a server, or --demo; "
            "mcp-compliance init writes a configuration file that names one"
        )
    if is_url(words[0]):
        if len(words) > 1:
            raise UserError(f"unexpected argument {words[1]} after the URL")
        return _http(words[0], "the URL", options)
    refuse_scheme(words[0])
    return _stdio(words, options)


def refuse_scheme(word: str) -> None:
    """Raises `UserError` for an address that is none of HTTP's, and would be taken for a command."""
    if scheme := _OTHER_SCHEME.match(word):
        raise UserError(f"{scheme.group()} addresses are not supported; use http:// or https://")


def _saved(saved: SavedTarget, options: TargetOptions) -> Target:
    if saved.url is None:
        return _stdio(saved.command, options, saved)
    return _http(saved.url, f"{saved.place}: url", options, saved)


def _http(address: str, place: str, options: TargetOptions, saved: SavedTarget | None = None) -> HttpTarget:
    _refuse("a URL", {"-E/--env": options.env, "--env-file": options.env_file, "--cwd": options.cwd})
    of_address, expansion = Expansion(), Expansion()
    url = filled_address(address, place, of_address)
    if not is_url(url):
        raise UserError(f"{place}: expected an address that begins http:// or https://")
    try:
        endpoint_url, authorization = endpoint(url)
    except ValueError as error:
        raise UserError(Secrets(of_address.secrets).mask(str(error))) from error
    given = headers(options.headers, options.auth, options.header_file, expansion)
    kept: tuple[Header, ...] = ()
    if authorization is not None:
        if saved is None and any(name.lower() == "authorization" for name, _ in given):
            raise UserError("credentials stand in the URL and in -H or --auth; leave one of them out")
        kept = (("Authorization", authorization),)
    if saved is not None:
        kept = over(kept, _saved_headers(saved, given, expansion))
    every = over(kept, given) if saved is not None else (*given, *kept)
    if options.auth_command is not None:
        if any(name.lower() == "authorization" for name, _ in (given if saved is not None else every)):
            raise UserError(
                "--auth-command and the URL, -H, --header-file or --auth both set Authorization; leave one of them out"
            )
        every = without(every, (("Authorization", ""),))
    check_connections(options.network)
    # Where a server is, is no secret: a report that does not say it is of no use.
    hidden = [value for value in of_address.secrets if not is_url(value) and value not in urlsplit(endpoint_url).netloc]
    secrets = tuple(dict.fromkeys((*hidden, *expansion.secrets)))
    return HttpTarget(endpoint_url, every, secrets=secrets)


def _saved_headers(saved: SavedTarget, given: Sequence[Header], expansion: Expansion) -> tuple[Header, ...]:
    """Those that are not overridden, which need not even be in the environment."""
    own = [
        (name, checked(f"{saved.place}: header {name}", text, expansion))
        for name, text in without(saved.headers, given)
    ]
    file = saved.header_file
    return over(() if file is None else headers_of(file, f"{saved.place}: headerFile", expansion), own)


def filled_address(address: str, place: str, expansion: Expansion) -> str:
    """The address, its references filled in; values inside of user information or of the query are coded for there.
    Raises `UserError`.
    """

    def coded(value: str) -> str:
        return quote(value, safe="")

    head, mark, query = address.partition("?")
    scheme, slashes, rest = head.partition("://")
    if "${" in scheme:  # a reference that brings the scheme brings whatever it needs
        return expansion.fill(address, place)
    authority, slash, path = rest.partition("/")
    user, at, host = authority.rpartition("@")
    server = expansion.fill(user, place, coded) + at + expansion.fill(host, place)
    return scheme + slashes + server + slash + expansion.fill(path, place) + mark + expansion.fill(query, place, coded)


def _stdio(words: Sequence[str], options: TargetOptions, saved: SavedTarget | None = None) -> StdioTarget:
    network = options.network
    _refuse(
        "a command",
        {
            "-H/--header": options.headers,
            "--header-file": options.header_file,
            "--auth": options.auth,
            "--auth-command": options.auth_command,
            "--cacert": network.ca_file,
            "--insecure": network.insecure,
            "--proxy": network.proxy,
        },
    )
    expansion = Expansion()
    env = variables(options.env, options.env_file, expansion)
    cwd, where = options.cwd, "--cwd"
    if saved is not None:
        own = {name: text for name, text in saved.env.items() if name not in env}
        env = {name: expansion.fill(text, f"{saved.place}: env {name}") for name, text in own.items()} | env
        if saved.env_file is not None:
            env = from_file(saved.env_file, f"{saved.place}: envFile") | env
        if cwd is None and saved.cwd is not None:
            cwd, where = saved.cwd, f"{saved.place}: cwd"
    if cwd is not None and not os.path.isdir(cwd):
        raise UserError(f"{where} {cwd}: no such directory")
    command = _unquoted(words, cwd)
    if saved is not None:  # taken apart before: what the environment holds is one word, whatever is in it
        place = f"{saved.place}: the command"
        command = [Expansion().fill(command[0], place), *(expansion.fill(word, place) for word in command[1:])]
    if shutil.which(command[0], path=env.get("PATH")) is None:
        _refuse_slips(command, cwd)
    return StdioTarget(tuple(command), env, cwd, secrets=expansion.secrets)


def _refuse_slips(command: Sequence[str], cwd: Path | None) -> None:
    """What cannot be started, where it shows what was meant."""
    word, suffix = command[0], Path(command[0]).suffix.lower()
    if Path(word).name == word and " " not in word and (cwd or Path()).joinpath(word).is_file():
        how = f"{_INTERPRETERS[suffix]} {word}" if suffix in _INTERPRETERS else f"./{word}"
        raise UserError(f"{word} is a file and not a command; did you mean {how}?")
    if len(command) > 1 or _exists(word, cwd):
        return
    url = None
    if half := _HALF_A_SCHEME.match(word):
        url = f"{half[1].lower()}://{word[half.end() :]}"
    elif (host := _HOST.fullmatch(word)) and (":" in word or "/" in word or suffix not in _FILES):
        near = host["name"] == "localhost" or host["name"].replace(".", "").isdigit() or "." not in host["name"]
        url = f"{'http' if near or ':' in word else 'https'}://{word}"
    if url is not None:
        raise UserError(f"{word} is neither a URL nor a command; did you mean {url}?")


def _unquoted(words: Sequence[str], cwd: Path | None) -> list[str]:
    """A whole command line in one pair of quotes is taken apart, unless a file has that very name."""
    if len(words) > 1 or not re.search(r"\s", words[0]) or _exists(words[0], cwd):
        return list(words)
    return list(taken_apart("the command", words[0]))


def taken_apart(what: str, line: str) -> tuple[str, ...]:
    """The words of a command line as a shell would read them; no shell is asked. Raises `UserError`, which does not
    show the line: it may hold a password.
    """
    try:
        return command_words(line)
    except ValueError as error:
        raise UserError(f"{what} cannot be taken apart: {error}") from error


def _exists(name: str, cwd: Path | None) -> bool:
    return shutil.which(name) is not None or ((cwd or Path()) / name).exists()


def _refuse(what: str, given: dict[str, object]) -> None:
    for option, value in given.items():
        if value:
            other = "a command" if what == "a URL" else "a URL"
            raise UserError(f"{option} applies to {other}, and the target is {what}")
