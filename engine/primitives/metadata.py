"""Protected-resource metadata (RFC 9728): where it may stand, and what is there."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.primitives.primitive import Primitive, PrimitiveContext

WELL_KNOWN = "/.well-known/oauth-protected-resource"


async def metadata(context: PrimitiveContext, arguments: JSONObject) -> JSON:
    """Look for protected-resource metadata at the advertised address, then below the path, then at the root.

    ``advertised`` is the ``resource_metadata`` parameter of the challenge, or null. Each place is asked with a GET
    that carries no credential (RFC 9728 sections 3 and 5); the search ends at the first JSON object that is served
    with a 2xx. An advertised address off the target's host is asked only when it is public https.
    """
    places: list[JSON] = []
    found: JSONObject | None = None
    for url, how in _addresses(context.endpoint or "", arguments.get("advertised")):
        place = _place(url, how, await context.get(url)) if _allowed(url, context) else _refused(url, how)
        places.append(place)
        if isinstance(place["document"], dict):
            found = place
            break
    return {"places": places, "found": found}


def _addresses(endpoint: str, advertised: JSON) -> list[tuple[str, str]]:
    parts = urlsplit(endpoint)
    origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    addresses = [(advertised, "advertised")] if isinstance(advertised, str) else []
    path = parts.path.rstrip("/")
    if path:
        addresses.append((f"{origin}{WELL_KNOWN}{path}", "path"))
    addresses.append((f"{origin}{WELL_KNOWN}", "root"))
    first: dict[str, str] = {}
    for url, how in addresses:
        first.setdefault(url, how)
    return list(first.items())


def _allowed(url: str, context: PrimitiveContext) -> bool:
    return urlsplit(url).hostname == urlsplit(context.endpoint or "").hostname or urlsplit(url).scheme == "https"


def _refused(url: str, how: str) -> JSONObject:
    problem = "off the target's host and not https, so it was not asked"
    return {"url": url, "how": how, "status": None, "document": None, "problem": problem}


def _place(url: str, how: str, exchange: Exchange) -> JSONObject:
    place: JSONObject = {"url": url, "how": how, "status": None, "document": None, "problem": None}
    if exchange.http is None:
        return {**place, "problem": exchange.problem or exchange.outcome}
    place["status"] = exchange.http.status
    if exchange.http.status >= 300:
        return {**place, "problem": f"HTTP {exchange.http.status}"}
    try:
        document = json.loads(exchange.http.body)
    except (ValueError, RecursionError):
        return {**place, "problem": "the body is not JSON"}
    if not isinstance(document, dict):
        return {**place, "problem": "the document is not an object"}
    return {**place, "document": document}


_PLACE: JSONObject = {
    "type": "object",
    "additionalProperties": False,
    "required": ["url", "how", "status", "document", "problem"],
    "properties": {
        "url": {"type": "string"},
        "how": {"enum": ["advertised", "path", "root"]},
        "status": {"type": ["integer", "null"]},
        "document": {"type": ["object", "null"]},
        "problem": {"type": ["string", "null"]},
    },
}

METADATA = Primitive(
    name="metadata",
    run=metadata,
    arguments={
        "type": "object",
        "additionalProperties": False,
        "properties": {"advertised": {"type": ["string", "null"]}},
    },
    result={
        "type": "object",
        "additionalProperties": False,
        "required": ["places", "found"],
        "properties": {
            "places": {"type": "array", "items": _PLACE},
            "found": {"anyOf": [_PLACE, {"type": "null"}]},
        },
    },
)
