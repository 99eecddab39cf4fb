"""JSON-RPC 2.0 as MCP uses it: reading one message, writing one, and the error codes.

Nothing here knows a transport or a method.
"""

from __future__ import annotations

import json
from typing import Literal, TypeAlias

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | str | int | float | bool | None"
JSONObject: TypeAlias = dict[str, JSON]
RequestId: TypeAlias = str | int
Kind: TypeAlias = Literal["request", "notification", "response"]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002
TOO_MANY_CALLS = -32000


class RpcError(Exception):
    """A request that is answered with a JSON-RPC error of this code, message and, if given, data."""

    def __init__(self, code: int, message: str, data: JSON = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


def _refuse_constant(name: str) -> JSON:
    raise ValueError(f"{name} is not JSON")


def decode(text: bytes) -> JSON:
    """The JSON value in ``text``, which must be UTF-8; raises :class:`RpcError` -32700 when it is not."""
    try:
        value: JSON = json.loads(text.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise RpcError(PARSE_ERROR, "Parse error: not a JSON text in UTF-8") from None
    return value


def encode(message: JSON) -> bytes:
    """``message`` as one line of UTF-8 JSON, without the line end."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair has no UTF-8 form, but it has an escape
        return json.dumps(message, separators=(",", ":")).encode("ascii")


def request_id(message: JSON) -> RequestId | None:
    """The id of ``message`` if it is one that MCP allows (a string or an integer), else None."""
    value = message.get("id") if isinstance(message, dict) else None
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else None


def classify(message: JSON) -> tuple[Kind, JSONObject]:
    """Kind of a decoded message, and the message as an object.

    Raises :class:`RpcError` -32600 for what is no message of MCP (a batch included), and -32602 for
    params that are no object.
    """
    if isinstance(message, list):
        raise RpcError(INVALID_REQUEST, "Invalid request: batches are not part of this revision")
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, "Invalid request: not a JSON-RPC 2.0 message")
    if "method" not in message:
        if ("result" in message) == ("error" in message):
            raise RpcError(INVALID_REQUEST, "Invalid request: neither a method nor a result or an error")
        return "response", message
    if not isinstance(message["method"], str):
        raise RpcError(INVALID_REQUEST, "Invalid request: the method is not a string")
    if "id" in message and request_id(message) is None:
        raise RpcError(INVALID_REQUEST, "Invalid request: the id is neither a string nor an integer")
    if "params" in message and not isinstance(message["params"], dict):
        raise RpcError(INVALID_PARAMS, "Invalid params: not an object")
    return ("request" if "id" in message else "notification"), message


def method_of(message: JSONObject) -> str:
    """The method of a request or notification; "" for a response."""
    method = message.get("method")
    return method if isinstance(method, str) else ""


def params_of(message: JSONObject) -> JSONObject:
    """The params of a request or notification, {} when it has none."""
    return as_object(message.get("params"))


def text_param(params: JSONObject, name: str) -> str:
    """The string of this name among ``params``; raises :class:`RpcError` -32602 when there is none."""
    value = params.get(name)
    if not isinstance(value, str):
        raise RpcError(INVALID_PARAMS, f"Invalid params: {name} is not a string")
    return value


def as_object(value: JSON) -> JSONObject:
    """``value`` when it is an object, else {}."""
    return value if isinstance(value, dict) else {}


def result(id_: RequestId, value: JSON) -> JSONObject:
    """The response that answers request ``id_`` with a result."""
    return {"jsonrpc": "2.0", "id": id_, "result": value}


def error(id_: RequestId | None, problem: RpcError) -> JSONObject:
    """The response that reports ``problem``; without an id when none could be read from the request."""
    body: JSONObject = {"code": problem.code, "message": problem.message}
    if problem.data is not None:
        body["data"] = problem.data
    head: JSONObject = {"jsonrpc": "2.0"}
    if id_ is not None:
        head["id"] = id_
    return {**head, "error": body}


def notification(method: str, params: JSONObject | None = None) -> JSONObject:
    """A notification, without params when there are none."""
    head: JSONObject = {"jsonrpc": "2.0", "method": method}
    return head if params is None else {**head, "params": params}
