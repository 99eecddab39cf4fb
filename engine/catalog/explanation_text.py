"""Explanations as text for people, and as JSON values."""

from __future__ import annotations

from mcp_compliance.catalog.explanation import Explained, ExplainedCategory, Explanation
from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.reporters.page import LABEL, Page
from mcp_compliance.reporters.style import Style

TRANSPORTS = {"http": "Streamable HTTP", "stdio": "stdio"}


def as_text(found: Explained | ExplainedCategory, style: Style) -> str:
    """For a terminal, or with a plain style for any reader."""
    page = Page(style)
    if isinstance(found, ExplainedCategory):
        _add_category(page, found)
        return page.text()
    page.line((found.id, "bold"))
    for each in found.explanations:
        page.blank()
        _add(page, each)
    page.blank()
    for note in found.notes:
        page.wrapped(note, "yellow")
    return page.text()


def _add(page: Page, each: Explanation) -> None:
    page.line((f"MCP {each.revision}", "bold cyan"))
    over = " and ".join(TRANSPORTS[transport] for transport in each.transports)
    page.wrapped(each.title, "bold", indent=2)
    page.wrapped(f"{each.category}, {each.required}, over {over}", indent=2, label="what")
    if each.capability is not None and each.level != "required-if-declared":
        page.wrapped(f"{each.capability} is declared by the server; else it is skipped", indent=2, label="if")
    for number, line in enumerate(each.sends):
        page.wrapped(line, indent=2 if number == 0 else 2 + LABEL, label="sends" if number == 0 else "")
    page.wrapped(each.why, indent=2, label="why")
    page.wrapped(each.fix, indent=2, label="fix")
    forces = ["advisory" if reference.force == "none" else reference.force for reference in each.spec]
    for number, (force, reference) in enumerate(zip(forces, each.spec, strict=True)):
        text = f"{force:<{max(map(len, forces))}}  {reference.url}"
        page.labelled("spec" if number == 0 else "", text, "cyan", indent=2)
    if each.requirements:
        page.wrapped(", ".join(each.requirements), "dim", indent=2, label="covers")


def _add_category(page: Page, found: ExplainedCategory) -> None:
    page.wrapped(f"{found.category} is a category of tests; one of these ids explains one of them:")
    for revision, entries in found.rules:
        page.heading(f"MCP {revision}", f"{len(entries)} tests")
        width = max(len(entry.id) for entry in entries)
        for entry in entries:
            page.cut(f"{entry.id:<{width}}  ", (entry.title, "dim"), indent=2)


def as_document(found: Explained | ExplainedCategory) -> JSONObject:
    """The same as JSON values: ``explanations`` and ``notes`` of a test, ``tests`` of a category."""
    if isinstance(found, ExplainedCategory):
        return {
            "category": found.category,
            "tests": [
                {"specVersion": revision, "id": entry.id, "name": entry.title}
                for revision, entries in found.rules
                for entry in entries
            ],
        }
    return {
        "id": found.id,
        "explanations": [_document(each) for each in found.explanations],
        "notes": list(found.notes),
    }


def _document(each: Explanation) -> JSONObject:
    document: JSONObject = {
        "specVersion": each.revision,
        "name": each.title,
        "category": each.category,
        "level": each.level,
        "transports": list(each.transports),
        "sends": list(each.sends),
        "why": each.why,
        "fix": each.fix,
        "spec": [{"url": reference.url, "force": reference.force} for reference in each.spec],
        "requirements": list(each.requirements),
    }
    return {**document, "capability": each.capability} if each.capability is not None else document
