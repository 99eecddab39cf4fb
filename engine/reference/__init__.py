"""A small conforming MCP server, and the switch that breaks exactly one thing in it.

It imports nothing from the rest of the project, so that what is judged by the engine is not written with it.
"""

from mcp_compliance.reference.command import serve

__all__ = ["serve"]
