"""mcp-compliance: finds out whether an MCP server keeps the specification, and what to change if it does not.

For programs::

    from mcp_compliance import run_compliance_suite

    report = run_compliance_suite("https://example.com/mcp", timeout=30_000, only=["transport", "lifecycle"])
    print(report.grade, report.score, report.spec_version)

Importing this package is cheap: what is named here is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp_compliance.api.definitions import (
        SUPPORTED_SPEC_VERSIONS,
        TestDefinition,
        get_test_definitions,
        spec_base_for,
    )
    from mcp_compliance.api.formats import render_report, report_document
    from mcp_compliance.api.options import SuiteOptions
    from mcp_compliance.api.run import run_compliance_suite, run_compliance_suite_async
    from mcp_compliance.model.options import HttpTarget, Network, StdioTarget, ToolConsent
    from mcp_compliance.model.result import Report, Result

    TEST_DEFINITIONS: tuple[TestDefinition, ...]

__all__ = [
    "SUPPORTED_SPEC_VERSIONS",
    "TEST_DEFINITIONS",
    "HttpTarget",
    "Network",
    "Report",
    "Result",
    "StdioTarget",
    "SuiteOptions",
    "TestDefinition",
    "ToolConsent",
    "__version__",
    "get_test_definitions",
    "render_report",
    "report_document",
    "run_compliance_suite",
    "run_compliance_suite_async",
    "spec_base_for",
]

__version__ = "0.1.0"

_PLACES = {
    "api.definitions": ("SUPPORTED_SPEC_VERSIONS", "TestDefinition", "get_test_definitions", "spec_base_for"),
    "api.formats": ("render_report", "report_document"),
    "api.options": ("SuiteOptions",),
    "api.run": ("run_compliance_suite", "run_compliance_suite_async"),
    "model.options": ("HttpTarget", "Network", "StdioTarget", "ToolConsent"),
    "model.result": ("Report", "Result"),
}

if not TYPE_CHECKING:  # a type checker would take this for leave to import any name

    def __getattr__(name: str) -> object:
        if name == "TEST_DEFINITIONS":
            # of the oldest revision: programs that know this list by its name know it as that one
            definitions = import_module("mcp_compliance.api.definitions")
            found: object = definitions.get_test_definitions(definitions.SUPPORTED_SPEC_VERSIONS[0])
        else:
            place = next((module for module, names in _PLACES.items() if name in names), None)
            if place is None:
                raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
            found = getattr(import_module(f"mcp_compliance.{place}"), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
