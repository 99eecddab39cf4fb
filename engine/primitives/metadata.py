"""Protected-resource metadata (RFC 9728): where it may stand, and what is there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urljoin, urlsplit

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.interpreter.targets import is_local, is_loopback
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.primitives.primitive import Primitive, PrimitiveContext
from mcp_compliance.wire.jsonrpc import parse

WELL_KNOWN = "/.well-known/oauth-protected-resource"
OLDER = "/.well-known/oauth-authorization-server"
"""Where revisions before 2025-06-18 looked for the authorization server, on the host of the server itself."""
OF_METADATA = ("resource", "authorization_servers")
OF_OLDER = ("issuer", "token_endpoint")
REDIRECTS = (301, 302, 303, 307, 308)
MOST_HOPS = 2


async def metadata(context: PrimitiveContext, arguments: JSONObject) -> JSON:
    """Look for protected-resource metadata at the advertised address, below the endpoint's path, at the root.

    ``advertised`` is the ``resource_metadata`` parameter of the challenge, or null. Each place is asked with a GET
    that carries no credential (RFC 9728 sections 3 and 5) and follows two redirects at most. The search ends at the
    first metadata document: a JSON object with a status of 2xx that has the member ``resource`` or
    ``authorization_servers``. ``older`` is the address of an authorization server document in the server's root,
    looked for only when no metadata is found.

    Only the target's host is asked (for a target on loopback also the other names of loopback, on the same port), and
    other hosts only when the address is https and not local; a place with ``asked`` false was left alone.
    ``site`` is the target's origin, where the address is the well-known one of the whole origin, else null: a document
    there may be about the origin instead of the endpoint. ``problem`` says why there is no document.
    """
    endpoint = context.endpoint or ""
    places: list[_Place] = []
    for url, how in _addresses(endpoint, arguments.get("advertised")):
        places.append(await _look(context, endpoint, url, how))
        if places[-1].document is not None:
            return {"places": [place.view for place in places], "found": places[-1].view, "older": None}
    older = await _look(context, endpoint, f"{_origin(endpoint)}{OLDER}", "older")
    return {
        "places": [place.view for place in places],
        "found": None,
        "older": None if older.document is None else older.url,
    }


@dataclass(frozen=True)
class _Place:
    url: str
    how: str
    site: str | None
    asked: bool = True
    status: int | None = None
    media_type: str | None = None
    document: JSONObject | None = None
    problem: str | None = None

    @property
    def view(self) -> JSONObject:
        return {
            "url": self.url,
            "how": self.how,
            "asked": self.asked,
            "status": self.status,
            "media_type": self.media_type,
            "site": self.site,
            "document": self.document,
            "problem": self.problem,
        }


def _addresses(endpoint: str, advertised: JSON) -> list[tuple[str, str]]:
    """The places in the order in which a client tries them, each once."""
    path = urlsplit(endpoint).path.rstrip("/")
    addresses = [(advertised, "advertised")] if isinstance(advertised, str) else []
    if path:
        addresses.append((f"{_origin(endpoint)}{WELL_KNOWN}{path}", "path"))
    addresses.append((f"{_origin(endpoint)}{WELL_KNOWN}", "root"))
    first: dict[str, str] = {}
    for url, how in addresses:
        first.setdefault(url, how)
    return list(first.items())


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _site(url: str, endpoint: str) -> str | None:
    """The endpoint's origin, under the name that the URL gives it, where the URL is the well-known one of the root."""
    try:
        there, here = urlsplit(url), urlsplit(endpoint)
        same = there.scheme.lower() == here.scheme.lower() and _port(url) == _port(endpoint) and _on_host(url, endpoint)
    except ValueError:
        return None
    return _origin(url) if same and there.path.rstrip("/") == WELL_KNOWN else None


async def _look(context: PrimitiveContext, endpoint: str, url: str, how: str) -> _Place:
    """One place, with the redirects that lead on from it."""
    place = _Place(url, how, _site(url, endpoint))
    for hop in range(MOST_HOPS + 1):
        refusal = _refusal(url, endpoint)
        if refusal is not None:
            led = f"it redirects to {url}, which {refusal}"
            return replace(place, asked=hop > 0, problem=led if hop else refusal)
        exchange = await context.get(url)
        place = _read(place, exchange)
        target = _location(exchange, url)
        if target is None:
            return place
        url = target
    return replace(place, problem=f"it redirects more than {MOST_HOPS} times")


def _refusal(url: str, endpoint: str) -> str | None:
    """Why the address must not be asked, None when it may be."""
    try:
        parts = urlsplit(url)
        if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
            return "is no absolute http or https URL"
        if _on_host(url, endpoint) or (parts.scheme.lower() == "https" and not is_local(url)):
            return None
    except ValueError as error:
        return f"cannot be read: {error}"
    return "is neither on the host of the server nor public https, so it was not asked"


def _on_host(url: str, endpoint: str) -> bool:
    """Whether the address is on the host that the user named; raises ValueError for a port that is none."""
    there, here = urlsplit(url), urlsplit(endpoint)
    if there.hostname == here.hostname:
        return True
    return is_loopback(url) and is_loopback(endpoint) and _port(url) == _port(endpoint)


def _port(url: str) -> int | None:
    parts = urlsplit(url)
    return parts.port or {"http": 80, "https": 443}.get(parts.scheme.lower())


def _location(exchange: Exchange, url: str) -> str | None:
    """Where an answer redirects to; None when it does not."""
    if exchange.http is None or exchange.http.status not in REDIRECTS:
        return None
    location = exchange.http.headers.get("location")
    try:
        return urljoin(url, location) if location else None
    except ValueError:
        return location


def _read(place: _Place, exchange: Exchange) -> _Place:
    """The place with what its answer says."""
    http = exchange.http
    if http is None:
        return replace(place, problem=exchange.problem or exchange.outcome)
    place = replace(place, status=http.status, media_type=http.media_type)
    if http.status >= 300:
        return replace(place, problem=f"HTTP {http.status}")
    parsed = parse(http.body.encode("utf-8", "surrogatepass"))
    if parsed.problem is not None:
        return replace(place, problem=f"the body is not JSON ({http.media_type or 'no Content-Type'})")
    document = parsed.payload
    if not isinstance(document, dict) or not _is_wanted(document, place.how):
        wanted = " and ".join(OF_OLDER) if place.how == "older" else " or ".join(OF_METADATA)
        return replace(place, problem=f"the body is JSON, but no object with {wanted}")
    return replace(place, document=document)


def _is_wanted(document: JSONObject, how: str) -> bool:
    """Whether a JSON object is the document that was looked for, and not some page of an application."""
    if how == "older":
        return all(name in document for name in OF_OLDER)
    return any(name in document for name in OF_METADATA)


_TEXT_OR_NULL: JSONObject = {"type": ["string", "null"]}

_PLACE: JSONObject = {
    "type": "object",
    "additionalProperties": False,
    "required": ["url", "how", "asked", "status", "media_type", "site", "document", "problem"],
    "properties": {
        "url": {"type": "string"},
        "how": {"enum": ["advertised", "path", "root"]},
        "asked": {"type": "boolean"},
        "status": {"type": ["integer", "null"]},
        "media_type": _TEXT_OR_NULL,
        "site": _TEXT_OR_NULL,
        "document": {"type": ["object", "null"]},
        "problem": _TEXT_OR_NULL,
    },
}

METADATA = Primitive(
    name="metadata",
    run=metadata,
    arguments={
        "type": "object",
        "additionalProperties": False,
        "properties": {"advertised": _TEXT_OR_NULL},
    },
    result={
        "type": "object",
        "additionalProperties": False,
        "required": ["places", "found", "older"],
        "properties": {
            "places": {"type": "array", "items": _PLACE},
            "found": {**_PLACE, "type": ["object", "null"]},
            "older": _TEXT_OR_NULL,
        },
    },
)
