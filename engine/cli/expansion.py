"""``${NAME}`` in what the user wrote: filled in from the environment, so that no secret has to stand in a file, in a
history or in the list of processes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping

from mcp_compliance.cli.errors import UserError
from mcp_compliance.model.secrets import SHORTEST, sounds_secret

_REFERENCE = re.compile(r"(\$?)\$\{(?:(?:env:)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^}]*))?\})?")
_NO_SECRETS = frozenset(
    ("HOME", "HOMEPATH", "USERPROFILE", "PWD", "USER", "LOGNAME", "USERNAME", "HOSTNAME", "TMPDIR", "TEMP", "TMP")
)
"""Everybody has these; masking them would blot out every path of a report."""


class Expansion:
    """Fills in values and remembers the ones that must never be shown.

    ``${NAME}`` is the value of NAME, which must be set and not empty; ``${NAME:-text}`` is ``text`` where it is
    not. ``$${`` is a literal ``${``. Any other ``$`` stays as it is.
    """

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        self._environ = os.environ if environ is None else environ
        self._secrets: dict[str, None] = {}

    @property
    def secrets(self) -> tuple[str, ...]:
        """Values that were filled in and may be secret, in the order of their use."""
        return tuple(self._secrets)

    def fill(self, text: str, place: str, coded: Callable[[str], str] = str) -> str:
        """``text`` with its references filled in, each value as ``coded``. Raises `UserError`, which names ``place``
        and shows no value.
        """

        def value(found: re.Match[str]) -> str:
            if found[1]:
                return found[0][1:]
            if found["name"] is None:
                raise UserError(f"{place}: expected ${{NAME}} or ${{NAME:-default}}; write $${{ for the characters ${{")
            return coded(self._value(found["name"], found["default"], place))

        return _REFERENCE.sub(value, text)

    def _value(self, name: str, default: str | None, place: str) -> str:
        value = self._environ.get(name)
        if value:
            if name not in _NO_SECRETS and (len(value) >= SHORTEST or sounds_secret(name)):
                self._secrets[value] = None
            return value
        if default is not None:
            return default
        state = "not set" if value is None else "empty"
        raise UserError(f"{place}: the environment variable {name} is {state}; set it, or write ${{{name}:-default}}")
