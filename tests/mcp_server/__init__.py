"""The tool as an MCP server."""
