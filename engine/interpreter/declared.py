"""Capability gates."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_compliance.jsontypes import JSON


def is_declared(capability: str, root: Mapping[str, JSON]) -> bool:
    """Whether the server declares a capability; dotted names go deeper. Declared is present and not false or null."""
    server = root.get("server")
    value: JSON = server.get("capabilities") if isinstance(server, dict) else None
    for name in capability.split("."):
        if not isinstance(value, dict) or name not in value:
            return False
        value = value[name]
    return value is not None and value is not False
