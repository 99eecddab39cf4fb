"""Values that must never be shown. One object per run knows them all and masks them in every text that leaves."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from mcp_compliance.model.options import HttpTarget, Target

MASK = "***"
SHORTEST = 6
"""Shorter environment values are masked only when their name sounds secret: masking 'error' would hide real text."""
SHORTEST_PIECE = 8
"""Characters of a secret that are masked where a cut text ends in its beginning, and of a line of a longer secret."""
CUT = "..."
_KEPT_BY_BROWSERS = "!*'()"  # and "~", which Python keeps, too
_HEADER = re.compile(r"(?P<name>[\w-]+): *(?P<value>[^/ ].*)")
_ESCAPE = re.compile("%[0-9A-F]{2}")
OPEN_HEADERS = frozenset(
    (
        "accept",
        "accept-encoding",
        "accept-language",
        "cache-control",
        "connection",
        "content-length",
        "content-type",
        "host",
        "mcp-method",
        "mcp-protocol-version",
        "origin",
        "user-agent",
    )
)
"""Their values hold nothing that is secret, and words that every report needs."""

SECRET_WORDS = ("key", "token", "secret", "pass", "auth", "credential", "cookie", "session")


def sounds_secret(name: str) -> bool:
    """Whether a header or environment name is likely to hold a credential."""
    lowered = name.lower()
    return any(word in lowered for word in SECRET_WORDS)


class Secrets:
    """Masks known secret values in texts, longest first, so that a part never survives beside its whole."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values: list[str] = []
        for value in values:
            self.add(value)

    @classmethod
    def of(cls, headers: Iterable[tuple[str, str]], env: Mapping[str, str], url: str = "") -> Secrets:
        """All header values (and the token after a scheme word), environment values that may be secret, and what an
        address holds of credentials: user information, and values of its query whose name sounds secret.
        """
        secrets = cls()
        for value in _of_address(url):
            secrets.add(value)
        for name, value in headers:
            _, _, token = value.strip().partition(" ")
            if sounds_secret(name):
                secrets.add(value.strip())
                secrets.add(token.strip())
            elif len(value) >= SHORTEST and name.lower() not in OPEN_HEADERS:
                secrets.add(value.strip())
            if name.lower() == "cookie":
                for cookie in value.split(";"):
                    alone = cookie.partition("=")[2].strip()
                    if len(alone) >= SHORTEST:
                        secrets.add(alone)
        for name, value in env.items():
            if len(value) >= SHORTEST or (value and sounds_secret(name)):
                secrets.add(value)
        return secrets

    @classmethod
    def of_target(cls, target: Target) -> Secrets:
        """All that is secret about a target."""
        if isinstance(target, HttpTarget):
            secrets = cls.of(target.headers, {}, target.url)
        else:
            secrets = cls.of((), target.env)
            for value in _of_arguments(target.command):
                if len(value) >= SHORTEST_PIECE:  # shorter ones are words: --auth basic
                    secrets.add(value)
        for value in target.secrets:
            secrets.add(value)
        return secrets

    def add(self, value: str) -> None:
        """Mask this value from now on, in each form that a server may hand it back in."""
        for form in _forms(value):
            if len(form) >= 2 and form not in self._values:
                self._values.append(form)
        self._values.sort(key=len, reverse=True)

    def mask(self, text: str, mark: str = MASK) -> str:
        """``text`` with ``mark`` in the place of secrets, and where it was cut inside of one, of what is left of it."""
        for value in self._values:
            if value in text:
                text = text.replace(value, mark)
        for value in self._values:
            if value[:SHORTEST_PIECE] in text:
                text = _without_beginning(text, value, mark)
        return text


def _of_arguments(words: Iterable[str]) -> Iterator[str]:
    """What in a command line is likely to be secret: the value of an option, a variable (``docker run -e``) or a header
    (``mcp-remote --header``) whose name says so, and credentials in addresses.
    """
    option = ""
    for word in words:
        name, equals, value = word.partition("=")
        header = _HEADER.fullmatch(word)
        if equals and sounds_secret(name):
            yield value
        elif option and not word.startswith("-"):
            yield word
        elif header is not None and sounds_secret(header["name"]):
            yield header["value"]
            yield header["value"].partition(" ")[2].strip()
        with suppress(ValueError):
            yield from _of_address(word if "://" not in value else value)
        option = word if word.startswith("-") and not equals and sounds_secret(word) else ""


def _of_address(url: str) -> Iterator[str]:
    parts = urlsplit(url)
    user, at, _ = parts.netloc.rpartition("@")
    if at:
        yield user
        yield unquote(user.partition(":")[2])
    for name, value in parse_qsl(parts.query):
        if sounds_secret(name):
            yield value


def _forms(value: str) -> Iterator[str]:
    """The value, and as it looks in a URL, in Base64 and in JSON, also when that JSON is a text inside other JSON. Of a
    value with several lines (a key file) also each line, and of Basic credentials the pair and the password.
    """
    yield value
    for coded_form in (quote(value, safe=""), quote_plus(value), quote(value), quote(value, safe=_KEPT_BY_BROWSERS)):
        yield coded_form
        yield _ESCAPE.sub(lambda found: found[0].lower(), coded_form)
    yield from _in_base64(value)
    for ascii_only in (False, True):
        form = value
        for _ in range(3):
            form = json.dumps(form, ensure_ascii=ascii_only)[1:-1]
            yield form
    if "\n" in value:
        for line in value.splitlines():
            if len(line.strip()) >= SHORTEST_PIECE:
                yield line.strip()
    scheme, _, coded = value.partition(" ")
    if scheme.lower() == "basic":
        try:
            pair = base64.b64decode(coded, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            return
        yield pair
        yield pair.partition(":")[2]


def _in_base64(value: str) -> Iterator[str]:
    """As it looks alone, and, whatever stands around it, what of its characters depends on nothing else."""
    raw = value.encode(errors="surrogatepass")
    if len(raw) < SHORTEST_PIECE:
        return
    forms = [base64.b64encode(raw).decode()]
    for before, start in enumerate((0, 2, 3)):
        whole = (before + len(raw)) * 8 // 6
        forms.append(base64.b64encode(b"\0" * before + raw).decode()[start:whole])
    for form in forms:
        yield form
        yield form.replace("+", "-").replace("/", "_")


def _without_beginning(text: str, value: str, mark: str) -> str:
    for length in range(len(value) - 1, SHORTEST_PIECE - 1, -1):
        beginning = value[:length]
        text = text.replace(beginning + CUT, mark + CUT)
        if text.endswith(beginning):
            return text[:-length] + mark
    return text
