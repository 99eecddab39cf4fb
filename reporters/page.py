"""Lines of a terminal report: indentation, hanging labels and colour, on top of rich's text."""

from __future__ import annotations

import io
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from mcp_compliance.reporters.style import Style
from mcp_compliance.reporters.untrusted import inert

LABEL = 11
"""Width of the label column in front of hanging text."""


class Page:
    """Collects lines and turns them into text. All strings are plain: no markup, no highlighting."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self._lines: list[Text] = []
        self._console = Console(
            file=io.StringIO(),
            width=style.width,
            force_terminal=style.color,
            color_system="standard" if style.color else None,
            legacy_windows=False,
            highlight=False,
            markup=False,
            emoji=False,
            _environ={},  # the style alone decides, so that a report is a function of its arguments
        )

    def glyph(self, drawn: str, ascii_form: str) -> str:
        return drawn if self.style.unicode else ascii_form

    def blank(self) -> None:
        if self._lines and self._lines[-1].plain:
            self._lines.append(Text())

    def heading(self, title: str, remark: str = "") -> None:
        self.blank()
        line = Text.assemble((title, "bold"), (f"  {remark}" if remark else "", "dim"))
        if line.cell_len <= self.style.width:
            self._lines.append(line)
        else:
            self.line((title, "bold"))
            self.wrapped(remark, "dim", indent=2)

    def line(self, *parts: str | tuple[str, str], indent: int = 0) -> None:
        """One line, never wrapped: URLs stay in one piece."""
        self._lines.append(Text.assemble(" " * indent, *parts))

    def cut(self, *parts: str | tuple[str, str], indent: int = 0) -> None:
        """One line, shortened to the width where there is one."""
        text = Text.assemble(" " * indent, *parts)
        if text.cell_len > self.style.width and not self.style.whole_lines:
            mark = self.glyph("…", "...")
            text.truncate(self.style.width - len(mark), overflow="crop")
            text.append(mark)
        self._lines.append(text)

    def wrapped(self, body: str | Text, style: str = "", indent: int = 0, label: str = "") -> None:
        """Text wrapped at words; with a label, it hangs beside it. Line feeds of ``body`` are kept."""
        text = Text(body, style) if isinstance(body, str) else body
        hang = indent + (LABEL if label else 0)
        for number, line in enumerate(text.wrap(self._console, self.style.width - hang)):
            line.rstrip()
            lead = (" " * indent + f"{label:<{LABEL}}") if label and number == 0 else " " * hang
            self._lines.append(Text.assemble((lead, "dim"), line))

    def labelled(self, label: str, body: str, style: str = "", indent: int = 0) -> None:
        """One line that is never wrapped, with a label in front."""
        self.line((f"{label:<{LABEL}}", "dim"), (body, style), indent=indent)

    def bullets(self, items: Iterable[str], style: str = "", indent: int = 2) -> None:
        for item in items:
            for number, line in enumerate(Text(item, style).wrap(self._console, self.style.width - indent - 2)):
                line.rstrip()
                mark = self.glyph("· ", "- ") if number == 0 else "  "
                self._lines.append(Text.assemble(" " * indent, (mark, "dim"), line))

    def text(self) -> str:
        """All lines, each ended by a line feed, none with blanks at its end."""
        output = io.StringIO()
        self._console.file = output
        for line in self._lines:
            line.rstrip()
            self._console.print(line, no_wrap=True, overflow="ignore", crop=False)
        return inert(output.getvalue())
