"""What ``init`` writes where a secret was given: the name of an environment variable, never the secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from urllib.parse import unquote_plus, urlsplit

from mcp_compliance.model.secrets import sounds_secret

_SCHEME = re.compile(r"(Bearer|Basic|Token|ApiKey|Digest|Negotiate) +(?=\S)", re.IGNORECASE)
_TOKEN = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_+=-]{24,}|eyJ[A-Za-z0-9_.-]{20,}")
"""What is likely to be a credential, whatever its name: long and random, or a JSON Web Token."""
_NAME = re.compile(r"[\w.-]+")
_HEADER = re.compile(r"(?P<name>[\w-]+):(?P<blanks> *)(?P<value>[^/ ].*)")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_REFERENCE = re.compile(r"(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]*)\}")

Choose = Callable[[str, str], str]
"""From what was given (``header X-Key``) and a name that suggests itself to the name of the variable."""


def header(name: str, value: str, choose: Choose) -> str:
    """The value of a header as the file may hold it; the scheme of credentials stays readable."""
    if "${" in value or not (sounds_secret(name) or _TOKEN.fullmatch(value)):
        return value
    scheme = _SCHEME.match(value)
    suggested = "MCP_TOKEN" if name.lower() == "authorization" else variable(name)
    return f"{scheme[0] if scheme else ''}${{{choose(f'header {name}', suggested)}}}"


def environment(name: str, value: str, choose: Choose) -> str:
    if "${" in value or not (sounds_secret(name) or _TOKEN.fullmatch(value)):
        return value
    return f"${{{choose(name, variable(name))}}}"


def address(url: str, choose: Choose) -> str:
    """The URL without its password, and without the values of its query that look secret."""
    parts = urlsplit(url)
    credentials, at, host = parts.netloc.rpartition("@")
    if at and "${" not in credentials:
        user, colon, _ = credentials.partition(":")
        if colon:
            credentials = f"{user}:${{{choose('the password in the URL', 'MCP_PASSWORD')}}}"
        else:
            credentials = f"${{{choose('the credential in the URL', 'MCP_TOKEN')}}}"
        parts = parts._replace(netloc=f"{credentials}@{host}")
    query = "&".join(_parameter(pair, choose) for pair in parts.query.split("&"))
    return parts._replace(query=query).geturl()


def _parameter(pair: str, choose: Choose) -> str:
    """A parameter of a query, as it is written there."""
    written, _, value = pair.partition("=")
    name = unquote_plus(written)
    if not value or "${" in value or not (sounds_secret(name) or _TOKEN.fullmatch(unquote_plus(value))):
        return pair
    return f"{written}=${{{choose(f'{name} in the URL', variable(name))}}}"


def arguments(words: Sequence[str], choose: Choose) -> list[str]:
    """The words of a command, without the values of options, variables and headers whose name sounds secret, and
    without what addresses hold of secrets.
    """
    written: list[str] = []
    option = ""
    for word in words:
        hides = bool(option) and not word.startswith("-") and "${" not in word
        written.append(f"${{{choose(option, variable(option))}}}" if hides else _argument(word, choose))
        option = word if word.startswith("-") and "=" not in word and sounds_secret(word) else ""
    return written


def _argument(word: str, choose: Choose) -> str:
    name, equals, value = word.partition("=")
    if equals and _NAME.fullmatch(name) and sounds_secret(name) and value and "${" not in value:
        return f"{name}=${{{choose(name, variable(name))}}}"
    if (found := _HEADER.fullmatch(word)) and sounds_secret(found["name"]):
        return f"{found['name']}:{found['blanks']}{header(found['name'], found['value'], choose)}"
    start = value if _ADDRESS.match(value) else word
    if _ADDRESS.match(start):
        with suppress(ValueError):
            return word.removesuffix(start) + address(start, choose)
    return word


def variable(name: str) -> str:
    """A name of the environment for something of this name."""
    found = re.sub(r"[^A-Z0-9]+", "_", name.upper()).strip("_")
    return f"MCP_{found}" if not found or found[0].isdigit() else found


def references(text: str) -> tuple[str, ...]:
    """The variables that a text cannot do without."""
    return tuple(dict.fromkeys(_REFERENCE.findall(text)))
