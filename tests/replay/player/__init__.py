"""Scripted fake MCP servers, standard library only, so that a played process starts fast."""
