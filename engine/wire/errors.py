"""What a caller has to handle: everything else that a server does becomes an exchange."""

from __future__ import annotations


class StartError(Exception):
    """The command could not be started. The text is one line: what was looked up, where, and what the system
    said.
    """
