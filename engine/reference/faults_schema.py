"""Faults of what the lists say about tools, resources and prompts."""

from __future__ import annotations

from mcp_compliance.reference.fault_edits import changed_item, one_more, set_to
from mcp_compliance.reference.fault_model import Fault
from mcp_compliance.reference.jsonrpc import JSONObject, as_object

_ANY_OBJECT: JSONObject = {"type": "object"}

# The tools and prompts that are changed here are those that a careful client does not call: write_note is not
# read-only, and compare wants two arguments.
FAULTS = (
    Fault(
        "tool-without-name",
        "Every tool has a name.",
        ("tools-schema",),
        rpc=one_more("tools", {"description": "Rings the bell.", "inputSchema": _ANY_OBJECT}),
    ),
    Fault(
        "tool-without-schema",
        "Every tool has an inputSchema of the type object.",
        ("tools-schema", "security-tool-schema-defined"),
        rpc=one_more("tools", {"name": "ring_bell", "description": "Rings the bell."}),
    ),
    Fault(
        "annotation-not-boolean",
        "The hints among the annotations of a tool are booleans.",
        ("tools-annotations",),
        rpc=changed_item(
            "tools",
            "write_note",
            lambda tool: {**tool, "annotations": {**as_object(tool["annotations"]), "idempotentHint": "no"}},
        ),
    ),
    Fault(
        "title-not-text",
        "The title of a tool is a string.",
        ("tools-title-field",),
        rpc=changed_item("tools", "write_note", set_to("title", 7)),
    ),
    Fault(
        "output-schema-array",
        "An outputSchema is of the type object.",
        ("tools-output-schema",),
        rpc=changed_item("tools", "write_note", set_to("outputSchema", {"type": "array"})),
    ),
    Fault(
        "argument-without-name",
        "Every argument of a prompt has a name.",
        ("prompts-schema",),
        rpc=changed_item(
            "prompts", "compare", set_to("arguments", [{"description": "Path of a note", "required": True}])
        ),
    ),
    Fault(
        "resource-uri-relative",
        "The uri of a resource has a scheme.",
        ("resources-schema",),
        rpc=one_more("resources", {"uri": "harbour/map.txt", "name": "map.txt"}),
    ),
)
