"""The explain tool: what a test checks, why, and how to pass it."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_compliance.api.definitions import revision_of
from mcp_compliance.catalog.explanation import UnknownRuleError, explain
from mcp_compliance.catalog.explanation_text import as_document, as_text
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.mcp_server.arguments import ArgumentError, checked
from mcp_compliance.mcp_server.tools import explain_arguments
from mcp_compliance.reporters.style import Style

LONGEST_ID = 80
WIDTH = 120


def explained(arguments: Mapping[str, JSON]) -> tuple[JSONObject, str]:
    """The explanation as data and as text. Raises ``ArgumentError``."""
    given = checked(arguments, explain_arguments())
    test_id, wanted = str(given["testId"]).strip(), given.get("specVersion")
    if len(test_id) > LONGEST_ID:
        raise ArgumentError(f"testId: no test has an id of {len(test_id)} characters")
    try:
        found = explain(test_id, None if wanted is None else revision_of(wanted))
    except (UnknownRuleError, ValueError) as error:
        raise ArgumentError(str(error)) from error
    return as_document(found), as_text(found, Style(width=WIDTH, color=False, unicode=True, whole_lines=True))
