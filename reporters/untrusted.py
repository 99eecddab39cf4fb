"""Text that came from a server, made safe to print: it can neither steer a terminal nor hide what it says."""

from __future__ import annotations

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str, *, lines: bool = False) -> str:
    """``text`` with control, format and surrogate characters written out as escapes.

    With ``lines``, line feeds stay; otherwise the result is one line.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if lines and character == "\n" else _shown(character) for character in text)


def _shown(character: str) -> str:
    if unicodedata.category(character) not in _HIDDEN:
        return character
    if character in _NAMED:
        return _NAMED[character]
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
