"""Finished reports with fixed contents, as a run would hand them to the reporters."""

from __future__ import annotations

from dataclasses import replace

from mcp_compliance.model.result import Detection, EvidenceLine, Listing, Report, Result, ServerInfo

SPEC = "https://modelcontextprotocol.io/specification/2025-11-25"


def passed(rule: str, category: str, message: str = "as it should be", *, required: bool = False) -> Result:
    return Result(rule, f"Does {rule}", category, "pass", message, required, 12, spec_ref=f"{SPEC}/basic#{rule}")


def skipped(rule: str, category: str, message: str, *, required: bool = False) -> Result:
    return Result(rule, f"Does {rule}", category, "skip", message, required, 0)


BATCH = Result(
    id="transport-batch-reject",
    name="Refuses JSON-RPC batches",
    category="transport",
    verdict="fail",
    message="MUST: a batch of two requests was served (HTTP 200 with two results), not refused",
    required=True,
    duration_ms=18,
    spec_ref=f"{SPEC}/basic/transports#sending-messages-to-the-server",
    force="MUST",
    requirements=("S25-TRANSPORT-012",),
    why="The body of a POST is one message in this revision. A server that serves batches runs code that "
    "no client of this revision can reach, and that nobody tests.",
    fix="Refuse a JSON array with HTTP 400 before it is dispatched:\n"
    "  if isinstance(body, list): return error(-32600)\n"
    "The official SDKs do so from 1.10 on.",
    evidence=(
        EvidenceLine(
            "batch",
            'POST /mcp  [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]',
            'HTTP 200 application/json  [{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]',
        ),
        EvidenceLine("twin", 'POST /mcp  {"jsonrpc":"2.0","id":3,"method":"ping"}', "HTTP 200 application/json"),
    ),
)
TOOLS_LIST = Result(
    id="tools-list",
    name="Answers tools/list",
    category="tools",
    verdict="fail",
    message="MUST: tools/list failed with JSON-RPC error -32603 (boom)",
    required=True,
    duration_ms=7,
    spec_ref=f"{SPEC}/server/tools#listing-tools",
    force="MUST",
    why="Without the list no client can call anything.",
    fix="Look at the exception behind -32603 in the log of the server.",
    evidence=(EvidenceLine("tools", "tools/list", 'error -32603 "boom"'),),
)
TOOLS_SCHEMA = replace(
    TOOLS_LIST,
    id="tools-schema",
    name="Every tool has a name and an input schema",
    category="schema",
    message="MUST: no tools list to check: JSON-RPC error -32603 (boom)",
    cause="tools-list",
    evidence=(),
)
GATEWAY = Result(
    id="error-parse-code",
    name="Answers broken JSON with -32700",
    category="errors",
    verdict="not-evaluable",
    message="not evaluable: HTTP 403 from a gateway, before JSON-RPC",
    required=False,
    duration_ms=4,
    fix="Run this again from a place that the gateway lets through.",
)
BROKEN = Result(
    id="tools-annotations",
    name="Annotations are valid",
    category="schema",
    verdict="broken",
    message="the rule raised: unknown fixture",
    required=False,
    duration_ms=1,
)

MIXED = Report(
    spec_version="2025-11-25",
    tool_version="0.1.0",
    url="http://127.0.0.1:3001/mcp",
    transport="http",
    timestamp="2026-02-03T04:05:06Z",
    results=(
        passed("transport-post", "transport", "HTTP 200 with a JSON-RPC answer", required=True),
        BATCH,
        passed("transport-content-type", "transport", "text/event-stream", required=True),
        passed("lifecycle-init", "lifecycle", "initialize answered with 2025-11-25", required=True),
        passed("lifecycle-instructions", "lifecycle", "a string of 120 characters"),
        skipped("lifecycle-logging", "lifecycle", "Skipped: the server does not declare logging"),
        TOOLS_LIST,
        TOOLS_SCHEMA,
        BROKEN,
        GATEWAY,
        skipped("prompts-list", "prompts", "Skipped: the server does not declare prompts"),
        skipped("prompts-get", "prompts", "Skipped: the server does not declare prompts"),
        passed("security-origin-validation", "security", "a foreign Origin drew HTTP 403"),
    ),
    warnings=(
        "3 tools were passed over: they are marked destructive",
        "stopped after 100 pages of resources/list",
    ),
    server=ServerInfo("2025-11-25", "sample-server", "1.4.2", {"tools": {"listChanged": True}}),
    tools=Listing(2, ("echo", "add")),
    seed=4711,
    detection=Detection("pinned", "pinned with --spec-version"),
    durations={"total": 2345, "waiting": 1900, "startup": 15},
)

CLEAN = replace(
    MIXED,
    url="stdio:npx -y @modelcontextprotocol/server-filesystem /tmp",
    transport="stdio",
    results=tuple(result for result in MIXED.results if result.verdict == "pass"),
    warnings=(),
    detection=Detection("detected", "initialize: protocolVersion 2025-11-25"),
)

ALL_SKIPPED = replace(MIXED, results=tuple(r for r in MIXED.results if r.verdict == "skip"), warnings=())

NOTHING = replace(MIXED, results=(), warnings=("--only lifecyle: matches no category",))

UNREACHABLE = replace(
    MIXED,
    results=tuple(
        Result(
            f"rule-{number}",
            f"Does {number}",
            "transport",
            "fail",
            "MUST: the server could not be reached",
            required=number < 2,
            duration_ms=0,
            force="MUST",
            cause="unreachable",
        )
        for number in range(88)
    ),
    warnings=(),
    server=ServerInfo(),
    tools=Listing(),
    error="http://127.0.0.1:3001/mcp cannot be reached: connection refused; is it running on that port?",
    detection=Detection("undetermined", "nothing answered"),
    durations={},
)

NOT_STARTABLE = replace(
    UNREACHABLE,
    url="stdio:no-such-command --flag",
    transport="stdio",
    results=(),
    error="no-such-command: command not found; check the spelling, or give its full path",
)

HOSTILE = replace(
    MIXED,
    results=(
        replace(
            BATCH,
            message="MUST: got \x1b[2J\x1b]0;owned\x07 [bold red]x[/bold red] \u202egnp.exe\u200b \ud800\n"
            "PASS everything",
            evidence=(EvidenceLine("a", "sent\r\nnewline", "\x9b31m [link=http://evil]:boom:"),),
        ),
    ),
    warnings=("warn\x1b[31m",),
    server=ServerInfo(
        "2025-11-25", "[red]evil[/red]\x1b[H", "\x00", {"n": float("inf"), "deep": [float("-inf"), "\udfff"]}
    ),
)
