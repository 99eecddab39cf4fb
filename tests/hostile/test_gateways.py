"""Something in front of a good server answers in its place: nothing that it says passes for the server's, nor fails it.

The server speaks both revisions. Behind a gateway that blocks everything neither can be told.
"""

from __future__ import annotations

import pytest

from tests.hostile import gateways
from tests.hostile.gateways import Block, Blocks, gateway
from tests.hostile.grading import Graded, grade_http, patient
from tests.wire.scripted_http import Server

LEGACY, MODERN = ("--spec-version", "2025-11-25"), ("--spec-version", "2026-07-28")
PIN = "Pin with --spec-version to override."
REFUSALS = {
    "transport-batch-reject",
    "transport-content-type-reject",
    "transport-notification-202",
    "error-invalid-jsonrpc",
    "error-invalid-json",
    "error-parse-code",
    "error-invalid-request-code",
}
"""Rules that a refusal of what is no request passes."""
HEADERS_AND_META = {
    "transport-header-version-required",
    "transport-header-method-required",
    "lifecycle-meta-required",
    "lifecycle-meta-protocol-version-required",
}
"""Rules that a refusal of a request passes which lacks a header or a member that it must have."""
GATE = {"security-auth-required", "security-www-authenticate", "security-cors-headers"}
"""Rules about the door itself, which a 401 or a Bearer challenge passes."""
WALL = {
    "lifecycle-discover",
    "lifecycle-init",
    "lifecycle-jsonrpc",
    "transport-post",
    "transport-content-type",
    "transport-content-type-init",
    "transport-notification-202",
    "security-oauth-metadata",
}
"""Rules that may say of a wall what it is: that nothing is served, nor answered as MCP is."""


def behind(port: int, block: Block, blocks: Blocks, *words: str, **more: bool) -> tuple[Graded, Server]:
    return grade_http(gateway(port, block, blocks), *patient(*words), within=3, **more)


@pytest.fixture(scope="module")
def open_door(reference: int) -> Graded:
    """The run through a gateway that blocks nothing."""
    graded, _ = behind(reference, gateways.FORBIDDEN, lambda request, message: False)
    assert graded.counts["fail"] == 1  # a credential is configured and not asked for
    assert graded.counts["not-evaluable"] == 0
    return graded


@pytest.mark.parametrize(
    ("block", "secrets", "note", "warning"),
    [
        (
            gateways.LOGIN,
            False,
            "authentication required -- pass --auth",
            "The server asks for a credential and was given none (HTTP 401), so the grade below is not meaningful. "
            'Re-run with --auth "Bearer TOKEN".',
        ),
        (
            gateways.LOGIN,
            True,
            "credential rejected -- check --auth",
            "The server rejected the credential (HTTP 401, invalid_token: an invalid or expired token), "
            "so the grade below is not meaningful. Check --auth.",
        ),
        (
            gateways.NO_SCOPE,
            True,
            "credential rejected -- check --auth",
            "The server rejected the credential (HTTP 403, insufficient_scope: a missing scope or permission), "
            "so the grade below is not meaningful. Check --auth.",
        ),
        (
            gateways.NO_SCOPE,
            False,
            "authentication required -- pass --auth",
            "The server asks for a credential and was given none (HTTP 403), so the grade below is not meaningful. "
            'Re-run with --auth "Bearer TOKEN".',
        ),
        (
            gateways.WRONG_HOST,
            False,
            "forbidden -- Host/Origin validation, a gateway, or missing credentials",
            "The request was forbidden (HTTP 403, Invalid Host header), so the grade below is not meaningful. First "
            "suspect the server's Host or Origin validation, then a gateway in front of it; only if the server needs "
            "a credential, pass --auth.",
        ),
        (
            gateways.FORBIDDEN,
            True,
            "forbidden -- Host/Origin validation, a gateway, or token permissions",
            "The request was forbidden (HTTP 403, no message), so the grade below is not meaningful. First suspect "
            "the server's Host or Origin validation, then a gateway in front of it, then what the credential permits.",
        ),
        (
            gateways.LIMIT,
            True,
            "HTTP 429, a rate limit",
            "A rate limit answered in the server's place, twice (HTTP 429), so the grade below is not meaningful. "
            "Wait, or have it raised for this client, and re-run.",
        ),
        (
            gateways.WEB_PAGE,
            True,
            "HTTP 200, not a modern answer",
            "initialize drew HTTP 200 and no JSON-RPC message (text/html), so the grade below is not meaningful. Does "
            "the URL end in the server's MCP endpoint, often /mcp?",
        ),
        (
            gateways.DOWN,
            True,
            "HTTP 502, not a modern answer",
            "initialize drew HTTP 502: the server failed, or a gateway found none behind it. So the grade below is "
            "not meaningful; see to that first.",
        ),
    ],
    ids=["login", "token", "scope", "challenge", "host", "403", "429", "page", "502"],
)
def test_a_wall_leaves_the_era_open_and_the_first_warning_says_so(
    reference: int, block: Block, secrets: bool, note: str, warning: str
) -> None:
    graded, _ = behind(reference, block, gateways.everything, "--only", "lifecycle,errors", secrets=secrets)
    assert graded.code == 0
    assert graded.spec_version == "2025-11-25"
    assert graded.detection == ("undetermined", f"server/discover: {note}")
    assert graded.first_warning == warning
    chosen = f"Spec version auto-detected as 2025-11-25 (server/discover -> {note}; the era could not be determined)."
    assert f"{chosen} {PIN}" in graded.warnings
    assert not graded.ids("pass")
    assert graded.report is not None
    assert (graded.report["grade"], graded.report["score"]) == ("F", 0)


@pytest.mark.parametrize(
    ("block", "warns"),
    [
        (gateways.LOGIN, "rejected the credential (HTTP 401"),
        (gateways.WRONG_HOST, "was forbidden (HTTP 403, Invalid Host header)"),
        (gateways.FORBIDDEN, "was forbidden (HTTP 403, no message)"),
        (gateways.LIMIT, "A rate limit answered"),
        (gateways.NO_PATH, "server/discover drew HTTP 404"),
        (gateways.DOWN, ""),
        (gateways.WEB_PAGE, ""),
        (gateways.NOTHING, ""),
    ],
    ids=["401", "host", "403", "429", "404", "502", "page", "nothing"],
)
def test_nothing_passes_behind_a_wall_and_only_the_wall_fails(reference: int, block: Block, warns: str) -> None:
    graded, _ = behind(reference, block, gateways.everything, *MODERN)
    assert graded.code == 0
    assert graded.detection == ("pinned", "pinned to 2026-07-28")
    assert warns in graded.first_warning
    assert bool(warns) == ("not meaningful" in graded.warnings)
    # which era a status of a gateway shows: a 404 is one that servers give, too
    assert ("Re-run with --spec-version" in graded.warnings) == (block is gateways.NO_PATH)
    assert graded.ids("pass") <= (GATE if block is gateways.LOGIN else set())
    assert graded.ids("fail") <= WALL
    assert "lifecycle-discover" in graded.ids("fail")
    assert graded.ids("not-evaluable") >= HEADERS_AND_META
    assert "broken" not in graded.counts


def test_a_run_pinned_to_the_older_revision_has_the_same_first_warning(reference: int) -> None:
    graded, _ = behind(reference, gateways.LOGIN, gateways.everything, *LEGACY, "--only", "lifecycle")
    assert graded.first_warning.startswith("The server rejected the credential (HTTP 401, invalid_token")
    assert graded.report is not None
    assert len(graded.report["warnings"]) == 1


@pytest.mark.parametrize("block", [gateways.LOGIN, gateways.LIMIT], ids=["401", "429"])
def test_a_door_that_only_the_setup_passes_measures_nothing_beyond_it(
    reference: int, block: Block, open_door: Graded
) -> None:
    graded, _ = behind(reference, block, gateways.all_but_discover)
    assert graded.spec_version == "2026-07-28"
    assert graded.ids("fail") == open_door.ids("fail")
    assert graded.ids("pass") < open_door.ids("pass")
    beyond = {test["id"] for test in graded.tests if test["category"] in ("tools", "resources", "prompts")}
    assert not graded.ids("pass") & (beyond | REFUSALS - {"transport-content-type-reject"})
    assert not graded.ids("pass") & {"transport-get-removed", "transport-delete-removed", "error-unknown-method"}
    if block is gateways.LOGIN:
        assert "server/discover was served, but tools/list drew HTTP 401 (credential rejected" in graded.first_warning


def test_a_failing_gateway_passes_for_nothing_that_was_removed(reference: int) -> None:
    removed = "transport-get-removed,transport-delete-removed,lifecycle-removed-methods,error-unknown-method"
    graded, _ = behind(reference, gateways.DOWN, gateways.all_but_discover, "--only", removed)
    assert graded.ids("fail") == set(removed.split(","))


@pytest.mark.parametrize("block", [gateways.LOGIN, gateways.LIMIT, gateways.FORBIDDEN], ids=["401", "429", "403"])
def test_a_firewall_that_refuses_odd_posts_earns_the_server_nothing(
    reference: int, block: Block, open_door: Graded
) -> None:
    graded, _ = behind(reference, block, gateways.odd_posts)
    assert graded.ids("not-evaluable") >= HEADERS_AND_META
    if block is not gateways.FORBIDDEN:  # a bare 403 to a defect, where the conformant request is served, counts
        assert graded.ids("not-evaluable") == HEADERS_AND_META | REFUSALS
    assert graded.ids("fail") == open_door.ids("fail")
    changed = {rule for rule, verdict in graded.verdicts.items() if verdict != open_door.verdicts[rule]}
    assert changed == graded.ids("not-evaluable") | {"lifecycle-dual-era"}


@pytest.mark.parametrize("words", [(), MODERN], ids=["auto", "pinned"])
def test_one_rate_limited_answer_changes_nothing(reference: int, words: tuple[str, ...], open_door: Graded) -> None:
    graded, server = behind(reference, gateways.LIMIT, gateways.first_only(), *words)
    assert graded.verdicts == open_door.verdicts
    assert len([request for request in server.requests[:2] if b"server/discover" in request.body]) == 2


def test_a_gateway_that_fails_once_does_not_decide_a_pinned_run(reference: int, open_door: Graded) -> None:
    graded, _ = behind(reference, gateways.DOWN, gateways.first_only(), *MODERN)
    assert graded.verdicts == open_door.verdicts
