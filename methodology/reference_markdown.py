"""Small pieces of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells may hold Markdown, but neither line ends nor bars of their own."""
    lines = [_row(head), _row(["---"] * len(head)), *(_row([_cell(cell) for cell in row]) for row in rows)]
    return "\n".join(lines)


def code(text: str) -> str:
    """Code within a line, whatever backticks it holds."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    marks = "`" * (longest + 1)
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{room}{text}{room}{marks}"


def codes(words: Iterable[str]) -> str:
    return ", ".join(code(word) for word in words)


def bullets(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def fenced(kind: str, text: str) -> str:
    return f"```{kind}\n{text.rstrip()}\n```"


def plain(docstring: str) -> str:
    """A docstring with its double backticks as Markdown has them."""
    return docstring.replace("``", "`")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    """Bars escaped, and angle brackets outside of code, which would be read as HTML."""
    parts = re.split(r"(`+[^`]*`+)", " ".join(text.split()))
    shown = [part if part.startswith("`") else part.replace("<", "&lt;") for part in parts]
    return "".join(shown).replace("|", "\\|")
