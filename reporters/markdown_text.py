"""Text in GitHub's Markdown: what a server says makes no markup, no link and no mention, and notifies nobody."""

from __future__ import annotations

import re

from mcp_compliance.reporters.excerpt import excerpt
from mcp_compliance.reporters.untrusted import inert, visible

# A zero-width space: mentions and references are found in the text that is left when escapes are gone.
_BREAK = "&#8203;"
# An underscore within a word is none of it: the names of tools are full of them.
_MARKUP = re.compile(r"[\\`*\[\]<|~$&]|(?<!\w)_|_(?!\w)")
_ENTITIES = {"<": "&lt;", "&": "&amp;"}
_BEGINNING = re.compile(r"^(\d+(?=[.)](\s|$))|(?=[-+=#>:]))")
_SPAN = re.compile(r"`([^`\n]+)`")


def plain(text: str) -> str:
    """``text`` on one line."""
    escaped = _MARKUP.sub(lambda found: _ENTITIES.get(found[0], f"\\{found[0]}"), visible(excerpt(text)).strip())
    escaped = re.sub(r"@|#(?=\d)|\bGH-(?=\d)|\bwww(?=\.)", lambda found: found[0] + _BREAK, escaped)
    escaped = escaped.replace("://", f":{_BREAK}//")
    return _BEGINNING.sub(lambda found: f"{found[0]}\\", escaped)


def prose(text: str) -> str:
    """Paragraphs of a rule's author: what stands between backticks is code, and so are lines that are indented."""
    lines: list[str] = []
    indented: list[str] = []
    for line in [*excerpt(text.strip("\n")).split("\n"), ""]:
        if line.startswith("  "):
            indented.append(line[2:])
            continue
        if indented:
            lines += ["", block(indented), ""]
            indented = []
        lines.append(_with_code(line))
    return "\n".join(lines).strip()


def _with_code(line: str) -> str:
    parts = _SPAN.split(line)
    return " ".join(code(part) if index % 2 else plain(part) for index, part in enumerate(parts) if part.strip())


def code(text: str) -> str:
    """``text`` as code within a line."""
    shown = visible(excerpt(text)).strip() or " "
    fence = "`" * (_longest_run(shown) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def block(lines: list[str]) -> str:
    """Lines of code by themselves."""
    shown = [inert(visible(excerpt(line))) for line in lines]
    fence = "`" * max(3, max(map(_longest_run, shown), default=0) + 1)
    return "\n".join([f"{fence}text", *shown, fence])


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
