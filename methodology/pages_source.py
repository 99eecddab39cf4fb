"""Everything that the pages are made from, read once, and where their pages stand."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mcp_compliance.catalog.load import known_folders, load_catalogue
from mcp_compliance.catalog.requirements import Requirement, load_requirements
from mcp_compliance.catalog.revision import Catalogue
from mcp_compliance.catalog.rule import Rule

RULES = Path(__file__).resolve().parent.parent / "rules"


@dataclass(frozen=True)
class Source:
    """The catalogues, oldest first, and the requirements of each revision by its name."""

    catalogues: tuple[Catalogue, ...]
    requirements: Mapping[str, tuple[Requirement, ...]]

    @cached_property
    def checked_by(self) -> Mapping[tuple[str, str], Sequence[Rule]]:
        """The rules that name a requirement, by revision and id of the requirement, in the order of the suite."""
        found: dict[tuple[str, str], list[Rule]] = {}
        for rule in self.rules():
            for name in rule.requirements:
                found.setdefault((rule.revision, name), []).append(rule)
        return found

    def rules(self) -> Iterator[Rule]:
        for catalogue in self.catalogues:
            yield from catalogue.rules

    def others(self, rule: Rule) -> list[Rule]:
        """The rules of other revisions that share the id."""
        return [
            other
            for catalogue in self.catalogues
            if catalogue.revision.revision != rule.revision and (other := catalogue.rule(rule.id)) is not None
        ]


def load_source(root: Path = RULES) -> Source:
    """What stands in the rules folder of this checkout. Raises what loading raises."""
    catalogues = tuple(load_catalogue(folder) for folder in known_folders(root).values())
    requirements = {each.revision.revision: load_requirements(each.revision.folder) for each in catalogues}
    return Source(catalogues, requirements)


def rule_page(rule: Rule) -> str:
    return f"rules/{rule.revision}/{rule.category}/{rule.id}.md"


def category_page(revision: str, category: str) -> str:
    return f"rules/{revision}/{category}/README.md"


def revision_page(revision: str) -> str:
    return f"rules/{revision}/README.md"


def requirements_page(revision: str) -> str:
    return f"requirements/{revision}.md"


def anchor(requirement: str) -> str:
    """Where a requirement stands on its page."""
    return requirement.lower()


def link(target: str, page: str) -> str:
    """A target below the folder of the pages, as seen from a page there."""
    return posixpath.relpath(target, posixpath.dirname(page) or ".")
