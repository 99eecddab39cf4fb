"""Texts of rules as Markdown, and the templates that they are put into."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import jinja2
from reference_markdown import code

from mcp_compliance.catalog.rule import Level, Transport

TRANSPORTS: Mapping[Transport, str] = {"http": "Streamable HTTP", "stdio": "stdio"}
_MARKED = re.compile(
    r"(`[^`]+`)|(https?://[^\s,;)]*[^\s,;).:])"
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|[\\`*\[\]~$]|<|&(?=#?\w+;)|^[#>+-](?= )"
)
_REPLACED = {"<": "&lt;", "&": "&amp;"}


def prose(text: str) -> str:
    """A text for people as Markdown that shows it as it stands, but for what stands between backticks, which is code.
    So are addresses, since few of them are meant to be followed. Line ends become spaces."""
    return _MARKED.sub(_escaped, " ".join(text.split()))


def _escaped(found: re.Match[str]) -> str:
    if found[1] is not None:
        return found[1]
    if found[2] is not None:
        return code(found[2])
    return _REPLACED.get(found[0], f"\\{found[0]}")


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table; cells hold Markdown, in which only bars and line ends are left to escape."""
    columns = list(head)
    return "\n".join([_row(columns), _row(["---"] * len(columns)), *map(_row, rows)])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def over(transports: Iterable[Transport], *, short: bool = False) -> str:
    """The transports in words."""
    return " and ".join(transport if short else TRANSPORTS[transport] for transport in transports)


def level_words(level: Level, capability: str | None) -> str:
    """The level, and what it depends on."""
    if level == "required-if-declared":
        return f"required of servers that declare {code(capability or '')}"
    return f"{level}, where {code(capability)} is declared" if capability is not None else level


def render(template: str, **given: object) -> str:
    """A template of ``templates/pages/``; a name that it lacks raises ``jinja2.UndefinedError``."""
    text = _environment().get_template(template).render(given)
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).resolve().parent / "templates" / "pages"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(prose=prose, code=code)
    environment.globals.update(table=table)
    return environment
