"""Places where protected-resource metadata may stand: which may be asked, and what their answers hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urljoin, urlsplit

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.facts.addresses import is_local, is_loopback
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.wire.jsonrpc import parse

WELL_KNOWN = "/.well-known/oauth-protected-resource"
OLDER = "/.well-known/oauth-authorization-server"
"""Where older revisions looked for the authorization server: on the host of the MCP server itself."""
OF_METADATA = ("resource", "authorization_servers")
OF_OLDER = ("issuer", "token_endpoint")
REDIRECTS = (301, 302, 303, 307, 308)


@dataclass(frozen=True)
class Place:
    """One place with what was found there; ``problem`` says why there is no document."""

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


def addresses(endpoint: str, advertised: JSON) -> list[tuple[str, str]]:
    """The places in the order in which a client tries them, each once."""
    path = urlsplit(endpoint).path.rstrip("/")
    listed = [(advertised, "advertised")] if isinstance(advertised, str) else []
    if path:
        listed.append((f"{origin(endpoint)}{WELL_KNOWN}{path}", "path"))
    listed.append((f"{origin(endpoint)}{WELL_KNOWN}", "root"))
    first: dict[str, str] = {}
    for url, how in listed:
        first.setdefault(url, how)
    return list(first.items())


def origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def site(url: str, endpoint: str) -> str | None:
    """The endpoint's origin, under the name that the URL gives it, where the URL is the well-known one of the root."""
    try:
        there, here = urlsplit(url), urlsplit(endpoint)
        same = there.scheme.lower() == here.scheme.lower() and _port(url) == _port(endpoint) and _on_host(url, endpoint)
    except ValueError:
        return None
    return origin(url) if same and there.path.rstrip("/") == WELL_KNOWN else None


def refusal(url: str, endpoint: str) -> str | None:
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


def location(exchange: Exchange, url: str) -> str | None:
    """Where an answer redirects to; None when it does not."""
    if exchange.http is None or exchange.http.status not in REDIRECTS:
        return None
    target = exchange.http.headers.get("location")
    try:
        return urljoin(url, target) if target else None
    except ValueError:
        return target


def read(place: Place, exchange: Exchange) -> Place:
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
