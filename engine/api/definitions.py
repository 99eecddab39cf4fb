"""The catalogues for programs: which revisions there are, and what each rule of them checks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

from mcp_compliance.catalog.closest_word import suggestion
from mcp_compliance.catalog.index import known_revisions, load_index
from mcp_compliance.model.result import Force

# What reads rule files is imported where rule files are read: whoever only asks for names need not wait for it.

SUPPORTED_SPEC_VERSIONS: tuple[str, ...] = known_revisions()
"""The revisions of the specification that a run can grade, oldest first."""


@dataclass(frozen=True)
class TestDefinition:
    """One rule of one revision. An id is only meaningful together with its ``spec_version``."""

    __test__: ClassVar[bool] = False  # or pytest would take the class for tests

    id: str
    name: str
    category: str
    required: bool
    """Whether it is required of every server; ``level`` and ``capability`` tell of those that depend."""
    level: Literal["required", "optional", "required-if-declared"]
    capability: str | None
    """The capability that it is about, if it is about one; with the level ``required-if-declared`` the rule is required
    of servers that declare it."""
    transports: tuple[str, ...]
    """``http``, ``stdio`` or both."""
    spec_version: str
    spec_ref: str
    """URL of the section that it rests on."""
    force: Force
    """Force of the sentence there."""
    description: str
    """What is at stake, in a few sentences."""
    recommendation: str
    """What to change when it fails."""
    requirements: tuple[str, ...]
    """Names of the sentences of the specification that it measures."""


def revision_of(name: object) -> str:
    """``name``, if it is a supported revision. Raises ``ValueError`` with the choices, or ``TypeError``."""
    if not isinstance(name, str):
        raise TypeError(f"the spec version is a text, not {name!r}")
    if name not in SUPPORTED_SPEC_VERSIONS:
        hint = suggestion(name, SUPPORTED_SPEC_VERSIONS)
        raise ValueError(f"unknown spec version {name!r}: choose one of {', '.join(SUPPORTED_SPEC_VERSIONS)}{hint}")
    return name


def get_test_definitions(spec_version: str) -> tuple[TestDefinition, ...]:
    """All rules of a revision, in the order of the suite. Raises ``ValueError`` for an unknown one."""
    return _definitions(revision_of(spec_version))


def spec_base_for(spec_version: str) -> str:
    """The URL that the spec links of a revision begin with, without a slash at its end. Raises ``ValueError``."""
    from mcp_compliance.catalog.kept import kept_revision, stamp_of
    from mcp_compliance.catalog.load import known_folders

    folder = known_folders()[revision_of(spec_version)]
    return kept_revision(folder, stamp_of(folder)).site.rstrip("/")


@lru_cache(maxsize=4)
def _definitions(spec_version: str) -> tuple[TestDefinition, ...]:
    from mcp_compliance.catalog.kept import kept_rules, stamp_of
    from mcp_compliance.catalog.load import known_folders

    folder = known_folders()[spec_version]
    index = load_index(spec_version)
    rules = {rule.id: rule for rule in kept_rules(folder, stamp_of(folder), tuple(each.id for each in index.entries))}
    return tuple(
        TestDefinition(
            id=entry.id,
            name=entry.title,
            category=entry.category,
            required=entry.level == "required",
            level=rules[entry.id].level,
            capability=entry.capability,
            transports=entry.transports,
            spec_version=spec_version,
            spec_ref=entry.spec,
            force=rules[entry.id].force,
            description=" ".join(rules[entry.id].why.split()),
            recommendation=" ".join(rules[entry.id].fix.split()),
            requirements=rules[entry.id].requirements,
        )
        for entry in index.entries
    )
