"""R1 and R2: the file is a document of the language, and fits the schema of its kind."""

from __future__ import annotations

from pathlib import Path

from mcp_compliance.catalog.document_schema import Kind, schema_problems
from mcp_compliance.catalog.positions import Document, DocumentError, DocumentProblem, load_document
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.skeleton import BLANK

MOST_LINES = 150
"""Lines of a rule, not counting its cases."""


def read_document(path: Path, kind: Kind) -> tuple[Document | None, list[Finding]]:
    """The document, None when it is none of its kind, and what is wrong with it."""
    try:
        document = load_document(path)
    except DocumentError as error:
        return None, [problem_finding("R1", problem, error.source_lines) for problem in error.problems]
    problems = [problem_finding("R2", problem, document.source_lines) for problem in schema_problems(document, kind)]
    valid = not problems
    if kind == "rule":
        problems += [*_too_long(document), *_blanks(document)]
    return (document if valid else None), problems


def problem_finding(code: str, problem: DocumentProblem, lines: tuple[str, ...]) -> Finding:
    source = lines[problem.line - 1] if problem.line <= len(lines) else None
    return Finding(problem.path, problem.line, problem.column, code, problem.message, problem.suggestion, source)


def _too_long(document: Document) -> list[Finding]:
    count = len(document.source_lines) - document.lines_of("cases")
    if count <= MOST_LINES:
        return []
    message = f"{count} lines without the cases; at most {MOST_LINES} are allowed"
    return [Finding(document.path, 1, 1, "R1", message, "make two rules of it")]


def _blanks(document: Document) -> list[Finding]:
    """Texts of a skeleton that nobody has written yet."""
    value = document.value if isinstance(document.value, dict) else {}
    findings = []
    for key, words in value.items():
        if isinstance(words, str) and words.startswith(BLANK):
            place = document.place((key,))
            source = document.source_lines[place.line - 1]
            message = f"'{key}' is still to be filled in"
            findings.append(Finding(document.path, place.line, place.column, "R2", message, None, source))
    return findings
