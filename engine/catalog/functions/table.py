"""All functions of the rule language by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from mcp_compliance.catalog.functions import (
    builtin,
    documents,
    formats,
    lists,
    numbers,
    presence,
    protocol,
    text,
)
from mcp_compliance.catalog.functions.declare import Function, Shelf

SHELVES: tuple[Shelf, ...] = (
    presence.shelf,
    text.shelf,
    numbers.shelf,
    lists.shelf,
    documents.shelf,
    protocol.shelf,
    formats.shelf,
    builtin.shelf,
)
FUNCTIONS: Mapping[str, Function] = MappingProxyType(
    {name: function for shelf in SHELVES for name, function in shelf.functions.items()}
)
