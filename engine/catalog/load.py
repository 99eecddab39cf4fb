"""Loads a revision's folder: documents, schemas, typed rules. What is wrong is said with file, line and column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mcp_compliance.catalog.compile_revision import compile_revision
from mcp_compliance.catalog.compile_rule import compile_rule
from mcp_compliance.catalog.compile_values import Compiler
from mcp_compliance.catalog.index import REVISION_FILE, rules_root
from mcp_compliance.catalog.library import load_library
from mcp_compliance.catalog.positions import Document, load_document, parse_document
from mcp_compliance.catalog.revision import Catalogue, Revision
from mcp_compliance.catalog.rule import Rule
from mcp_compliance.catalog.wire_schema import FILE as WIRE_SCHEMA_FILE
from mcp_compliance.jsontypes import JSONObject


class CatalogueError(Exception):
    """A document of the catalogue is wrong: one line a problem, each with its place."""


@dataclass(frozen=True)
class LoadedRule:
    """A rule with the document that it came from, for whoever has to point into it."""

    rule: Rule
    document: Document


def known_folders(root: Path | None = None) -> dict[str, Path]:
    """Folders of the revisions below ``root`` (default: the shipped rules) by name, oldest first."""
    folder = rules_root() if root is None else root
    return {path.parent.name: path.parent for path in sorted(folder.glob(f"*/{REVISION_FILE}"))}


def load_revision(folder: Path) -> Revision:
    """Raises ``CatalogueError`` and ``DocumentError``."""
    document = load_document(folder / REVISION_FILE)
    shared = folder.parent / "shared"
    patterns = [path for path in (shared / "_patterns.yaml", folder / "_patterns.yaml") if path.exists()]
    payloads: JSONObject = {}
    for path in (shared / "_payloads.yaml", folder / "_payloads.yaml"):
        if path.exists():
            value = load_document(path).value
            payloads.update(value if isinstance(value, dict) else {})
    model = folder / "_model.yaml"
    model_value = load_document(model).value if model.exists() else {}
    compiler = Compiler()
    revision = compile_revision(
        compiler,
        document.value if isinstance(document.value, dict) else {},
        folder,
        library=load_library(*patterns, wire=folder / WIRE_SCHEMA_FILE),
        payloads=payloads,
        model=model_value.get("model") if isinstance(model_value, dict) else None,
    )
    _refuse(compiler, document)
    return revision


def load_rule(path: Path, revision: Revision, *, cases: bool = True) -> LoadedRule:
    """One rule file. It is expected to have passed ``rulecheck``; raises ``CatalogueError`` and ``DocumentError``."""
    if cases:
        document = load_document(path)
    else:
        document = parse_document(without_cases(path.read_text(encoding="utf-8")).encode(), path)
    compiler = Compiler()
    rule = compile_rule(
        compiler, document.value if isinstance(document.value, dict) else {}, revision, path.parent.name, path
    )
    _refuse(compiler, document)
    return LoadedRule(rule, document)


def load_rules(revision: Revision, only: Iterable[str] | None = None, *, cases: bool = True) -> tuple[Rule, ...]:
    """The rules of a revision in suite order; ``only`` limits them to these ids. A run does without their cases."""
    return tuple(loaded.rule for loaded in _load_each(revision, only, cases))


def _load_each(revision: Revision, only: Iterable[str] | None, cases: bool) -> Iterator[LoadedRule]:
    wanted = None if only is None else set(only)
    for category, ids in revision.catalogue.items():
        for rule_id in ids:
            if wanted is None or rule_id in wanted:
                yield load_rule(revision.folder / category / f"{rule_id}.yaml", revision, cases=cases)


def load_catalogue(folder: Path) -> Catalogue:
    """The revision and all its rules."""
    revision = load_revision(folder)
    loaded = tuple(_load_each(revision, None, cases=True))
    documents = {each.rule.id: value for each in loaded if isinstance(value := each.document.value, dict)}
    return Catalogue(revision, tuple(each.rule for each in loaded), documents)


def without_cases(text: str) -> str:
    """The document up to its cases, which take most of the time to read; whole where they are not the last key."""
    head, found, tail = text.partition("\ncases:")
    if not found or any(line[:1].isalpha() for line in tail.split("\n")[1:]):
        return text
    return f"{head}\n"


def _refuse(compiler: Compiler, document: Document) -> None:
    if not compiler.problems:
        return
    lines = []
    for problem in compiler.problems:
        place = document.place_within(problem.at, problem.column)
        lines.append(f"{document.path}:{place.line}:{place.column}: {problem.message}")
    raise CatalogueError("\n".join(lines))
