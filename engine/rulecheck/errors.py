"""What ends a command without a result."""

from __future__ import annotations


class CannotError(Exception):
    """The job cannot be done. The text is one line for people."""
