"""JSON that is as harmless to look at as any other text: what could steer a terminal or a log is written as escapes."""

from __future__ import annotations

import json
import re

from mcp_compliance.jsontypes import JSONObject

# Controls, line ends of Unicode, and what changes the direction of text or is not seen: terminals obey some of it, and
# to many readers of lines some of it ends one. JSON's own escapes leave the value as it is.
_ESCAPED = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_COMMAND = re.compile(r"##(?=\w*\[)")  # see `untrusted.visible`; outside of strings JSON has none


def json_text(document: JSONObject, *, indent: int | None = None) -> str:
    """The document as JSON, ending in a line feed; without ``indent`` on one line, without blanks.

    An unpaired surrogate, which UTF-8 cannot say, becomes U+FFFD. Raises ValueError for numbers that are not finite.
    """
    separators = (",", ":") if indent is None else None
    text = json.dumps(document, indent=indent, ensure_ascii=False, allow_nan=False, separators=separators)
    if not text.isascii() or "\x7f" in text:
        text = _LONE_SURROGATE.sub("\ufffd", text)
        text = _ESCAPED.sub(lambda found: _escape(found[0]), text)
    return _COMMAND.sub(r"#\\u0023", text) + "\n"


def _escape(character: str) -> str:
    return "\\u007f" if character == "\x7f" else json.dumps(character)[1:-1]
