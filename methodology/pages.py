"""Writes the pages that are made from the rule files: ``python methodology/pages.py [--check]``.

These are the folders ``rules/`` (a page for each rule, indexes for each category and revision) and ``requirements/``
(which rule judges what the specification demands), ``differences.md`` (what differs between revisions), and
``fixing.md`` (all recipes, in the order in which real servers need them, which the tests' tables tell). Their prose
stands in ``templates/pages/`` and in the rules. Pages that nothing makes any more are removed. With ``--check`` nothing
is written or removed; the exit code is 1 when something would be.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pages_differences import difference_pages
from pages_fixing import fixing_pages
from pages_indexes import index_pages
from pages_requirements import requirement_pages
from pages_rule import rule_pages
from pages_source import Source, load_source

HERE = Path(__file__).resolve().parent
FOLDERS = ("requirements", "rules")
"""Folders in which nothing stands that is written by hand."""


def pages(source: Source) -> dict[str, str]:
    """Every page: its path below this folder, and its text."""
    made = {
        **rule_pages(source),
        **index_pages(source),
        **requirement_pages(source),
        **difference_pages(source),
        **fixing_pages(source),
    }
    return {path: made[path] for path in sorted(made)}


def stale(made: dict[str, str], root: Path) -> list[Path]:
    """Pages that stand there and are not made."""
    standing = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.md"))]
    return [path for path in standing if path.relative_to(root).as_posix() not in made]


def differing(made: dict[str, str], root: Path) -> list[str]:
    """Pages that do not stand there as they are made."""
    return [path for path, text in made.items() if not _stands(root / path, text)]


def main(argv: Sequence[str] | None = None, root: Path = HERE) -> int:
    """Exit code 0; with ``--check`` 1 when a page is out of date. ``root`` is the folder of the pages."""
    parser = argparse.ArgumentParser(description="Write the pages on rules, requirements and differences.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 when a page is out of date")
    arguments = parser.parse_args(argv)
    made = pages(load_source())
    wrong, left = differing(made, root), stale(made, root)
    if arguments.check:
        for name in (*wrong, *(path.relative_to(root).as_posix() for path in left)):
            print(f"pages: {name} is out of date; run python methodology/pages.py", file=sys.stderr)
        return 1 if wrong or left else 0
    for name in wrong:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(made[name], encoding="utf-8", newline="\n")
    for path in left:
        path.unlink()
    print(f"{len(made)} pages, {len(wrong)} written, {len(left)} removed")
    return 0


def _stands(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode("utf-8")


if __name__ == "__main__":
    sys.exit(main())
