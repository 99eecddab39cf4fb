"""Decoding of compressed HTTP bodies in bounded pieces. Nothing is asked for; gzip and deflate are read if
they come.
"""

from __future__ import annotations

import zlib


class BodyDecoder:
    """Feed it the raw bytes of a body. ``problem`` is set when the coding is unknown or its data are broken.

    httpx's own decoding returns whatever a few kilobytes expand to, so a bomb is in memory before a bound can
    be asked.
    """

    def __init__(self, content_encoding: str | None) -> None:
        self.problem: str | None = None
        self.exceeded = False
        self._inflater: zlib._Decompress | None = None
        self._undecided = False
        coding = (content_encoding or "identity").strip().lower()
        self._coding = coding
        if coding in ("gzip", "x-gzip"):
            self._inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
        elif coding == "deflate":
            self._inflater = zlib.decompressobj()
            self._undecided = True
        elif coding != "identity":
            self.problem = f"the body has the content coding {coding[:40]!r}, which was not asked for"

    def feed(self, data: bytes, room: int) -> bytes:
        """The next decoded bytes, at most ``room``; ``exceeded`` is set when there would have been more."""
        if self._inflater is None:
            self.exceeded = self.exceeded or len(data) > room
            return data[:room]
        if self._undecided and data:
            # Some servers send deflate without the zlib header (RFC 1950: low nibble 8) that RFC 9110 asks
            # for.
            self._undecided = False
            if data[0] & 0x0F != 8:
                self._inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        decoded = bytearray()
        while data and self.problem is None:
            try:
                decoded += self._inflater.decompress(data, room + 1 - len(decoded))
            except zlib.error as error:
                self.problem = f"the {self._coding} body is broken: {error}"
                break
            if len(decoded) > room:
                self.exceeded = True
                break
            data = self._inflater.unconsumed_tail or self._inflater.unused_data
            if self._inflater.eof:
                if not data or self._coding == "deflate":
                    break
                self._inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
        return bytes(decoded[:room])
