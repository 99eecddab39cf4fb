"""What a rule checks and why: by its id, in one revision or in all that have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcp_compliance.catalog.closest_word import suggestion
from mcp_compliance.catalog.index import IndexEntry, load_index
from mcp_compliance.catalog.kept import kept_revision, kept_rules, stamp_of
from mcp_compliance.catalog.load import known_folders
from mcp_compliance.catalog.rule import Level, SpecReference, Transport
from mcp_compliance.catalog.what_is_sent import what_is_sent


class UnknownRuleError(Exception):
    """No rule has this id. One line for people, with the nearest id that there is."""


@dataclass(frozen=True)
class Explanation:
    """A rule of one revision, for readers. Texts are paragraphs without line breaks."""

    id: str
    revision: str
    title: str
    category: str
    level: Level
    capability: str | None
    transports: tuple[Transport, ...]
    sends: tuple[str, ...]
    why: str
    fix: str
    spec: tuple[SpecReference, ...]
    """URLs of the sentences that it stands on, with their force; the first is the one that a failure violates."""
    requirements: tuple[str, ...]

    @property
    def required(self) -> str:
        """The level in words."""
        if self.level != "required-if-declared":
            return self.level
        return f"required of servers that declare {self.capability}"


@dataclass(frozen=True)
class Explained:
    """A rule in every revision that was asked for and has it, oldest first. ``notes``: how they differ, and where else
    the id means something."""

    id: str
    explanations: tuple[Explanation, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class ExplainedCategory:
    """The rules of a category, by revision."""

    category: str
    rules: tuple[tuple[str, tuple[IndexEntry, ...]], ...]


def explain(word: str, revision: str | None = None, root: Path | None = None) -> Explained | ExplainedCategory:
    """The rule, or the category, of that name: in ``revision``, or in every known one.

    ``root`` is the folder of the revisions (default: the shipped ones). Raises ``UnknownRuleError``, also for an id
    that only other revisions than ``revision`` have, ``KeyError`` for an unknown revision, and what loading raises.
    """
    folders = known_folders(root)
    indexes = {name: load_index(name, root).entries for name in folders}
    wanted = tuple(folders) if revision is None else (revision,)
    having = tuple(name for name in wanted if any(entry.id == word for entry in indexes[name]))
    if having:
        found = tuple(_explanation(word, folders[name]) for name in having)
        elsewhere = [name for name in folders if name not in having and any(e.id == word for e in indexes[name])]
        return Explained(word, found, _notes(found, wanted, elsewhere))
    categories = tuple(
        (name, rules) for name in wanted if (rules := tuple(e for e in indexes[name] if e.category == word))
    )
    if categories:
        return ExplainedCategory(word, categories)
    raise UnknownRuleError(_unknown(word, wanted, indexes))


def _explanation(rule_id: str, folder: Path) -> Explanation:
    stamp = stamp_of(folder)
    revision = kept_revision(folder, stamp)
    (rule,) = kept_rules(folder, stamp, (rule_id,))
    return Explanation(
        id=rule.id,
        revision=revision.revision,
        title=rule.title,
        category=rule.category,
        level=rule.level,
        capability=rule.capability,
        transports=rule.transports,
        sends=what_is_sent(rule, revision),
        why=" ".join(rule.why.split()),
        fix=" ".join(rule.fix.split()),
        spec=rule.spec,
        requirements=rule.requirements,
    )


def _notes(found: Sequence[Explanation], wanted: Sequence[str], elsewhere: Sequence[str]) -> tuple[str, ...]:
    if elsewhere:
        return (f"MCP {' and '.join(elsewhere)} has a test of this id, too; it may judge otherwise.",)
    if len(found) == 1:
        others = [name for name in wanted if name != found[0].revision]
        return (f"Only MCP {found[0].revision} has this test; MCP {' and '.join(others)} has none.",) if others else ()
    shared = f"MCP {' and '.join(each.revision for each in found)} share this id, each with criteria of its own"
    differing = [
        f"{name}: " + ", ".join(f"{value} in {each.revision}" for each, value in zip(found, values, strict=True))
        for name, values in _compared(found)
        if len(set(values)) > 1
    ]
    same = "; level, category and transports are the same"
    return (f"{shared}{'. They differ in ' + '; '.join(differing) if differing else same}.",)


def _compared(found: Sequence[Explanation]) -> tuple[tuple[str, list[str]], ...]:
    return (
        ("level", [each.required for each in found]),
        ("category", [each.category for each in found]),
        ("capability", [each.capability or "none" for each in found]),
        ("transports", [" and ".join(each.transports) for each in found]),
    )


def _unknown(word: str, wanted: Sequence[str], indexes: dict[str, tuple[IndexEntry, ...]]) -> str:
    others = [name for name, entries in indexes.items() if any(word in (e.id, e.category) for e in entries)]
    if others:
        return f"{word} is no test of MCP {' or '.join(wanted)}, but of MCP {' and '.join(others)}"
    known = {name for revision in wanted for entry in indexes[revision] for name in (entry.id, entry.category)}
    hint = suggestion(word, sorted(known)) or "; mcp-compliance test --list shows all"
    return f"{word} is no test of MCP {' or '.join(wanted)}{hint}"
