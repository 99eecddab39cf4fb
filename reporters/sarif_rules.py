"""The rules of a run as SARIF describes them: what each is about, why it matters, how to keep it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcp_compliance.jsontypes import JSONObject
from mcp_compliance.model.result import Result
from mcp_compliance.reporters.excerpt import excerpt
from mcp_compliance.reporters.untrusted import visible

_LONGEST_DESCRIPTION = 900
"""Code scanning takes 1,024 characters."""


def descriptors(results: Sequence[Result]) -> list[JSONObject]:
    """One for each rule that ran, by id, so that two files of the same rules differ in nothing but their results."""
    return [_descriptor(result) for result in sorted(results, key=lambda result: result.id)]


def level_of(result: Result) -> str:
    return "error" if result.required else "warning"


def _descriptor(result: Result) -> JSONObject:
    name = excerpt(visible(result.name), _LONGEST_DESCRIPTION) or result.id
    why = excerpt(visible(result.why.strip(), lines=True), _LONGEST_DESCRIPTION)
    found: JSONObject = {
        "id": result.id,
        "shortDescription": {"text": name},
        "fullDescription": {"text": why or name},
        "help": {"text": _help(result, name), "markdown": _help_in_markdown(result, name)},
        "defaultConfiguration": {"level": level_of(result)},
        "properties": {
            "tags": list(dict.fromkeys(["mcp", visible(result.category)])),
            "required": result.required,
            "requirements": [visible(requirement) for requirement in result.requirements],
        },
    }
    if is_link(result.spec_ref):
        found["helpUri"] = result.spec_ref
    return found


def is_link(reference: str | None) -> bool:
    return re.fullmatch(r"https://[\w./~?=&#%+-]+", reference or "", re.ASCII) is not None


def _parts(result: Result) -> list[tuple[str, str]]:
    told = (("Why", result.why), ("Fix", result.fix))
    return [(label, excerpt(visible(text.strip(), lines=True))) for label, text in told if text.strip()]


def _help(result: Result, name: str) -> str:
    lines = [name, *(f"{label}: {text}" for label, text in _parts(result))]
    if result.spec_ref:
        lines.append(f"Specification: {visible(result.spec_ref)}")
    return "\n\n".join(lines)


def _help_in_markdown(result: Result, name: str) -> str:
    lines = [name, *(f"**{label}:** {text}" for label, text in _parts(result))]
    if is_link(result.spec_ref):
        lines.append(f"[Specification]({result.spec_ref})")
    return "\n\n".join(lines)
