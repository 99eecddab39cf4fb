"""Primitives: they find things out and never return a verdict. One module each; this table names them all."""

from __future__ import annotations

from mcp_compliance.primitives.inject import INJECT
from mcp_compliance.primitives.metadata import METADATA
from mcp_compliance.primitives.primitive import Primitive

PRIMITIVES: dict[str, Primitive] = {primitive.name: primitive for primitive in (INJECT, METADATA)}

__all__ = ["PRIMITIVES", "Primitive"]
