"""The answers of small conforming servers, which hostile ones spoil. Plain Python, so that children start quickly."""

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


META = "io.modelcontextprotocol/"
CACHED = {"ttlMs": 0, "cacheScope": "private"}
DISCOVER = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **CACHED}


def answer(message: Any) -> dict[str, Any] | None:
    """The response of a server of 2025-11-25 to a message; None where there is none."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}}
    if "id" not in message or "method" not in message:
        return None
    method = message.get("method")
    if method == "initialize":
        return _result(message, INIT)
    if method == "ping":
        return _result(message, {})
    if method == "tools/list":
        return _result(message, {"tools": TOOLS})
    return _tools_call(message) if method == "tools/call" else _error(message, -32601, "Method not found")


def modern_answer(message: Any) -> dict[str, Any] | None:
    """The same of a server of 2026-07-28."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or "id" not in message:
        return answer(message)
    method, params = message.get("method"), message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(meta, dict) or not {f"{META}protocolVersion", f"{META}clientCapabilities"} <= meta.keys():
        return _error(message, -32602, "_meta lacks what it must have")
    version = meta[f"{META}protocolVersion"]
    if version != "2026-07-28":
        data = {"supported": ["2026-07-28"], "requested": version}
        return _error(message, -32022, "Unsupported protocol version", data)
    if method == "server/discover":
        return _result(message, _complete(DISCOVER))
    if method == "tools/list":
        return _result(message, _complete({"tools": TOOLS, **CACHED}))
    if method == "tools/call":
        reply = _tools_call(message)
        return _result(message, _complete(reply["result"])) if "result" in reply else reply
    return _error(message, -32601, "Method not found")


class DualEra:
    """Speaks the revision of the first message that it gets, as servers of both do in one process."""

    def __init__(self) -> None:
        self._answer: Any = None

    def answer(self, message: Any) -> dict[str, Any] | None:
        if self._answer is None and isinstance(message, dict) and "method" in message:
            self._answer = answer if message["method"] == "initialize" else modern_answer
        return (self._answer or answer)(message)


def _tools_call(message: dict[str, Any]) -> dict[str, Any]:
    params = message.get("params")
    if isinstance(params, dict) and params.get("name") in [tool["name"] for tool in TOOLS]:
        return _result(message, {"content": [{"type": "text", "text": "noon"}]})
    return _error(message, -32602, "Unknown tool")


def _complete(result: dict[str, Any]) -> dict[str, Any]:
    return {"resultType": "complete", **result, "_meta": {f"{META}serverInfo": INIT["serverInfo"]}}


def _result(message: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def _error(message: dict[str, Any], code: int, text: str, data: Any = None) -> dict[str, Any]:
    error = {"code": code, "message": text, **({} if data is None else {"data": data})}
    return {"jsonrpc": "2.0", "id": message["id"], "error": error}
