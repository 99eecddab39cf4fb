"""Challenges of a WWW-Authenticate field (RFC 9110, section 11.6.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TOKEN68 = re.compile(r"[A-Za-z0-9._~+/-]+=*")
_SPACE = re.compile(r"[ \t]*")
_BARE = re.compile(r"[^\s,]+")
_PAIR = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*(?=[^=\s,])")

LENGTH_LIMIT = 16 * 1024
"""Characters of one field that are read."""
MOST = 100
"""Challenges that are kept."""


@dataclass(frozen=True)
class Challenge:
    """``scheme`` and the names of ``params`` are in lower case; of a repeated parameter the first counts."""

    scheme: str
    params: dict[str, str]
    token68: str | None


def parse_challenges(fields: Iterable[str]) -> list[Challenge]:
    """All challenges of all fields in order. What cannot be read is passed over up to the next comma
    outside quotes."""
    found: list[Challenge] = []
    for field in fields:
        found.extend(_Reader(field[:LENGTH_LIMIT]).challenges())
        if len(found) >= MOST:
            break
    return found[:MOST]


class _Reader:
    """Reads one field from left to right; a quoted value is consumed whole, so nothing in it is taken for
    syntax."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def challenges(self) -> list[Challenge]:
        found: list[Challenge] = []
        while self._next_element():
            name = _TOKEN.match(self.text, self.at)
            if name is None:
                self._pass_over()
                continue
            pair = self._pair()
            if pair is not None:
                if found:
                    found[-1].params.setdefault(*pair)
                continue
            self.at = name.end()
            found.append(self._challenge(name.group().lower()))
        return found

    def _challenge(self, scheme: str) -> Challenge:
        """What follows the scheme: nothing, a token68, or the first parameter."""
        start = self.at
        self._space()
        if self.at == start or self._ended():
            self._pass_over()
            return Challenge(scheme, {}, None)
        pair = self._pair()
        if pair is not None:
            return Challenge(scheme, dict([pair]), None)
        token = _TOKEN68.match(self.text, self.at)
        if token is not None:
            self.at = token.end()
            self._space()
            if self._ended():
                return Challenge(scheme, {}, token.group())
        self._pass_over()
        return Challenge(scheme, {}, None)

    def _pair(self) -> tuple[str, str] | None:
        """``name = value`` at this place, or None with the place unchanged."""
        match = _PAIR.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        if self.text[self.at] == '"':
            value = self._quoted()
        else:
            # Only a token is allowed outside quotes; a bare URL is common enough to be read up to space or
            # comma.
            bare = _BARE.match(self.text, self.at)
            value = bare.group() if bare is not None else ""
            self.at += len(value)
        self._pass_over()
        return match.group(1).lower(), value

    def _quoted(self) -> str:
        """The value of a quoted string, escapes read; one that is not closed ends with the field."""
        self.at += 1
        out: list[str] = []
        while self.at < len(self.text) and self.text[self.at] != '"':
            if self.text[self.at] == "\\" and self.at + 1 < len(self.text):
                self.at += 1
            out.append(self.text[self.at])
            self.at += 1
        self.at += 1
        return "".join(out)

    def _next_element(self) -> bool:
        """Step over commas and space; whether something follows."""
        while self.at < len(self.text) and self.text[self.at] in ", \t":
            self.at += 1
        return self.at < len(self.text)

    def _space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match is not None else self.at

    def _ended(self) -> bool:
        return self.at >= len(self.text) or self.text[self.at] == ","

    def _pass_over(self) -> None:
        while not self._ended():
            if self.text[self.at] == '"':
                self._quoted()
            else:
                self.at += 1
