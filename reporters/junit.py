"""The report as JUnit XML: a test suite for each category, a test case for each rule.

A run that did not come about, and one that ran nothing, is an error of a suite of its own: no CI system takes it for a
success. A failure that the user expects is a skipped test case, since there is no other word for it in the format.
Elements, attributes and their order are those on which Ant's and Jenkins's schemas agree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from mcp_compliance.model.result import Report, Result
from mcp_compliance.reporters.conclusions import note, undone
from mcp_compliance.reporters.excerpt import excerpt
from mcp_compliance.reporters.findings import Finding, findings
from mcp_compliance.reporters.style import Style
from mcp_compliance.reporters.untrusted import inert, visible
from mcp_compliance.reporters.warnings import capped

NAME = "mcp-compliance"
# What XML cannot say, however it is escaped, and `visible` lets through.
_NO_CHARACTER = re.compile("[\ufffe\uffff]")


def render(report: Report, style: Style) -> str:
    """A whole document, ending in a line feed. ``style`` is not asked: data looks the same everywhere."""
    root = Element("testsuites")
    why = undone(report)
    if why:
        suite = _suite(root, report, "run", ())
        _set(suite, tests="1", errors="1")
        case = _case(suite, "run", "run", 0)
        _child(case, "error", why, "error", text=_warnings(report))
        _end(suite, report)
    found = {result.id: finding for finding in findings(report.results) for result in finding.results}
    for category in dict.fromkeys(result.category for result in report.results):
        members = [result for result in report.results if result.category == category]
        suite = _suite(root, report, category, members)
        for result in members:
            _add(suite, result, found.get(result.id))
        _end(suite, report)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _suite(root: Element, report: Report, name: str, results: Sequence[Result]) -> Element:
    suite = SubElement(root, "testsuite")
    failing = [result for result in results if result.verdict in ("fail", "not-evaluable")]
    _set(
        suite,
        name=name,
        tests=str(len(results)),
        failures=str(sum(not result.expected for result in failing)),
        errors=str(sum(result.verdict == "broken" for result in results)),
        skipped=str(sum(result.skipped for result in results) + sum(result.expected for result in failing)),
        time=_seconds(sum(result.duration_ms for result in results)),
        timestamp=report.timestamp.removesuffix("Z"),  # the format wants UTC and no word of it
        hostname="localhost",
        id=str(len(root) - 1),
        package=NAME,
    )
    properties = SubElement(suite, "properties")
    for key, value in _properties(report).items():
        _set(SubElement(properties, "property"), name=key, value=value)
    return suite


def _properties(report: Report) -> dict[str, str]:
    said = {"note": note(report), "caveat": " ".join(report.caveats)}
    return {
        "specVersion": report.spec_version,
        "toolVersion": report.tool_version,
        "target": excerpt(report.url),
        "transport": report.transport,
        "grade": report.grade,
        "score": str(report.score),
        "seed": str(report.seed),
        **{key: excerpt(value) for key, value in said.items() if value},
    }


def _end(suite: Element, report: Report) -> None:
    """The warnings of the run stand in its first suite alone."""
    _text(SubElement(suite, "system-out"), note(report))
    _text(SubElement(suite, "system-err"), _warnings(report) if suite.get("id") == "0" else "")


def _add(suite: Element, result: Result, finding: Finding | None) -> None:
    case = _case(suite, result.id, f"{NAME}.{result.category}", result.duration_ms)
    if result.skipped:
        _child(case, "skipped", result.message)
    elif result.verdict == "broken":
        _child(case, "error", result.message, "broken", text="The rule is wrong; nothing is said of the server.")
    elif finding is not None and result.expected:
        because = f" ({result.expected_because})" if result.expected_because else ""
        _child(case, "skipped", f"expected to fail{because}: {result.message}", text=_details(result, finding))
    elif finding is not None:
        kind = "not-evaluable" if result.verdict == "not-evaluable" else result.force or "fail"
        _child(case, "failure", result.message, kind, text=_details(result, finding))


def _details(result: Result, finding: Finding) -> str:
    """All that helps to mend the cause, told once: what only follows points to it."""
    level = "required" if result.required else "optional"
    lines = [f"{result.name} ({level})", excerpt(visible(result.message))]
    if result is not finding.head:
        return "\n".join([*lines, f"Follows from {visible(finding.cause)}."])
    if finding.cause != result.id:
        lines.append(f"Cause: {visible(finding.cause)}")
    for evidence in result.evidence:
        lines += [f"Sent: {excerpt(visible(evidence.sent))}", f"Received: {excerpt(visible(evidence.received))}"]
    lines += [f"{label}: {excerpt(text.strip())}" for label, text in (("Why", result.why), ("Fix", result.fix)) if text]
    if result.spec_ref:
        lines.append(f"Specification: {visible(result.spec_ref)}")
    if finding.followers:
        lines.append("Also for this cause: " + ", ".join(follower.id for follower in finding.followers))
    return "\n".join(lines)


def _warnings(report: Report) -> str:
    return "\n".join(f"warning: {excerpt(visible(warning))}" for warning in capped(report.warnings))


def _case(suite: Element, name: str, classname: str, duration_ms: int) -> Element:
    case = SubElement(suite, "testcase")
    _set(case, name=name, classname=classname, time=_seconds(duration_ms))
    return case


def _child(case: Element, tag: str, message: str, kind: str = "", *, text: str = "") -> None:
    child = SubElement(case, tag)
    _set(child, message=excerpt(message), **({"type": kind} if kind else {}))
    _text(child, text)


def _set(element: Element, **values: str) -> None:
    for name, value in values.items():
        element.set(name, _legal(visible(value)))


def _text(element: Element, text: str) -> None:
    element.text = _legal(inert(visible(text, lines=True))) or None


def _legal(text: str) -> str:
    return _NO_CHARACTER.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.3f}"
