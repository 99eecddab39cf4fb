"""Files that the user names. Each is read in one piece, and none without end: /dev/zero has none."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path

LARGEST = 10_000_000
"""Bytes of a file of options; nobody writes that many."""
LARGEST_REPORT = 500_000_000


def content(path: Path, largest: int = LARGEST) -> bytes:
    """Raises OSError, also for a file that is larger."""
    with path.open("rb") as stream:
        read = stream.read(largest + 1)
    if len(read) > largest:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return read


def text(path: Path) -> str:
    """UTF-8, with a byte order mark or without, lines ended by line feeds. Raises OSError and UnicodeDecodeError."""
    return io.TextIOWrapper(io.BytesIO(content(path)), encoding="utf-8-sig").read()
