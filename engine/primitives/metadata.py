"""Protected-resource metadata (RFC 9728): where it may stand, and what is there."""

from __future__ import annotations

from dataclasses import replace

from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.primitives.metadata_places import OLDER, Place, addresses, location, origin, read, refusal, site
from mcp_compliance.primitives.primitive import Primitive, PrimitiveContext

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
    places: list[Place] = []
    for url, how in addresses(endpoint, arguments.get("advertised")):
        places.append(await _look(context, endpoint, url, how))
        if places[-1].document is not None:
            return {"places": [place.view for place in places], "found": places[-1].view, "older": None}
    older = await _look(context, endpoint, f"{origin(endpoint)}{OLDER}", "older")
    return {
        "places": [place.view for place in places],
        "found": None,
        "older": None if older.document is None else older.url,
    }


async def _look(context: PrimitiveContext, endpoint: str, url: str, how: str) -> Place:
    """One place, with the redirects that lead on from it."""
    place = Place(url, how, site(url, endpoint))
    for hop in range(MOST_HOPS + 1):
        reason = refusal(url, endpoint)
        if reason is not None:
            return replace(place, asked=hop > 0, problem=f"it redirects to {url}, which {reason}" if hop else reason)
        exchange = await context.get(url)
        place = read(place, exchange)
        target = location(exchange, url)
        if target is None:
            return place
        url = target
    return replace(place, problem=f"it redirects more than {MOST_HOPS} times")


_TEXT_OR_NULL: JSONObject = {"type": ["string", "null"]}

_PLACE: JSONObject = {
    "type": "object",
    "additionalProperties": False,
    "required": ["url", "how", "asked", "status", "media_type", "site", "document", "problem"],
    "properties": {
        "url": {"type": "string", "description": "The address."},
        "how": {"enum": ["advertised", "path", "root"], "description": "Why it was looked for there."},
        "asked": {"type": "boolean", "description": "Whether it was asked."},
        "status": {"type": ["integer", "null"], "description": "HTTP status."},
        "media_type": {**_TEXT_OR_NULL, "description": "Media type of the answer."},
        "site": {**_TEXT_OR_NULL, "description": "The target's origin, at the well-known address of the whole origin."},
        "document": {"type": ["object", "null"], "description": "The metadata document."},
        "problem": {**_TEXT_OR_NULL, "description": "Why there is no document."},
    },
}

METADATA = Primitive(
    name="metadata",
    run=metadata,
    arguments={
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "advertised": {**_TEXT_OR_NULL, "description": "The resource_metadata parameter of the challenge."}
        },
    },
    result={
        "type": "object",
        "additionalProperties": False,
        "required": ["places", "found", "older"],
        "properties": {
            "places": {"type": "array", "items": _PLACE, "description": "The places, in the order of the search."},
            "found": {**_PLACE, "type": ["object", "null"], "description": "The place with the document."},
            "older": {**_TEXT_OR_NULL, "description": "Address of an authorization server document in the root."},
        },
    },
)
