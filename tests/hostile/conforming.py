"""A small conforming server's answers, which hostile servers spoil. Plain Python, so that children start quickly."""

from __future__ import annotations

from typing import Any

TOOLS = [
    {
        "name": "now",
        "description": "Says what time it is.",
        "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "echo",
        "description": "Says what it is told.",
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
        "annotations": {"readOnlyHint": True},
    },
]
INIT = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "hostile", "version": "1"},
}


def answer(message: Any) -> dict[str, Any] | None:
    """The response to a message; None where there is none."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}}
    if "id" not in message or "method" not in message:
        return None
    method, params = message.get("method"), message.get("params") or {}
    known = [tool["name"] for tool in TOOLS]
    if method == "initialize":
        return _result(message, INIT)
    if method == "ping":
        return _result(message, {})
    if method == "tools/list":
        return _result(message, {"tools": TOOLS})
    if method == "tools/call" and params.get("name") in known:
        return _result(message, {"content": [{"type": "text", "text": "noon"}]})
    if method == "tools/call":
        return _error(message, -32602, "Unknown tool")
    return _error(message, -32601, "Method not found")


def _result(message: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def _error(message: dict[str, Any], code: int, text: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": code, "message": text}}
