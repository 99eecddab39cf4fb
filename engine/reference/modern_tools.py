"""The tools that are offered to clients of MCP 2026-07-28 beside those of ``tools``.

They show what that revision adds: arguments that are mirrored into headers (``x-mcp-header``), structured
content that is no object, and results that ask for input first.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

from mcp_compliance.reference.input_required import Question
from mcp_compliance.reference.jsonrpc import JSONObject, as_object
from mcp_compliance.reference.notes import Notebook
from mcp_compliance.reference.resources import DAYS, PORTS, high_water
from mcp_compliance.reference.tools import ADDS, READS, TOOLS, Tool, at_once, number_of, said, text_of

BERTHS = ("east 1", "east 2", "north 1")
PAYMENTS = "https://dues.harbour.example/pay"

Answered = Callable[[JSONObject, JSONObject], JSONObject | None]


class Asking(NamedTuple):
    """A tool that asks first: what, and what comes of a call once there is an ElicitResult.

    ``finish(arguments, answer)`` gives the CallToolResult, None when the answer does not do and the question
    is asked again.
    """

    question: Callable[[JSONObject], Question]
    finish: Answered


def _tide_table(notebook: Notebook, arguments: JSONObject) -> JSONObject:
    port, days = str(arguments["port"]), arguments.get("days", len(DAYS))
    assert isinstance(days, int)
    noon = bool(arguments.get("before_noon", False))
    table: list[JSONObject] = [{"day": day, "time": high_water(port, day)} for day in DAYS[:days]]
    shown = [row for row in table if not noon or str(row["time"]) < "12"]
    # not every client reads structuredContent, so the text says the same (server/tools, structured content)
    return {**said(json.dumps(shown)), "structuredContent": [*shown]}


def _which_berth(arguments: JSONObject) -> Question:
    return Question(
        "berth",
        "form",
        {
            "mode": "form",
            "message": f"Which berth shall be kept for {arguments['ship']}?",
            "requestedSchema": {
                "type": "object",
                "properties": {"berth": {"type": "string", "title": "Berth", "enum": [*BERTHS]}},
                "required": ["berth"],
            },
        },
    )


def _keep_berth(arguments: JSONObject, answer: JSONObject) -> JSONObject | None:
    if answer["action"] != "accept":
        return said("no berth is kept")
    berth = as_object(answer.get("content")).get("berth")
    return said(f"{berth} is kept for {arguments['ship']}") if berth in BERTHS else None


def _where_to_pay(arguments: JSONObject) -> Question:
    # never in a form: what is typed there passes through the client (client/elicitation)
    message = f"The dues for {arguments['ship']} are paid on a page of the harbour office."
    return Question("payment", "url", {"mode": "url", "message": message, "url": PAYMENTS})


def _paid(arguments: JSONObject, answer: JSONObject) -> JSONObject | None:
    opened = answer["action"] == "accept"
    return said("the page of the harbour office was opened" if opened else "the dues are not paid")


def _unasked(notebook: Notebook, arguments: JSONObject) -> JSONObject:
    raise AssertionError("a tool that asks is finished by its answer")


_SHIP = text_of("The name of the ship")
_ROWS: JSONObject = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"day": {"type": "string"}, "time": {"type": "string"}},
        "required": ["day", "time"],
    },
}

MODERN_TOOLS: dict[str, Tool] = {
    **TOOLS,
    **{
        tool.name: tool
        for tool in (
            Tool(
                "tide_table",
                "Tide table",
                "Lists when the water is highest at a port.",
                at_once(_tide_table),
                {
                    "port": {**text_of("The port"), "enum": [*PORTS], "x-mcp-header": "Port"},
                    "days": {**number_of("How many days", 1, len(DAYS)), "x-mcp-header": "Days"},
                    "before_noon": {
                        "type": "boolean",
                        "description": "Whether to leave out the afternoon",
                        "x-mcp-header": "Before-Noon",
                    },
                },
                ("port",),
                READS,
                output=_ROWS,
            ),
            Tool(
                "reserve_berth",
                "Reserve a berth",
                "Keeps a berth for a ship; the user is asked which one.",
                at_once(_unasked),
                {"ship": _SHIP},
                ("ship",),
                ADDS,
            ),
            Tool(
                "pay_dues",
                "Pay the dues",
                "Leads the user to the page on which the dues of a ship are paid.",
                at_once(_unasked),
                {"ship": _SHIP},
                ("ship",),
                ADDS,
            ),
        )
    },
}

ASKING: dict[str, Asking] = {
    "reserve_berth": Asking(_which_berth, _keep_berth),
    "pay_dues": Asking(_where_to_pay, _paid),
}
