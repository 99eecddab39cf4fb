"""Which era a message belongs to: revisions with a handshake (legacy), or with ``_meta`` on each request (modern).

The words are those of basic/versioning of 2026-07-28. The server is of both eras, concurrently, on one
endpoint and in one process, unless it is told to serve one of them alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mcp_compliance.reference import dispatch, jsonrpc
from mcp_compliance.reference.jsonrpc import JSONObject
from mcp_compliance.reference.modern_meta import (
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    LOG_LEVEL,
    PROTOCOL_VERSION,
    REVISION,
    meta_of,
)
from mcp_compliance.reference.session import Answer, Session

LEGACY = dispatch.LATEST
MODERN = REVISION

# by these a request is known to be of the modern era; earlier revisions have other keys with the same prefix
_MARKS = frozenset({PROTOCOL_VERSION, CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL})


def speaks_modern(message: JSONObject) -> bool:
    """Whether the ``_meta`` of ``message`` has the fields of the modern era."""
    return bool(_MARKS & meta_of(message).keys()) and not _names_legacy(message)


def _names_legacy(message: JSONObject) -> bool:
    """Whether the ``_meta`` names a revision of the legacy era, which has no such fields.

    It is served, but has to be opened with initialize, and that is what its own era says to such a request.
    """
    return meta_of(message).get(PROTOCOL_VERSION) in dispatch.SUPPORTED


def posted_modern(header: str | None, session: str | None, message: JSONObject) -> bool:
    """Whether a POST is of the modern era, by its MCP-Protocol-Version and MCP-Session-Id headers and its body.

    The body comes first, since it is what the request means. A body that does not say goes by the version
    header, and one with an unknown version by the session header, which only the legacy era has.
    """
    if speaks_modern(message):
        return True
    if jsonrpc.method_of(message) == "initialize":
        return False
    unknown = header is not None and header not in dispatch.SUPPORTED
    return header == MODERN or (unknown and session is None)


def written_modern(session: Session, message: JSONObject) -> bool:
    """Whether a message on stdin is of the modern era.

    initialize without the fields of that era opens the legacy one for whatever comes without these fields
    later. Before it there may be a ping, too; everything else that does not say what it is is refused as
    modern, because a request without ``_meta`` is malformed there.
    """
    if speaks_modern(message):
        return True
    method = jsonrpc.method_of(message)
    opens = method == "initialize" or (method == "ping" and not session.modern) or _names_legacy(message)
    return session.version is None and not opens


@dataclass(frozen=True)
class Eras:
    """How the messages of each era are answered; None: the era is not served, and all is taken for the other."""

    legacy: Answer | None
    modern: Answer | None

    def answer(self, session: Session, message: JSONObject) -> Iterator[JSONObject]:
        """Answer a message from stdin."""
        if self.modern is not None and (self.legacy is None or written_modern(session, message)):
            session.modern = session.modern or speaks_modern(message)
            yield from self.modern(session, message)
        elif self.legacy is not None:
            yield from self.legacy(session, message)
