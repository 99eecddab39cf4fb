"""The shipped wire schema of the revision, and what its check says of a message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from mcp_compliance.catalog.index import rules_root
from mcp_compliance.catalog.wire_check import check_received
from mcp_compliance.catalog.wire_schema import FILE, WireSchema
from mcp_compliance.jsontypes import JSON, JSONObject
from tests.wire_schema.messages import item_of

PATH: Path = rules_root() / "2026-07-28" / FILE
SCHEMA = WireSchema(PATH)
DOCUMENT: JSONObject = json.loads(PATH.read_text(encoding="utf-8"))
DEFINITIONS = cast(JSONObject, DOCUMENT["$defs"])
TABLES = cast("dict[str, dict[str, str]]", DOCUMENT["x-messages"])


def check(*items: JSON) -> JSONObject:
    return check_received(SCHEMA, [*items])


def violations(payload: JSON, method: str | None) -> list[JSONObject]:
    """Of an answer to a request of this method, or of a notification, over HTTP with status 200."""
    return cast("list[JSONObject]", check(item_of(payload, method))["violations"])


def texts(payload: JSON, method: str | None) -> list[JSON]:
    return [violation["text"] for violation in violations(payload, method)]
