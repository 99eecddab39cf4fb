"""How a revision says it is recognised: its cases, and the revision that it names as the fallback."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_compliance.catalog.load import known_folders
from mcp_compliance.interpreter.recognition_cases import recognition_problems
from mcp_compliance.rulecheck.findings import Finding
from mcp_compliance.rulecheck.nearest import known_or_nearest
from mcp_compliance.rulecheck.subjects import RevisionSubject


def check_recognition(subject: RevisionSubject) -> Iterator[Finding]:
    revision, source = subject.revision, subject.source
    recognition = revision.recognition
    if recognition is None or recognition.fixture not in revision.fixtures:
        return
    known = known_folders(revision.folder.parent)
    if recognition.fallback not in known:
        message = f"there is no revision {recognition.fallback}"
        yield source.finding(
            "R5", ("recognise", "fallback"), message, known_or_nearest(recognition.fallback, list(known))
        )
    for case in recognition.cases:
        for problem in recognition_problems(case, recognition, revision):
            yield source.finding("R8", case.at, problem)
    read = {case.note for case in recognition.cases}
    if not read:
        yield source.finding("R9", ("recognise", "cases"), "no case shows what an answer is taken for", key=True)
