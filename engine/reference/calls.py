"""Running a tool: what is reported on the way, and what comes of it."""

from __future__ import annotations

from collections.abc import Generator

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.jsonrpc import INVALID_PARAMS, JSONObject, RpcError
from mcp_compliance.reference.notes import Notebook
from mcp_compliance.reference.session import Call
from mcp_compliance.reference.tools import Tool

ProgressToken = str | int


def arguments_of(params: JSONObject) -> JSONObject:
    """The arguments of a call or of a prompt, {} without any; raises -32602 when they are no object."""
    arguments = params.get("arguments", {})
    if not isinstance(arguments, dict):
        raise RpcError(INVALID_PARAMS, "Invalid params: the arguments are not an object")
    return arguments


def run(
    tool: Tool, notebook: Notebook, arguments: JSONObject, token: ProgressToken | None, call: Call
) -> Generator[JSONObject, None, JSONObject | None]:
    """Yields the progress notifications for ``token``, and returns the CallToolResult; None: it was stopped."""
    steps = tool.run(notebook, arguments)
    while True:
        try:
            step = next(steps)
        except StopIteration as finished:
            outcome: JSONObject = finished.value
            return outcome
        if token is not None:
            report: JSONObject = {
                "progressToken": token,
                "progress": step.done,
                "total": step.total,
                "message": f"step {step.done} of {step.total}",
            }
            yield jsonrpc.notification("notifications/progress", report)
        if call.stopped.wait(step.pause):
            return None
