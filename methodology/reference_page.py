"""Puts the reference of the rule language together from its template and its tables."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import reference_words as words
from reference_markdown import fenced
from reference_numbers import number
from reference_schema import SchemaTables

HERE = Path(__file__).resolve().parent
TEMPLATE = HERE / "templates" / "rule-language.md"
PAGE = HERE / "rule-language.md"
RULES = HERE.parent / "rules"
DIRECTIVE = re.compile(r"<!-- insert (.+?) -->")
LISTED = re.compile(r"<!-- insert words (\S+) (\S+) (\S+) -->")
NOTE = "<!-- Written by methodology/reference.py from methodology/templates/rule-language.md; change that one. -->"


class Page:
    """One page in the making."""

    def __init__(self) -> None:
        self.template = TEMPLATE.read_text(encoding="utf-8")
        self.tables = SchemaTables({(kind, path): heading for kind, path, heading in LISTED.findall(self.template)})
        self.parts: dict[str, Callable[[Sequence[str]], str]] = {
            "rule": lambda given: fenced("yaml", (RULES / f"{given[0]}.yaml").read_text(encoding="utf-8")),
            "keys": lambda given: self.tables.keys(given[0], "" if given[1] == "document" else given[1], given[2:]),
            "names": lambda given: self.tables.names(given[0], given[1]),
            "words": lambda given: self.tables.words(given[0], given[1]),
            "verbs": lambda _: self.tables.verbs(),
            "modifiers": lambda _: self.tables.modifiers(),
            "predicates": lambda _: self.tables.predicates(),
            "verdicts": lambda _: words.verdicts(),
            "outcomes": lambda _: words.outcomes(),
            "credit-outcomes": lambda _: words.credit_outcomes(),
            "credit-defaults": lambda _: words.credit_defaults(),
            "pick-words": lambda _: words.pick_words(),
            "roots": lambda _: words.roots(),
            "view": lambda given: words.view(given[0]),
            "functions": lambda _: words.functions(),
            "primitives": lambda _: words.primitives(self.tables),
            "codes": lambda _: words.codes_table(),
            "fixtures": lambda _: words.fixtures(),
            "budgets": lambda _: words.budgets(),
            "conflicts": lambda _: words.conflicts(),
            "pattern-sets": lambda _: words.pattern_sets(),
            "payload-sets": lambda _: words.payload_sets(),
            "number": lambda given: number(given[0]),
        }

    def text(self) -> str:
        """Raises ``MissingWordsError`` when a table lacks words, or a key has no table."""
        made = DIRECTIVE.sub(self._insert, self.template)
        forgotten = self.tables.forgotten()
        if forgotten:
            raise words.MissingWordsError(f"no table has the keys {', '.join(forgotten)}")
        return f"{NOTE}\n\n{made}"

    def _insert(self, found: re.Match[str]) -> str:
        name, *given = found[1].split()
        if name not in self.parts:
            raise words.MissingWordsError(f"there is nothing to insert by the name {name}")
        return self.parts[name](given)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0; with ``--check`` 1 when the page is out of date; 2 when it cannot be made."""
    parser = argparse.ArgumentParser(description="Write the reference of the rule language.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 when the page is out of date")
    arguments = parser.parse_args(argv)
    try:
        text = Page().text()
    except words.MissingWordsError as error:
        print(f"reference: {error}", file=sys.stderr)
        return 2
    if not arguments.check:
        PAGE.write_text(text, encoding="utf-8", newline="\n")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"reference: {PAGE.name} is out of date; run python methodology/reference.py", file=sys.stderr)
    return 1
