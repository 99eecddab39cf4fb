"""The tool as an MCP server, on the official SDK (the extra ``mcp``): two tools for assistants."""
