"""What a caller has to handle: everything else that a server does becomes an exchange."""

from __future__ import annotations


class StartError(Exception):
    """The command could not be started. The text is one line: what was looked up, where, and what the system
    said.
    """


class NetworkError(ValueError):
    """An option or a variable about connections that cannot be used. ``setting`` is a field of ``Network``, or the name
    of the variable; ``problem`` is one line without any credential.
    """

    def __init__(self, setting: str, problem: str) -> None:
        super().__init__(f"{setting}: {problem}")
        self.setting = setting
        self.problem = problem


class CredentialError(ValueError):
    """The command that prints a credential did not. The text is one line without any credential."""
