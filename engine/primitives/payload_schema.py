"""How a payload set is written, as a JSON Schema."""

from __future__ import annotations

from mcp_compliance.jsontypes import JSON, JSONObject


def _closed(required: list[JSON], **properties: JSON) -> JSONObject:
    return {"type": "object", "additionalProperties": False, "required": required, "properties": properties}


_TEXT: JSON = {"type": "string"}
_WHERE: JSON = {"enum": ["harmless", "near", "far"]}
_PRODUCT = _closed(["before"], before=_TEXT, times=_TEXT, after=_TEXT)
_KINDS: list[JSON] = [
    _closed(["computes"], computes=_PRODUCT, only=_WHERE),
    _closed(["value", "shows"], value=_TEXT, shows=_TEXT, unlike=_TEXT, only=_WHERE),
    _closed(
        ["condition", "like_plain"],
        condition=_TEXT,
        like_plain={"type": "boolean"},
        quote=_TEXT,
        plain=_TEXT,
        only=_WHERE,
    ),
    _closed(["callback"], callback=_TEXT, only=_WHERE),
    _closed(["endpoint", "shows"], endpoint=_TEXT, shows=_TEXT, only=_WHERE),
]
PAYLOAD_SET: JSONObject = _closed(
    ["about", "plain", "values"],
    about=_TEXT,
    plain=_TEXT,
    only_plain={"type": "boolean"},
    on_purpose={"type": "array", "items": _PRODUCT},
    values={"type": "array", "minItems": 1, "items": {"anyOf": _KINDS}},
)
"""JSON Schema of one set."""
