"""Reads a revision's own documents: defaults, model, lists, patterns, payloads."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from mcp_compliance.catalog.compile_revision import compile_revision
from mcp_compliance.catalog.compile_values import Compiler
from mcp_compliance.catalog.document_schema import Kind
from mcp_compliance.catalog.functions.schemas import schema_violations
from mcp_compliance.catalog.index import REVISION_FILE
from mcp_compliance.catalog.library import Library, wire_schema
from mcp_compliance.catalog.patterns import PatternError, case_problems, load_pattern_sets
from mcp_compliance.catalog.positions import Document, DocumentError, load_document
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.catalog.wire_schema import FILE as WIRE_SCHEMA_FILE
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.primitives.payload_schema import PAYLOAD_SET
from mcp_compliance.rulecheck.documents import problem_finding, read_document
from mcp_compliance.rulecheck.expressions import check_expressions, unreadable
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.nearest import known_or_nearest
from mcp_compliance.rulecheck.references import check_revision_names
from mcp_compliance.rulecheck.subjects import Lists, RevisionSubject, Source


@dataclass
class RevisionReader:
    """Reads one folder. ``findings`` and ``files`` fill up on the way."""

    folder: Path
    findings: list[Finding] = field(default_factory=list)
    files: int = 0

    def read(self, *, complete: bool) -> RevisionSubject | None:
        """The revision; None when its own document has findings that leave nothing to check rules against."""
        document = self._document(REVISION_FILE, "revision")
        model = self._document("_model.yaml", "model")
        lists = Lists(self._anchors(), self._requirements())
        library = self._library()
        payloads = self._payloads(library.patterns)
        if document is None:
            return None
        compiler = Compiler()
        revision = compile_revision(
            compiler,
            _object(document.value),
            self.folder,
            library=library,
            payloads=payloads,
            model=_object(model.value).get("model") if model is not None else None,
        )
        subject = RevisionSubject(Source(document), revision, lists, complete)
        self._expressions(subject, revision, compiler, model)
        self.findings += check_revision_names(subject)
        return subject

    def _expressions(
        self, subject: RevisionSubject, revision: Revision, compiler: Compiler, model: Document | None
    ) -> None:
        """The model stands in a document of its own, so its findings point there."""
        own = [problem for problem in compiler.problems if problem.at[0] != "model"]
        self.findings += unreadable(subject.source, own)
        self.findings += check_expressions(subject.source, replace(revision, model=()), revision.library)
        if model is not None:
            source = Source(model)
            others = [problem for problem in compiler.problems if problem.at[0] == "model"]
            self.findings += unreadable(source, others)
            self.findings += check_expressions(source, revision.model, revision.library)

    def _document(self, name: str, kind: Kind) -> Document | None:
        path = self.folder / name
        if not path.is_file():
            return None
        self.files += 1
        document, findings = read_document(path, kind)
        self.findings += findings
        return document

    def _anchors(self) -> dict[str, frozenset[str]] | None:
        document = self._document("_anchors.yaml", "anchors")
        if document is None:
            return None
        pages = _object(_object(document.value).get("pages"))
        return {
            page: frozenset(map(str, anchors if isinstance(anchors, list) else ())) for page, anchors in pages.items()
        }

    def _requirements(self) -> frozenset[str] | None:
        document = self._document("_requirements.yaml", "requirements")
        return None if document is None else frozenset(_object(_object(document.value).get("requirements")))

    def _library(self) -> Library:
        files = [path for path in self._named("_patterns.yaml") if path.is_file()]
        self.files += len(files)
        try:
            sets = load_pattern_sets(*files)
        except PatternError as error:
            self.findings.append(Finding(files[-1], 1, 1, "R4", str(error)))
            return Library()
        for path in files:
            self.findings += _pattern_findings(path)
        return Library(sets, wire_schema(self.folder / WIRE_SCHEMA_FILE))

    def _payloads(self, patterns: Collection[str]) -> JSONObject:
        found: JSONObject = {}
        for path in self._named("_payloads.yaml"):
            if not path.is_file():
                continue
            self.files += 1
            try:
                document = load_document(path)
            except DocumentError as error:
                lines = error.source_lines
                self.findings += [problem_finding("R1", problem, lines) for problem in error.problems]
                continue
            sets = {name: value for name, value in _object(document.value).items() if name != "format"}
            self.findings += _payload_findings(Source(document), sets, patterns)
            found.update(sets)
        return found

    def _named(self, name: str) -> Iterator[Path]:
        """The file of what all revisions share, then the revision's own."""
        yield self.folder.parent / "shared" / name
        yield self.folder / name


def _pattern_findings(path: Path) -> Iterator[Finding]:
    """What a set's own cases say about it."""
    document = load_document(path)
    source = Source(document)
    for name, pattern_set in load_pattern_sets(path).items():
        for problem in case_problems(pattern_set):
            label = problem.split(":", 1)[0]
            yield source.finding("R4", ("sets", name, "patterns", label), problem, key=True)


def _payload_findings(source: Source, sets: JSONObject, patterns: Collection[str]) -> Iterator[Finding]:
    for name, payload_set in sets.items():
        for problem in schema_violations(payload_set, PAYLOAD_SET)[:1]:
            yield source.finding("R2", (name,), f"the payload set {name} does not fit: {problem}", key=True)
        values = _object(payload_set).get("values")
        for index, value in enumerate(values if isinstance(values, list) else ()):
            shows = _object(value).get("shows")
            if isinstance(shows, str) and shows not in patterns:
                pointer = (name, "values", index, "shows")
                hint = known_or_nearest(shows, patterns)
                yield source.finding("R4", pointer, f"there is no pattern set {shows}", hint)


def _object(value: JSON) -> JSONObject:
    return value if isinstance(value, dict) else {}
