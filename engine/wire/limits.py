"""Every bound on what a server can make large or slow, in one place. Sizes are bytes, times are seconds.

Sizes are chosen so that the whole tool stays below about 400 MB whatever a server sends: one wide character
can quadruple a text in memory, and a parsed text exists twice for a moment.
"""

from __future__ import annotations

MIB = 1024 * 1024

BODY = 32 * MIB
"""A decoded HTTP body that is not an event stream. What lies behind it is not read."""
BODIES = 96 * MIB
"""All HTTP bodies that one wire holds at the same moment (bursts)."""
BODY_TEXT = 64 * 1024
"""Characters of a body that an exchange keeps as text."""
EVENT = 16 * MIB
"""One server-sent event."""
EVENTS = 10_000
"""Events that one exchange reads."""
STREAM = 64 * MIB
"""All bytes of the event stream of one exchange, comments included."""

LINE = 32 * MIB
"""One line on stdout. A longer one is recorded as stray, and reading goes on after its newline."""
LINE_GIVEN_UP = 512 * MIB
"""Bytes without a newline after which stdout is no longer read."""
LINES = 100_000
"""Lines that one child may write before its stdout is no longer read."""
MESSAGES = 10_000
"""Messages that one exchange keeps."""
STDERR_TAIL = 64 * 1024
STDERR_LINE = 64 * 1024
"""One line of stderr that is passed on; a longer one is passed on cut."""

NESTING = 128
"""Depth of arrays and objects. A deeper text is treated as unparsable: visitors of JSON recurse."""
VALUES = 1_000_000
"""Arrays, objects and members of one JSON text."""
DIGITS = 4000
"""Digits of an integer; a longer one is read as the largest float (Python cannot print it otherwise)."""

RESUMES = 20
"""Reconnections with Last-Event-ID in one exchange."""
RETRY_DEFAULT = 0.5
RETRY_AT_MOST = 2.0

STREAM_END_GRACE = 0.05
"""Wait for the end of an event stream after the awaited response, so that the connection can be used again.
"""
MISADDRESSED_GRACE = 1.0
"""Wait for the right answer on stdio after one whose id no request had."""
MISADDRESSED_AGAIN = 0.02
"""The same wait once the one before was in vain: a server that always does so would cost a second a request."""
CONNECTION_CLOSE = 1.0
EXIT_SEEN = 0.5
"""From the end of stdout to the exit of the child, and the other way round."""
STDERR_DRAIN = 0.2
CLOSE_STDIN = 2.0
"""From closing stdin to SIGTERM."""
CLOSE_TERM = 2.0
"""From SIGTERM to SIGKILL."""
CLOSE_KILL = 2.0
"""From SIGKILL until the child is given up."""
HURRY = 0.5
"""In place of the two waits before SIGKILL when the run was cancelled."""
GROUP_TERM = 0.2
"""From SIGTERM to SIGKILL for what a dead child left behind in its group."""
