"""Demands on the requests that the checker sends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from ..player.context import media_type
from ..player.journal import Seen
from ..player.message import BATCH, REQUEST, Json, is_number
from ..player.template import compact
from ..stage import Stage

# What a request that is sent again to another address must not lose.
ABOUT_THE_CONNECTION = frozenset({"host", "connection", "content-length", "transfer-encoding"})


def _requests_at_most(stage: Stage, limits: dict[str, int]) -> None:
    """No more than so many requests of each method in the whole run."""
    counts = Counter(seen.message.method for seen in stage.seen)
    for method, limit in limits.items():
        assert counts[method] <= limit, f"{counts[method]} requests {method}"


def _tool_calls_at_most(stage: Stage, limits: dict[str, int]) -> None:
    """No more than so many calls of each tool in the whole run."""
    counts = Counter(seen.message.tool for seen in stage.seen)
    for tool, limit in limits.items():
        assert counts[tool] <= limit, f"{tool} was called {counts[tool]} times"


def _same_call_at_most(stage: Stage, limit: int) -> None:
    """No tool is called more often with the same arguments, retries counted."""
    calls = Counter(
        (seen.message.tool, compact(seen.message.params.get("arguments"))) for seen in stage.seen if seen.message.tool
    )
    (called, count), *_ = calls.most_common(1)
    assert count <= limit, f"{count} calls of {called}"


def _ids_within(stage: Stage, limits: list[int]) -> None:
    """Every number that is sent as a request id is whole and within the limits."""
    lowest, highest = limits
    for identifier in _ids(stage):
        if is_number(identifier):
            assert isinstance(identifier, int), f"id {identifier} is not whole"
            assert lowest <= identifier <= highest, f"id {identifier} is out of bounds"


def _odd_content_types(stage: Stage, most: int) -> None:
    """A Content-Type other than plain application/json is rare, and never the same with parameters."""
    sent = [seen.headers.get("content-type", "") for seen in stage.seen if seen.verb == "POST"]
    odd = [value for value in sent if value != "application/json"]
    assert len(odd) <= most, f"{len(odd)} requests have another Content-Type: {set(odd)}"
    assert not [value for value in odd if media_type(value) == "application/json"], f"decorated: {set(odd)}"


def _redirects_resent(stage: Stage, _: None) -> None:
    """What was answered by a redirect came again at the final address, the same in verb, headers and body."""
    final = [_content(seen) for seen in stage.seen if seen.path == "/mcp/"]
    for seen in stage.seen:
        if seen.status == 307:
            assert _content(seen) in final, f"{seen.verb} {seen.message.raw[:200]!r} was not sent on"


def _header_everywhere(stage: Stage, wanted: dict[str, Any]) -> None:
    """The header is on every GET, DELETE and handshake, and missing from a few POST requests at most."""
    lacking = [seen for seen in stage.seen if seen.headers.get(wanted["name"].lower()) != wanted["value"]]
    verbs = {seen.verb for seen in lacking}
    assert not verbs & {"GET", "DELETE"}, f"the header is missing from {verbs}"
    assert len(lacking) <= wanted["lacking_at_most"], f"the header is missing from {len(lacking)} requests"


def _no_header_over(stage: Stage, wanted: dict[str, str]) -> None:
    """No request over this scheme carries the header."""
    carrying = [seen for seen in stage.seen if seen.scheme == wanted["scheme"]]
    assert not [seen.target for seen in carrying if wanted["name"].lower() in seen.headers]


def _ids(stage: Stage) -> Iterator[Json]:
    for seen in stage.seen:
        if seen.message.kind == REQUEST:
            yield seen.message.id
        elif seen.message.kind == BATCH and isinstance(seen.message.payload, list):
            yield from (item.get("id") for item in seen.message.payload if isinstance(item, dict))


def _content(seen: Seen) -> tuple[str, dict[str, str], bytes]:
    headers = {name: value for name, value in seen.headers.items() if name not in ABOUT_THE_CONNECTION}
    return seen.verb, headers, seen.message.raw


DEMANDS: dict[str, Callable[[Stage, Any], None]] = {
    "requests-at-most": _requests_at_most,
    "tool-calls-at-most": _tool_calls_at_most,
    "same-call-at-most": _same_call_at_most,
    "ids-within": _ids_within,
    "odd-content-types-at-most": _odd_content_types,
    "redirects-resent": _redirects_resent,
    "header-everywhere": _header_everywhere,
    "no-header-over": _no_header_over,
}
