"""Answers that are small on the line and huge when they are unpacked."""

from __future__ import annotations

import struct
import zlib

MIB = 1024 * 1024


def bomb(mib: int) -> bytes:
    """So many MiB of spaces, gzipped: a thousandth of that in bytes. One MiB is compressed, and repeated."""
    spaces = b" " * MIB
    pack = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    # After a full flush a block refers to nothing before it.
    block, end = pack.compress(spaces) + pack.flush(zlib.Z_FULL_FLUSH), pack.flush()
    checksum = 0
    for _ in range(mib):
        checksum = zlib.crc32(spaces, checksum)
    head = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
    return b"".join([head, block * mib, end, struct.pack("<LL", checksum, mib * MIB % 2**32)])
