"""A redirect of the endpoint out of TLS, which no request follows."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.facts.printable import shorten
from mcp_compliance.interpreter.render import LONGEST

REDIRECTS = (301, 302, 303, 307, 308)


def downgrade(opening: Exchange | None) -> str | None:
    """Where the first answer leads from https to http: both addresses in a sentence; else None."""
    http = None if opening is None else opening.http
    if http is None or http.status not in REDIRECTS:
        return None
    try:
        target = urljoin(http.url, http.headers.get("location", ""))
        schemes = (urlsplit(http.url).scheme, urlsplit(target).scheme)
    except ValueError:
        return None
    if schemes != ("https", "http"):
        return None
    shown = shorten(target, LONGEST)
    return f"{http.url} redirects to {shown}, out of TLS (HTTP {http.status}); the run did not go there"
