"""The figures of a benchmark, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from mcp_compliance.reporters.page import Page
from mcp_compliance.reporters.untrusted import visible

if TYPE_CHECKING:
    from mcp_compliance.jsontypes import JSONObject
    from mcp_compliance.reporters.style import Style
    from mcp_compliance.suite.benchmark import Benchmark

SCHEMA_VERSION = "1"
TRANSPORTS = {"http": "Streamable HTTP", "stdio": "stdio"}
_DIGITS = 3
"""Decimal places of milliseconds: a microsecond."""


def shortfall(found: Benchmark) -> str | None:
    """What kept requests from being answered, in a sentence; None when every one of them drew a result."""
    if found.error is not None:
        return found.error
    if found.stopped is not None:
        return f"{found.succeeded} of {found.requests} requests drew a result, then {found.stopped}"
    if found.succeeded < found.requests:
        failed = found.requests - found.succeeded
        return f"{failed} of {found.requests} requests drew no result"
    return None


def as_json(found: Benchmark) -> str:
    """One JSON document, described by ``schemas/benchmark.v1.json``."""
    document: JSONObject = {
        "schemaVersion": SCHEMA_VERSION,
        "specVersion": found.spec_version,
        "toolVersion": found.tool_version,
        "url": found.url,
        "transport": found.transport,
        "timestamp": found.timestamp,
        "method": found.method,
        "concurrency": found.concurrency,
        "requests": {
            "wanted": found.requests,
            "sent": found.sent,
            "succeeded": found.succeeded,
            "failed": found.sent - found.succeeded,
            "warmUp": found.warm_up,
        },
        "startupMs": round(found.startup_ms, _DIGITS),
        "elapsedMs": round(found.elapsed_ms, _DIGITS),
        "requestsPerSecond": round(found.per_second, _DIGITS),
        "latencyMs": None
        if found.latency is None
        else {name: round(value, _DIGITS) for name, value in asdict(found.latency).items()},
        "failures": [asdict(failure) for failure in found.failures],
        "warnings": list(found.warnings),
    }
    if found.detection is not None:
        document["detection"] = {"era": found.detection.era, "reason": found.detection.reason}
    if found.stopped is not None:
        document["stopped"] = found.stopped
    if found.error is not None:
        document["error"] = found.error
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def as_text(found: Benchmark, style: Style) -> str:
    """The figures first, then what went wrong, then what has to be known of both."""
    page = Page(style)
    page.line(("mcp-compliance", "bold"), f" {found.tool_version} benchmark")
    page.blank()
    page.wrapped(visible(found.url.removeprefix("stdio:")), label="Target")
    page.wrapped(visible(_spec(found)), label="Spec")
    page.wrapped(TRANSPORTS[found.transport], label="Transport")
    if found.error is not None:
        page.heading("ERROR")
        page.wrapped(visible(f"{found.error}. Nothing was measured."), "bold red", indent=2)
    else:
        page.wrapped(visible(_requests(found)), label="Request")
        _add_figures(page, found)
        _add_failures(page, found)
    if found.warnings:
        page.heading(f"WARNINGS ({len(found.warnings)})")
        page.bullets(visible(warning) for warning in found.warnings)
    return page.text()


def _spec(found: Benchmark) -> str:
    detection = found.detection
    if detection is None:
        return f"MCP {found.spec_version}"
    how = {"detected": "auto-detected from ", "undetermined": "assumed; "}.get(detection.era, "")
    return f"MCP {found.spec_version} ({how}{detection.reason})"


def _requests(found: Benchmark) -> str:
    at_once = f", {found.concurrency} at a time" if found.concurrency > 1 else ", one after the other"
    warm_up = f"; {found.warm_up} more before them to warm up, not counted" if found.warm_up else ""
    return f"{found.method}, {found.requests} times{at_once}{warm_up}"


def _add_figures(page: Page, found: Benchmark) -> None:
    if found.latency is not None:
        answers = "1 answer" if found.succeeded == 1 else f"{found.succeeded} answers"
        page.heading("LATENCY", f"milliseconds, of {answers}")
        figures = {name: f"{value:.2f}" for name, value in asdict(found.latency).items()}
        width = max(len(figure) for figure in figures.values())
        for name, figure in figures.items():
            page.line((f"{name:<6}", "dim"), (f"{figure:>{width}}", "bold" if name in ("p50", "p99") else ""), indent=2)
    page.heading("THROUGHPUT")
    page.line(f"{found.per_second:.1f} requests a second", indent=2)
    page.heading("START")
    page.line(f"{found.startup_ms:.0f} ms to the answer of the first contact", indent=2)


def _add_failures(page: Page, found: Benchmark) -> None:
    if (short := shortfall(found)) is None:
        return
    page.heading("FAILURES")
    page.wrapped(visible(short), "bold red", indent=2)
    page.bullets(visible(f"{failure.count} x {failure.example}") for failure in found.failures)
