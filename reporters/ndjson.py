"""The report as a stream: one JSON object a line, one line an event, written while the run goes on.

``begin``
    How many rules will run (``total``) and for which revision.
``status``
    A line for people about a wait; these may stand in front of ``begin``.
``test``
    A rule that ended: ``test`` is what the JSON report holds for it.
``end``
    The last line, always: ``report`` is the whole JSON report. A run that comes to no report has an ``error`` in its
    place, which is ``interrupted`` after Ctrl+C. Where the server could not even be met this event may be the only one.

Each event names its ``event`` and its ``schemaVersion``, that of the JSON report.
"""

from __future__ import annotations

from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.model.result import Report, Result
from mcp_compliance.reporters.json import SCHEMA_VERSION, document, test_entry
from mcp_compliance.reporters.json_text import json_text
from mcp_compliance.reporters.style import Style


def render(report: Report, style: Style) -> str:
    """The complete stream of a run that is over. ``style`` is not asked: data looks the same everywhere."""
    tests = "".join(map(test, report.results))
    return beginning(len(report.results), report.spec_version) + tests + ending(report)


def beginning(total: int, spec_version: str) -> str:
    return _line("begin", specVersion=spec_version, total=total)


def status(message: str) -> str:
    return _line("status", message=message)


def test(result: Result) -> str:
    return _line("test", test=test_entry(result))


def ending(report: Report) -> str:
    return _line("end", report=document(report))


def broken_off(error: str) -> str:
    """In the place of an ending, for a run that comes to no report."""
    return _line("end", error=error)


def _line(event: str, **members: JSON) -> str:
    found: JSONObject = {"schemaVersion": SCHEMA_VERSION, "event": event, **members}
    return json_text(found)
