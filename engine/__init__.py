"""mcp-compliance: finds out whether an MCP server keeps the specification, and what to change if it does not."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
