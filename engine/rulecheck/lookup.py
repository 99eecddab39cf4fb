"""Finds one rule or revision by name, for the commands that work on a single one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mcp_compliance.catalog.index import REVISION_FILE, rules_root
from mcp_compliance.catalog.load import (
    CatalogueError,
    LoadedRule,
    known_folders,
    load_catalogue,
    load_revision,
    load_rule,
)
from mcp_compliance.catalog.positions import DocumentError
from mcp_compliance.catalog.revision import Catalogue, Revision
from mcp_compliance.catalog.rule import Rule
from mcp_compliance.rulecheck.errors import CannotError
from mcp_compliance.rulecheck.nearest import known_or_nearest, nearest


def default_root() -> Path:
    """The ``rules`` folder of the checkout that the working directory lies in, else the installed rules.

    Someone who edits rules means those, and not the copies of them that an installation made.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        if known_folders(folder / "rules"):
            return folder / "rules"
    return rules_root()


def revision_for(rule_id: str, name: str, rules: Path | None) -> Revision:
    """The named revision, else the newest whose catalogue lists the id, else the newest. Raises ``CannotError``."""
    revisions = [_revision(folder) for folder in _folders(name, rules)]
    listing = [revision for revision in revisions if _lists(revision, rule_id)]
    return (listing or revisions)[-1]


def rule_for(rule_id: str, name: str, rules: Path | None) -> tuple[Rule, Revision]:
    """A rule by id, or by the path of its file, with its revision. Raises ``CannotError``."""
    loaded, revision = loaded_rule_for(rule_id, name, rules)
    return loaded.rule, revision


def loaded_rule_for(rule_id: str, name: str, rules: Path | None) -> tuple[LoadedRule, Revision]:
    """The same, with the rule's document."""
    given = Path(rule_id)
    if given.suffix == ".yaml" and given.is_file():
        home = next((folder for folder in given.resolve().parents if (folder / REVISION_FILE).is_file()), None)
        if home is None:
            raise CannotError(f"{given}: no {REVISION_FILE} stands above this file")
        revision, path = _revision(home), given
    else:
        revision = revision_for(rule_id, name, rules)
        found = sorted(revision.folder.glob(f"*/{rule_id}.yaml"))
        if not found:
            near = nearest(rule_id, [path.stem for path in revision.folder.glob("*/*.yaml")])
            raise CannotError(f"{revision.folder} has no rule {rule_id}" + (f"; {near}" if near else ""))
        path = found[0]
    try:
        return load_rule(path, revision), revision
    except (CatalogueError, DocumentError) as error:
        raise CannotError(f"{_first_line(error)}; rulecheck {path} says more") from error


def catalogues(rules: Path | None) -> Iterator[Catalogue]:
    """Every revision with all its rules. Raises ``CannotError``."""
    for folder in _folders("", rules):
        try:
            yield load_catalogue(folder)
        except (CatalogueError, DocumentError) as error:
            raise CannotError(f"{_first_line(error)}; rulecheck {folder} says more") from error


def two_folders(older: str, newer: str, rules: Path | None) -> tuple[Path, Path]:
    """The folders of two revisions; the two newest where they are not named. Raises ``CannotError``."""
    known = _folders("", rules)
    if not newer and len(known) < 2:
        raise CannotError("there is only one revision, so nothing can differ")
    first = _folders(older, rules)[0] if older else known[-2]
    second = _folders(newer, rules)[0] if newer else known[-1]
    if first == second:
        raise CannotError(f"{first.name} is both of them; name two revisions")
    return first, second


def _folders(name: str, rules: Path | None) -> list[Path]:
    root = default_root() if rules is None else rules
    known = known_folders(root)
    if name and name not in known:
        raise CannotError(f"no revision {name}; {known_or_nearest(name, known, 'there are')}")
    if not known:
        raise CannotError(f"{root}: no folder with a {REVISION_FILE} in it")
    return [known[name]] if name else list(known.values())


def _revision(folder: Path) -> Revision:
    try:
        return load_revision(folder)
    except (CatalogueError, DocumentError) as error:
        raise CannotError(f"{_first_line(error)}; rulecheck {folder} says more") from error


def _lists(revision: Revision, rule_id: str) -> bool:
    return any(rule_id in ids for ids in revision.catalogue.values())


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
