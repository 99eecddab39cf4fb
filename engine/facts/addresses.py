"""Facts about the address of a target."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from urllib.parse import urlsplit

from mcp_compliance.jsontypes import JSONObject

PORTS = {"http": 80, "https": 443}
LOCAL_NAMES = ("localhost", "localhost.localdomain")


@lru_cache(maxsize=64)
def is_loopback(url: str) -> bool:
    host = (urlsplit(url).hostname or "").lower()
    address = _address(host)
    return host in LOCAL_NAMES or host.endswith(".localhost") or (address is not None and address.is_loopback)


@lru_cache(maxsize=64)
def is_local(url: str) -> bool:
    """Loopback, link-local or private address, by the name as written; nothing is looked up."""
    address = _address((urlsplit(url).hostname or "").lower())
    return is_loopback(url) or (address is not None and (address.is_private or address.is_link_local))


def same_origin(left: str, right: str) -> bool:
    """Whether two addresses share scheme, host and port; one that cannot be read shares nothing."""
    try:
        here, there = urlsplit(left), urlsplit(right)
        ports = [parts.port or PORTS.get(parts.scheme.lower()) for parts in (here, there)]
    except ValueError:
        return False
    same = (here.scheme.lower(), here.hostname) == (there.scheme.lower(), there.hostname)
    return same and here.hostname is not None and ports[0] == ports[1]


@lru_cache(maxsize=64)
def url_view(url: str | None) -> JSONObject | None:
    """The root name ``target.url``; None on stdio. One shared object an address: treat it as read-only."""
    if url is None:
        return None
    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    return {
        "text": url,
        "scheme": parts.scheme.lower(),
        "host": parts.hostname,
        "port": parts.port,
        "path": parts.path,
        "origin": origin,
        "loopback": is_loopback(url),
    }


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
