"""Transports: httpx on trio for Streamable HTTP, a trio process for stdio; framing and parsing of JSON-RPC and SSE."""
