"""How Windows is told to start a command. Nothing here asks the system, so it can be read and tested on any.

Windows passes one text and no list of words; each program takes it apart for itself. Most do as the C runtime does,
which ``subprocess`` cares for. A ``.cmd`` or ``.bat`` file (npx is one) goes through the command interpreter, which
reads the text first, and in another way: what it takes for an operator there would be carried out.
"""

from __future__ import annotations

import ntpath
import re
from collections.abc import Callable, Mapping, Sequence

_PLAIN = re.compile(r"[A-Za-z0-9#$*+\-./:?@\\_]*[A-Za-z0-9#$*+\-./:?@_]")
"""A word that no reader changes. One that ends in a backslash would hide the quote after it."""
_SWITCHES = "/d /e:on /v:off /s /c"
"""No commands from the registry, extensions on (they make ``_PERCENT`` work), ``!`` plain, the outermost quotes off."""
_PERCENT = "%%cd:~,%"
"""A variable cut to nothing behind a plain ``%``: the sign stays, and nothing behind it is taken for a name."""

Which = Callable[[str], str | None]


def prepared(command: Sequence[str], environ: Mapping[str, str], cwd: str | None, which: Which) -> str | list[str]:
    """The command as it can be started: words, or the whole line where it goes through the command interpreter.

    ``which`` finds a program by its name or path, with the extensions of PATHEXT. Raises ``FileNotFoundError``, and
    ``ValueError`` for what a batch file cannot be given.
    """
    name = command[0]
    if cwd is not None and ntpath.dirname(name) and not ntpath.isabs(name):
        name = ntpath.join(cwd, name)  # the system would count from our own directory
    found = which(name)
    if found is None:
        raise FileNotFoundError(command[0])
    if not is_batch(found):
        return [found, *command[1:]]
    interpreter = environ.get("COMSPEC") or ntpath.join(environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "cmd.exe")
    return f'"{interpreter}" {_SWITCHES} "{batch_call(found, command[1:])}"'


def is_batch(path: str) -> bool:
    # Windows ignores dots and blanks at the end of a name, and so must this
    return path.rstrip(". ").lower().endswith((".cmd", ".bat"))


def batch_call(script: str, arguments: Sequence[str]) -> str:
    """What stands between the outermost quotes: the script with its arguments, each as one word, whatever is in it.

    Raises ``ValueError`` for a line break or a NUL, which nothing can protect.
    """
    for number, word in enumerate((script, *arguments)):
        if any(char in word for char in "\r\n\0"):
            what = "its name" if number == 0 else f"argument {number}"
            raise ValueError(f"{what} holds a line break or a NUL, which a batch file cannot be given")
    if '"' in script:
        raise ValueError("its name holds a quote")
    return " ".join((f'"{script.replace("%", _PERCENT)}"', *map(quoted, arguments)))


def quoted(word: str) -> str:
    """An argument of a batch file, as both the command interpreter and the C runtime read it back."""
    if _PLAIN.fullmatch(word):
        return word
    # A quote is doubled, not escaped: the interpreter knows no escape, and would take the quotes for closed.
    text = re.sub(r'(\\*)"', r'\1\1""', word)
    text = re.sub(r"(\\+)$", r"\1\1", text)
    return f'"{text.replace("%", _PERCENT)}"'


def environment(env: Mapping[str, str]) -> dict[str, str]:
    """Names in one letter case, the later of two winning: for Windows ``Path`` and ``PATH`` are the same."""
    return {name.upper(): value for name, value in env.items()}
