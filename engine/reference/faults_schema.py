"""Faults of what the lists say about tools, resources and prompts."""

from __future__ import annotations

from collections.abc import Callable

from mcp_compliance.reference.fault_model import Fault, RpcHook, result_of
from mcp_compliance.reference.jsonrpc import JSON, JSONObject, as_object


def _one_more(key: str, item: JSONObject) -> RpcHook:
    """Add an item at the end of the last page, so that everything that works still comes first."""

    def changed(result: JSONObject, params: JSONObject) -> JSON:
        items = result[key]
        assert isinstance(items, list)
        return result if "nextCursor" in result else {**result, key: [*items, item]}

    return result_of(f"{key}/list", changed)


def changed_item(key: str, name: str, change: Callable[[JSONObject], JSONObject]) -> RpcHook:
    """Change the item of this name, on whatever page of the list it stands."""

    def changed(result: JSONObject, params: JSONObject) -> JSON:
        items = result[key]
        assert isinstance(items, list)
        return {
            **result,
            key: [change(i) if as_object(i).get("name") == name else i for i in map(as_object, items)],
        }

    return result_of(f"{key}/list", changed)


def _set(key: str, value: JSON) -> Callable[[JSONObject], JSONObject]:
    return lambda item: {**item, key: value}


_ANY_OBJECT: JSONObject = {"type": "object"}

# The tools and prompts that are changed here are those that a careful client does not call: write_note is not
# read-only, and compare wants two arguments.
FAULTS = (
    Fault(
        "tool-without-name",
        "Every tool has a name.",
        ("tools-schema",),
        rpc=_one_more("tools", {"description": "Rings the bell.", "inputSchema": _ANY_OBJECT}),
    ),
    Fault(
        "tool-without-schema",
        "Every tool has an inputSchema of the type object.",
        ("tools-schema", "security-tool-schema-defined"),
        rpc=_one_more("tools", {"name": "ring_bell", "description": "Rings the bell."}),
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
        rpc=changed_item("tools", "write_note", _set("title", 7)),
    ),
    Fault(
        "output-schema-array",
        "An outputSchema is of the type object.",
        ("tools-output-schema",),
        rpc=changed_item("tools", "write_note", _set("outputSchema", {"type": "array"})),
    ),
    Fault(
        "argument-without-name",
        "Every argument of a prompt has a name.",
        ("prompts-schema",),
        rpc=changed_item(
            "prompts", "compare", _set("arguments", [{"description": "Path of a note", "required": True}])
        ),
    ),
    Fault(
        "resource-uri-relative",
        "The uri of a resource has a scheme.",
        ("resources-schema",),
        rpc=_one_more("resources", {"uri": "harbour/map.txt", "name": "map.txt"}),
    ),
)
