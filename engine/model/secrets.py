"""Values that must never be shown. One object per run knows them all and masks them in every text that leaves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import quote, quote_plus

MASK = "***"
SHORTEST = 6
"""Shorter environment values are masked only when their name sounds secret: masking 'error' would hide real text."""

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
    def of(cls, headers: Iterable[tuple[str, str]], env: Mapping[str, str]) -> Secrets:
        """All header values (and the token after a scheme word), and environment values that may be secret."""
        secrets = cls()
        for name, value in headers:
            scheme, _, token = value.strip().partition(" ")
            if sounds_secret(name):
                secrets.add(value.strip())
                secrets.add(token.strip())
            elif len(value) >= SHORTEST:
                secrets.add(value.strip())
            del scheme
        for name, value in env.items():
            if len(value) >= SHORTEST or (value and sounds_secret(name)):
                secrets.add(value)
        return secrets

    def add(self, value: str) -> None:
        """Mask this value from now on, also as it looks in the query of a URL."""
        for form in (value, quote(value, safe=""), quote_plus(value)):
            if len(form) >= 2 and form not in self._values:
                self._values.append(form)
        self._values.sort(key=len, reverse=True)

    def mask(self, text: str) -> str:
        for value in self._values:
            if value in text:
                text = text.replace(value, MASK)
        return text
