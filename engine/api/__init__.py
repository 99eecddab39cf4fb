"""The programming interface: runs, catalogues and reports for programs. ``mcp_compliance`` hands out its names."""
