"""Pages of a list, and the opaque cursors that lead from one to the next (server/utilities/pagination)."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

from mcp_compliance.reference.jsonrpc import INVALID_PARAMS, JSON, JSONObject, RpcError

# small, so that every list but that of the templates has a second page
PAGE_SIZE = 3


def page(key: str, items: Sequence[JSONObject], params: JSONObject) -> JSONObject:
    """The page of ``items`` that the cursor in ``params`` names, the first one without a cursor.

    Raises -32602 for anything that is not a cursor which this list hands out.
    """
    start = _start(key, params["cursor"], len(items)) if "cursor" in params else 0
    shown: list[JSON] = list(items[start : start + PAGE_SIZE])
    found: JSONObject = {key: shown}
    if start + PAGE_SIZE < len(items):
        found["nextCursor"] = _cursor(key, start + PAGE_SIZE)
    return found


def _cursor(key: str, start: int) -> str:
    return base64.urlsafe_b64encode(f"{key}:{start}".encode()).decode()


def _start(key: str, cursor: JSON, length: int) -> int:
    try:
        if not isinstance(cursor, str):
            raise ValueError
        name, _, start = base64.urlsafe_b64decode(cursor).decode().partition(":")
        here = int(start)
        if name == key and 0 < here < length and here % PAGE_SIZE == 0 and _cursor(key, here) == cursor:
            return here
    except (ValueError, binascii.Error):
        pass
    raise RpcError(INVALID_PARAMS, "Invalid params: unknown cursor")
