"""Changes to results that several faults make."""

from __future__ import annotations

from collections.abc import Callable

from mcp_compliance.reference.fault_model import RpcHook, result_of
from mcp_compliance.reference.jsonrpc import JSON, JSONObject, as_object

Edit = Callable[[JSONObject], JSONObject]


def of_survey(change: Edit) -> RpcHook:
    """Change the results of the tool without arguments only: the others are what attacks are tried on."""
    return result_of("tools/call", lambda result, params: change(result) if params.get("name") == "survey" else result)


def of_block(change: Edit) -> RpcHook:
    """Change each block of content of that tool."""

    def changed(result: JSONObject) -> JSONObject:
        content = result["content"]
        return {**result, "content": [change(as_object(b)) for b in content]} if isinstance(content, list) else {}

    return of_survey(changed)


def of_first(key: str, change: Edit) -> Callable[[JSONObject, JSONObject], JSON]:
    """A change to the first item of the array ``key`` of a result."""

    def changed(result: JSONObject, params: JSONObject) -> JSON:
        items = result[key]
        assert isinstance(items, list)
        return {**result, key: [change(as_object(items[0])), *items[1:]]}

    return changed


def one_more(key: str, item: JSONObject) -> RpcHook:
    """Add an item at the end of the last page, so that everything that works still comes first."""

    def changed(result: JSONObject, params: JSONObject) -> JSON:
        items = result[key]
        assert isinstance(items, list)
        return result if "nextCursor" in result else {**result, key: [*items, item]}

    return result_of(f"{key}/list", changed)


def changed_item(key: str, name: str, change: Edit) -> RpcHook:
    """Change the item of this name, on whatever page of the list it stands."""

    def changed(result: JSONObject, params: JSONObject) -> JSON:
        items = result[key]
        assert isinstance(items, list)
        return {
            **result,
            key: [change(i) if as_object(i).get("name") == name else i for i in map(as_object, items)],
        }

    return result_of(f"{key}/list", changed)


def circling(key: str) -> RpcHook:
    """Let the last page of a list lead to itself."""

    def turn(result: JSONObject, params: JSONObject) -> JSON:
        return result if "nextCursor" in result else {**result, "nextCursor": params["cursor"]}

    return result_of(f"{key}/list", turn)


def set_to(key: str, value: JSON) -> Edit:
    """The change that sets one member."""
    return lambda item: {**item, key: value}


def without(*names: str) -> Edit:
    """The change that leaves members out."""
    return lambda item: {key: value for key, value in item.items() if key not in names}
