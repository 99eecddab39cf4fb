"""One test for each rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike

import pytest
from _pytest._code.code import ExceptionInfo, TerminalRepr
from _pytest._io import TerminalWriter

from mcp_compliance.catalog.index import IndexEntry
from mcp_compliance.pytest_plugin.outcomes import Outcome

TREE = "mcp-compliance"


class RuleFailed(Exception):
    """A rule fails. ``text`` is what pytest shows in place of a traceback."""

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.text = text


class _Shown(TerminalRepr):
    """The text of a failure. The summary of pytest looks for its message in ``reprcrash``."""

    def __init__(self, failed: RuleFailed) -> None:
        self._text = failed.text
        self.reprcrash = self
        self.message = str(failed)

    def toterminal(self, tw: TerminalWriter) -> None:
        message, _, rest = self._text.partition("\n")
        tw.line(message, red=True)
        if rest:
            tw.line(rest)

    def __str__(self) -> str:
        return self._text


class RuleTree(pytest.Collector):
    """Holds the rules, beside the files of the session. ``make`` gives them."""

    def __init__(self, *, make: Callable[[RuleTree], Sequence[RuleItem]], **others: object) -> None:
        super().__init__(**others)  # type: ignore[arg-type]
        self._make = make

    def collect(self) -> Sequence[RuleItem]:
        return self._make(self)


class RuleItem(pytest.Item):
    """``outcome`` gives what became of the rule; the first call of any item carries the whole run out."""

    def __init__(self, *, entry: IndexEntry, outcome: Callable[[RuleItem], Outcome], **others: object) -> None:
        super().__init__(**others)  # type: ignore[arg-type]
        self.entry = entry
        self.result: Outcome | None = None
        self._outcome = outcome
        # Whether a server declares the capability that makes a rule required shows only in the run.
        level = "mcp_optional" if entry.level == "optional" else "mcp_required"
        for marker in ("mcp", f"mcp_{entry.category}", level):
            self.add_marker(marker)

    def runtest(self) -> None:
        found = self.result = self._outcome(self)
        if found.kind == "skipped":
            pytest.skip(found.message)
        if found.kind == "xfailed":
            pytest.xfail(found.message)
        if found.kind == "failed":
            raise RuleFailed(found.message, found.text)

    def repr_failure(self, excinfo: ExceptionInfo[BaseException], style: object = None) -> str | TerminalRepr:
        if isinstance(excinfo.value, RuleFailed):
            return _Shown(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[PathLike[str] | str, int | None, str]:
        return TREE, None, f"{self.name}: {self.entry.title}"
