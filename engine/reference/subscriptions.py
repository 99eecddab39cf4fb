"""``subscriptions/listen``: a request whose answer stays open and tells of changes (basic/patterns/subscriptions)."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_compliance.reference import jsonrpc
from mcp_compliance.reference.jsonrpc import INVALID_PARAMS, JSON, JSONObject, RequestId, RpcError
from mcp_compliance.reference.modern_meta import SUBSCRIPTION_ID, result
from mcp_compliance.reference.notes import Notebook
from mcp_compliance.reference.resources import read
from mcp_compliance.reference.session import Session

_SWITCHES = ("toolsListChanged", "promptsListChanged", "resourcesListChanged")


def listen(session: Session, id_: RequestId, params: JSONObject) -> Iterator[JSONObject]:
    """The acknowledgment, then what changes, until the client cancels the request: then nothing more comes.

    When the server ends, so does the subscription: with notifications/cancelled and with a result, of which one
    page demands the former (cancellation) and another the latter. Raises -32602 for a filter that is none.
    """
    honoured = _honoured(session.notebook, params.get("notifications"))
    listed = "resourcesListChanged" in honoured
    uris = honoured.get("resourceSubscriptions", [])
    assert isinstance(uris, list)
    mark: JSONObject = {"_meta": {SUBSCRIPTION_ID: id_}}

    def changed(uri: str, new: bool) -> None:
        if new and listed:
            call.post(jsonrpc.notification("notifications/resources/list_changed", mark))
        if uri in uris:
            call.post(jsonrpc.notification("notifications/resources/updated", {**mark, "uri": uri}))

    with session.running(id_) as call:
        session.notebook.watch(changed)
        try:
            agreed: JSONObject = {**mark, "notifications": honoured}
            yield jsonrpc.notification("notifications/subscriptions/acknowledged", agreed)
            yield from call.posted()
        finally:
            session.notebook.unwatch(changed)
    if not call.cancelled:
        yield jsonrpc.notification("notifications/cancelled", {**mark, "requestId": id_})
        yield jsonrpc.result(id_, result("complete", {}, subscriptionId=id_))


def _honoured(notebook: Notebook, wanted: JSON) -> JSONObject:
    """What of the filter can be kept: tools and prompts never change here, nor does a resource that is not there."""
    if not isinstance(wanted, dict):
        raise RpcError(INVALID_PARAMS, "Invalid params: notifications is not an object")
    if not all(isinstance(wanted.get(name, False), bool) for name in _SWITCHES):
        raise RpcError(INVALID_PARAMS, "Invalid params: a list is listened to or not, true or false")
    uris = wanted.get("resourceSubscriptions", [])
    if not isinstance(uris, list) or not all(isinstance(uri, str) for uri in uris):
        raise RpcError(INVALID_PARAMS, "Invalid params: resourceSubscriptions is not an array of URIs")
    honoured: JSONObject = {"resourcesListChanged": True} if wanted.get("resourcesListChanged") else {}
    known: list[JSON] = [uri for uri in uris if isinstance(uri, str) and read(notebook, uri) is not None]
    return {**honoured, "resourceSubscriptions": known} if known else honoured
