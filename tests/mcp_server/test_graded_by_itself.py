"""The server under the suite that it serves: nothing fails, and every skip and every warning has its reason here."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mcp_compliance import Report, SuiteOptions, run_compliance_suite
from tests.mcp_server.preloaded import run
from tests.reference.quick import handing_over

COMMAND = [str(Path(sys.executable).with_name("mcp-compliance")), "mcp"]
LISTENING = re.compile(r"listening on (http://\S+)")
OLD, NEW = "2025-11-25", "2026-07-28"

TOOLS_ONLY = "The server offers two tools: no resources, no prompts, no completions."
ONE_PAGE = "Two tools fit on one page."
NO_LOGS = "It does not log to clients."
QUICK = "The read-only tool answers at once, so there is no progress to report; the other one is not called (below)."
NEVER_ASKS = "No tool asks its client for input."
NO_URLS = "Only the tool that tests takes a URL, and it is not called (below)."
OPEN = "Whoever can reach the loopback address is the user: there are no credentials."
LOOPBACK = "It listens on the loopback address alone."
WITH_ARGUMENTS = "The read-only tool needs an argument."
NO_NAMES = "The header repeats names of resources and of prompts; there are none."

RESOURCES = ("resources-list", "resources-read", "resources-templates", "resources-pagination", "resources-schema")
PROMPTS = ("prompts-list", "prompts-get", "prompts-pagination", "prompts-schema")
CREDENTIALS = ("security-auth-required", "security-www-authenticate", "security-auth-malformed")
SKIPS = {
    **dict.fromkeys((*RESOURCES, *PROMPTS, "lifecycle-completions"), TOOLS_ONLY),
    "tools-pagination": ONE_PAGE,
    "security-ssrf-internal": NO_URLS,
}
SKIPS_OF = {
    OLD: {"resources-subscribe": TOOLS_ONLY, "lifecycle-logging": NO_LOGS},
    NEW: {
        "resources-list-caching": TOOLS_ONLY,
        "resources-read-caching": TOOLS_ONLY,
        "resources-not-found": TOOLS_ONLY,
        "resources-templates-caching": TOOLS_ONLY,
        "prompts-list-caching": TOOLS_ONLY,
        "lifecycle-progress-token": QUICK,
        "schema-input-required-shape": NEVER_ASKS,
    },
}
SKIPS_OVER_HTTP = {
    **dict.fromkeys((*CREDENTIALS, "security-oauth-metadata", "security-token-in-uri"), OPEN),
    "security-tls-required": LOOPBACK,
    "security-rate-limiting": WITH_ARGUMENTS,
}
SKIPS_OVER_HTTP_OF = {
    OLD: {"security-session-not-auth": OPEN, "lifecycle-progress-token": QUICK},
    NEW: {"transport-header-name-mismatch": NO_NAMES},
}

# The tool that tests is annotated as destructive: what the tested server's tools do is not known.
DESTRUCTIVE = "Tools passed over: mcp_compliance_test (destructive)."
# Both eras are served, which is what the warning is about.
BOTH_ERAS = "Server is dual-era: it is graded as 2026-07-28."
PINNED = "Server answered the 2026-07-28 server/discover probe with a DiscoverResult"
# The SDK serves 2025-03-26 as well: to it a request without the header is one of that revision, and so is allowed.
HEADER_OF_OLD = "transport-header-version-required: without the header the request was refused with -32600"
OLD_HEADER = (
    "transport-header-version-mismatch: under the header 2025-11-25 a request of 2026-07-28 is answered as an old"
)
# The SDK lets a session be initialized again; no sentence forbids it.
AGAIN = "lifecycle-reinit-reject: a second initialize in a session was not refused"
WARNINGS = {
    (OLD, "stdio"): [DESTRUCTIVE],
    (OLD, "http"): [PINNED, DESTRUCTIVE, AGAIN],
    (NEW, "stdio"): [BOTH_ERAS, DESTRUCTIVE],
    (NEW, "http"): [BOTH_ERAS, DESTRUCTIVE, HEADER_OF_OLD, OLD_HEADER],
}
SIZES = {(OLD, "stdio"): 55, (OLD, "http"): 85, (NEW, "stdio"): 75, (NEW, "http"): 99}


@contextmanager
def served_over_http() -> Iterator[str]:
    # standard error goes nowhere else: the SDK logs there what was wrong with the requests of a test
    process = subprocess.Popen([*COMMAND, "--http", "0"], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        found = LISTENING.match(said)
        assert found is not None, said
        yield found[1]
    finally:
        process.terminate()
        process.communicate(timeout=20)


def wrong(report: Report, transport: str) -> Iterator[str]:
    """What is not as the tables say."""
    revision = report.spec_version
    yield from (f"{each.verdict} {each.id}: {each.message}" for each in report.results if not each.passed)
    skips = {**SKIPS, **SKIPS_OF[revision]}
    if transport == "http":
        skips = {**skips, **SKIPS_OVER_HTTP, **SKIPS_OVER_HTTP_OF[revision]}
    skipped = {each.id: each.message for each in report.results if each.skipped}
    yield from (f"skips, without a reason: {rule}: {skipped[rule]}" for rule in set(skipped) - set(skips))
    yield from (f"does not skip any more: {rule}" for rule in set(skips) - set(skipped))
    expected = WARNINGS[revision, transport]
    for warning, beginning in zip(report.warnings, expected, strict=False):
        if not warning.startswith(beginning):
            yield f"warns {warning!r} instead of {beginning!r}"
    if len(report.warnings) != len(expected):
        yield f"{len(report.warnings)} warnings: {report.warnings}"
    if (report.grade, report.score, report.error) != ("A", 100, None):
        yield f"grade {report.grade}, score {report.score}, error {report.error}"
    if len(report.results) != SIZES[revision, transport]:
        yield f"{len(report.results)} rules"


@pytest.mark.parametrize("revision", [OLD, NEW])
def test_over_stdio(revision: str) -> None:
    # a run starts the server several times
    report = run_compliance_suite(list(handing_over(run, "mcp")), SuiteOptions(spec_version=revision))
    assert not list(wrong(report, "stdio"))


def test_over_http() -> None:
    with served_over_http() as url:
        for revision in (OLD, NEW):
            report = run_compliance_suite(url, SuiteOptions(spec_version=revision))
            assert not list(wrong(report, "http"))
