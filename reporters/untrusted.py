"""Text that came from a server, made safe to print: it can neither steer a terminal nor hide what it says."""

from __future__ import annotations

import re
import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
# Logs of CI systems obey "##[name]" and "##vso[name]" wherever in a line they stand.
_COMMAND = re.compile(r"##(?=\w*\[)")
_COMMAND_LINE = re.compile(r"^(\s*)::", re.MULTILINE)
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str, *, lines: bool = False) -> str:
    """``text`` with control, format and surrogate characters written out as escapes, and no command to a log in it.

    With ``lines``, line feeds stay; otherwise the result is one line.
    """
    if not text.isprintable():  # which holds of nothing that is hidden
        # By what occurs, not one after the other: a text of a server may be long, and each format shows it.
        hidden = {each for each in set(text) if unicodedata.category(each) in _HIDDEN} - ({"\n"} if lines else set())
        text = text.translate({ord(each): _escape(each) for each in hidden})
    return _COMMAND.sub(r"#\\x23", text) if "##" in text else text


def inert(text: str) -> str:
    """Lines of ``text`` that begin with two colons get a backslash in front: GitHub Actions obeys them in any log."""
    return _COMMAND_LINE.sub(r"\1\\::", text)


def _escape(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
