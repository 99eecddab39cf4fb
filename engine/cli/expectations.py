"""``--expected-failures``: failures that are known, and that fail no build.

One rule a line, ``ID`` or ``REVISION/ID``, then if one likes the reason. ``#`` begins a comment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mcp_compliance.catalog.closest_word import suggestion
from mcp_compliance.catalog.index import IndexFileError, known_revisions, load_index
from mcp_compliance.cli import input_files
from mcp_compliance.cli.errors import UserError
from mcp_compliance.model.result import Report, Result

MOST_NAMED = 10


@dataclass(frozen=True)
class Expected:
    """A rule that may fail: in any revision, or in one."""

    rule: str
    revision: str | None = None
    reason: str = ""


@dataclass(frozen=True)
class Expectations:
    """The rules that may fail, as the file lists them."""

    path: Path
    rules: tuple[Expected, ...] = field(default=())

    def mark(self, report: Report) -> Report:
        """The report with the listed failures marked, and with a warning about those that are failures no more."""
        listed = self._listed(report)
        results = tuple(_marked(result, listed.get(result.id)) for result in report.results)
        stale = self.stale(report)
        first = len(report.caveats)
        warnings = (*report.warnings[:first], *(() if stale is None else (stale,)), *report.warnings[first:])
        return replace(report, results=results, warnings=warnings)

    def stale(self, report: Report) -> str | None:
        """A sentence that names the listed rules that pass. One that skipped or did not run says nothing."""
        listed = self._listed(report)
        passing = [result.id for result in report.results if result.verdict == "pass" and result.id in listed]
        if not passing:
            return None
        what = "a rule that passes; take its line out" if len(passing) == 1 else "rules that pass; take their lines out"
        return f"{self.path} lists {what}: {named(passing)}"

    def unmet(self, report: Report) -> str | None:
        """A sentence that names the failures which are not listed."""
        others = [result.id for result in report.results if _fails(result) and not result.expected]
        if not others:
            return None
        what = "1 failure is" if len(others) == 1 else f"{len(others)} failures are"
        return f"--expected-failures: {what} not listed in {self.path}: {named(others)}"

    def _listed(self, report: Report) -> Mapping[str, Expected]:
        return {rule.rule: rule for rule in self.rules if rule.revision in (None, report.spec_version)}


def named(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else ""
    return ", ".join(ids[:MOST_NAMED]) + more


def read_expectations(path: Path) -> Expectations:
    """The rules that ``path`` lists. Raises `UserError`, also for an id that no revision has: a typo would let a build
    fail for a known reason, or hide that the rule was renamed.
    """
    option = f"--expected-failures {path}"
    try:
        lines = input_files.text(path).splitlines()
    except OSError as error:
        raise UserError(f"{option}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{option}: is no text in UTF-8 (byte {error.start + 1})") from error
    found: list[Expected] = []
    for number, line in enumerate(lines, start=1):
        words = line.strip()
        if words and not words.startswith("#"):
            found.append(_expected(f"{path}:{number}", words))
    return Expectations(path, tuple(found))


def _expected(place: str, line: str) -> Expected:
    name, *rest = line.split(maxsplit=1)
    revision, slash, rule = name.rpartition("/")
    revisions = known_revisions()
    if slash and revision not in revisions:
        raise UserError(f"{place}: {name}: there is no revision {revision}; known are {', '.join(revisions)}")
    known = _known((revision,) if slash else revisions)
    if rule not in known:
        where = f"MCP {revision}" if slash else "any revision"
        raise UserError(f"{place}: {rule} is no rule of {where}{_hint(rule, known, revisions)}")
    return Expected(rule, revision if slash else None, "".join(rest).lstrip("#-: "))


def _hint(rule: str, known: Mapping[str, str], revisions: Sequence[str]) -> str:
    if rule in known.values():
        return f", but a category; list its rules one by one (mcp-compliance test --list --only {rule} shows them)"
    others = [revision for revision in revisions if rule in _known((revision,))]
    if others:
        return f", but of MCP {' and '.join(others)}"
    return suggestion(rule, known) or "; mcp-compliance test --list shows all"


def _known(revisions: Iterable[str]) -> dict[str, str]:
    """Every rule id of these revisions, with its category."""
    try:
        return {entry.id: entry.category for revision in revisions for entry in load_index(revision).entries}
    except IndexFileError as error:
        raise UserError(str(error)) from error


def _fails(result: Result) -> bool:
    return result.verdict in ("fail", "not-evaluable")


def _marked(result: Result, listed: Expected | None) -> Result:
    if listed is None or not _fails(result):
        return result
    return replace(result, expected=True, expected_because=listed.reason)
