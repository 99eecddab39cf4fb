"""The keys that the root names of expressions have, taken from the types that make them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from mcp_compliance.attribution.credit import Attribution
from mcp_compliance.exchange.exchange import Exchange, Http, Process
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.facts.addresses import url_view
from mcp_compliance.interpreter.outgoing import Session
from mcp_compliance.jsontypes import JSON

Shape: TypeAlias = "Mapping[str, Shape] | None"
"""Keys with the shapes of their values; None where anything may stand."""


@lru_cache(maxsize=1)
def exchange_shape() -> Shape:
    http = Http(200, "", ()).view()
    view = Exchange(Sending("", 0.0), "answered").view
    return {
        **dict.fromkeys(view),
        "sent": dict.fromkeys(_object(view["sent"])),
        "http": dict.fromkeys(http),
        "process": dict.fromkeys(Process(True).view()),
        "credit": dict.fromkeys(Attribution("served").view()),
        "session": dict.fromkeys(Session().view(opened=False)),
    }


@lru_cache(maxsize=1)
def root_shapes() -> Mapping[str, Shape]:
    """What stands there before any step."""
    return {
        "server": dict.fromkeys(("capabilities", "versions", "info")),
        "session": dict.fromkeys(Session().view(opened=False)),
        "target": {
            **dict.fromkeys(("transport", "local", "credentials", "auth_scheme")),
            "url": dict.fromkeys(url_view("http://localhost") or ()),
        },
        "run": dict.fromkeys(("version", "seed", "pinned", "insecure", "client_capabilities", "rules")),
        "recording": dict.fromkeys(("received", "sent", "other")),
    }


def unknown_key(path: str, shape: Shape) -> tuple[str, str, tuple[str, ...]] | None:
    """The first key of a path that its value never has: where, the key, the keys it has.

    ``path`` is a place that an expression reads, without its root name; ``[]`` and ``{}`` mark items.
    """
    before = ""
    for part in path.split("."):
        name = part.removesuffix("[]").removesuffix("{}")
        if shape is None or not name:
            return None
        if name not in shape:
            return before, name, tuple(shape)
        shape = shape[name]
        before = f"{before}.{name}" if before else name
    return None


def _object(value: JSON) -> dict[str, JSON]:
    return value if isinstance(value, dict) else {}
