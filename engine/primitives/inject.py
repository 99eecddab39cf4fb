"""placeholder"""
from __future__ import annotations

from mcp_compliance.jsontypes import JSON, JSONObject
from mcp_compliance.primitives.primitive import Primitive, PrimitiveContext


async def inject(context: PrimitiveContext, arguments: JSONObject) -> JSON:
    """x"""
    return None


INJECT = Primitive("inject", inject, {"type": "object"}, {"type": "object"}, frozenset({"tool-calls", "process"}))
