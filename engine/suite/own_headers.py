"""Headers of the user's that are the protocol's or the transport's: which of them go out, and what the report says."""

from __future__ import annotations

from fnmatch import fnmatchcase

from mcp_compliance.catalog.revision import Revision
from mcp_compliance.exchange.sending import Headers

FRAMING = ("content-length", "transfer-encoding")
"""They depend on the body. A fixed one would make every request unreadable, whatever the server does."""
ADDRESS = "Host"
RESUMPTION = "Last-Event-ID"


def sendable(headers: Headers) -> Headers:
    return tuple((name, value) for name, value in headers if name.lower() not in FRAMING)


def header_warnings(headers: Headers, revision: Revision) -> list[str]:
    """What the reader has to know about configured headers; empty where they are the user's own business."""
    names = [name for name, _ in headers]
    said = []
    replaced = [name for name in names if _is_sent(name, revision)]
    if replaced:
        said.append(
            f"Configured headers take the place of the protocol's own: {_listed(replaced)}. Every request carries the "
            "configured value, unless a rule asks for another, so verdicts may be about that value."
        )
    framing = [name for name in names if name.lower() in FRAMING]
    if framing:
        said.append(f"Configured headers that were left out: {_listed(framing)}. They are made for each body.")
    return said


def _is_sent(name: str, revision: Revision) -> bool:
    own = [ADDRESS, *(header.name for header in revision.headers)]
    if revision.streams.resume:
        own.append(RESUMPTION)
    return any(fnmatchcase(name.lower(), pattern.lower()) for pattern in own)


def _listed(names: list[str]) -> str:
    return ", ".join(dict.fromkeys(names))
