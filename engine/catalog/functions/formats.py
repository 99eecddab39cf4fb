"""Formats that MCP's members have to keep."""

from __future__ import annotations

import base64
import binascii
import calendar
import math
import re
import string
from collections import Counter
from datetime import UTC, date, datetime

from mcp_compliance.catalog.functions.declare import LIST_LIMIT, TEXT_LIMIT, Shelf
from mcp_compliance.catalog.functions.uris import canonical, is_absolute
from mcp_compliance.jsontypes import JSON

shelf = Shelf("formats")

_ALPHABETS = [
    frozenset(characters)
    for characters in (
        string.digits,
        string.digits + "abcdef",
        string.digits + "ABCDEF",
        string.digits + string.ascii_lowercase,
        string.digits + string.ascii_uppercase,
        string.digits + string.ascii_letters + "-_",
        string.digits + string.ascii_letters + "+/=",
    )
]
"""From the smallest; ids are read in the first that holds all their characters."""
_VISIBLE = 94
_COMPARED = 100
_COMPARED_LENGTH = 4096

_DATE = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})?)?",
    re.ASCII,
)
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_NAME = r"[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}"
_MIME = re.compile(rf"{_NAME}/{_NAME}")
_PARAMETER = re.compile(rf'[ \t]*;[ \t]*{_TOKEN}=(?:{_TOKEN}|"(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[\t\x20-\x7e])*")')


@shelf(
    {"s": "any"},
    "boolean",
    [
        (["https://a.example/x?y#z"], True),
        (["file:///tmp/a%20b"], True),
        (["urn:isbn:1"], True),
        (["config://"], True),
        (["/relative"], False),
        (["https://"], False),
        (["a b:c"], False),
        (["x:%zz"], False),
        (["https://a.example:http/"], False),
        ([None], False),
    ],
)
def is_uri(s: JSON) -> JSON:
    """Whether the text is a URI with a scheme (RFC 3986); http and https need a host."""
    return isinstance(s, str) and len(s) <= TEXT_LIMIT and is_absolute(s)


@shelf(
    {"s": "string or null"},
    "string or null",
    [
        (["HTTPS://A.Example:443/"], "https://a.example"),
        (["https://a.example/mcp#part"], "https://a.example/mcp"),
        (["https://a.example/mcp/"], "https://a.example/mcp/"),
        (["http://a.example:8080/a/../%7eb?Q=%c3%a9"], "http://a.example:8080/~b?Q=%C3%A9"),
        (["mailto:X@a.example"], "mailto:X@a.example"),
        (["no uri"], None),
        ([None], None),
    ],
)
def canonical_uri(s: JSON) -> JSON:
    """The URI as RFC 3986 normalises it: scheme and host in lower case, no default port, no fragment, no dot
    segments, escapes in upper case and only where needed; an http path of `/` alone is left out. Null when it
    is no URI."""
    return canonical(s) if isinstance(s, str) and len(s) <= TEXT_LIMIT and is_absolute(s) else None


@shelf(
    {"s": "any"},
    "boolean",
    [
        (["2031-11-25"], True),
        (["2025-01-12T15:00:58Z"], True),
        (["2025-01-12T15:00:58.5+02:00"], True),
        (["2025-02-30"], False),
        (["25-11-2025"], False),
        (["2025-01-12T25:00:00Z"], False),
        ([20251125], False),
        ([None], False),
    ],
)
def is_date(s: JSON) -> JSON:
    """Whether the text is an existing day as ISO 8601 writes it (YYYY-MM-DD), alone or with a time after
    `T`."""
    return _moment(s) is not None


@shelf(
    {"a": "string or null", "b": "string or null"},
    "boolean",
    [
        (["2031-06-18", "2031-11-25"], True),
        (["2031-11-25", "2031-11-25"], False),
        (["2031-11-25T01:00:00+02:00", "2031-11-25T00:00:00Z"], True),
        ([None, "2031-11-25"], False),
        (["soon", "2031-11-25"], False),
    ],
)
def before(a: JSON, b: JSON) -> JSON:
    """Whether the first date is earlier than the second; a time without offset counts as UTC."""
    left, right = _moment(a), _moment(b)
    return left is not None and right is not None and left < right


def _moment(value: JSON) -> float | None:
    """Seconds on the proleptic calendar's scale, or None when the text is no date."""
    match = _DATE.fullmatch(value) if isinstance(value, str) and len(value) <= 64 else None
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    offset = match.group(8) or "Z"
    if year == 0 or not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        return None
    if hour > 23 or minute > 59 or second > 60:
        return None
    away = 0
    if offset not in "Zz":
        hours, minutes = int(offset[1:3]), int(offset[4:6])
        if hours > 23 or minutes > 59:
            return None
        away = (hours * 60 + minutes) * (60 if offset[0] == "+" else -60)
    days = date(year, month, day).toordinal() - datetime(1970, 1, 1, tzinfo=UTC).toordinal()
    return days * 86400 + hour * 3600 + minute * 60 + second + float(match.group(7) or 0) - away


@shelf(
    {"s": "any"},
    "boolean",
    [
        (["aGk="], True),
        ([""], True),
        (["aGk"], False),
        (["a-b_"], False),
        (["aG k="], False),
        ([None], False),
    ],
)
def is_base64(s: JSON) -> JSON:
    """Whether the text is Base64 in the standard alphabet, padded, without line breaks (RFC 4648, section
    4)."""
    return isinstance(s, str) and len(s) % 4 == 0 and _BASE64.fullmatch(s) is not None


@shelf(
    {"s": "any"},
    "string or null",
    [
        (["aGVsbG8="], "hello"),
        (["aGVsbG8"], "hello"),
        (["w6k"], "é"),
        (["//79"], None),
        (["not base64!"], None),
        ([None], None),
    ],
)
def decoded(s: JSON) -> JSON:
    """The text that Base64 (either alphabet, padded or not) stands for; null when that is not printable
    UTF-8."""
    if not isinstance(s, str) or not s or len(s) > TEXT_LIMIT:
        return None
    bare = s.replace("-", "+").replace("_", "/").rstrip("=")
    try:
        text = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    return text if all(character.isprintable() or character in "\n\r\t" for character in text) else None


@shelf(
    {"s": "string or null"},
    "string or null",
    [
        (["hello"], "aGVsbG8="),
        (["é"], "w6k="),
        ([""], ""),
        (["\ud800"], None),
        ([None], None),
    ],
)
def base64_of(s: JSON) -> JSON:
    """The text in Base64: its UTF-8 in the standard alphabet, padded (RFC 4648, section 4)."""
    if not isinstance(s, str) or len(s) > TEXT_LIMIT:
        return None
    try:
        return base64.b64encode(s.encode("utf-8")).decode("ascii")
    except UnicodeEncodeError:
        return None


@shelf(
    {"s": "any"},
    "boolean",
    [
        (["text/plain"], True),
        (["text/html;profile=mcp-app"], True),
        (['application/vnd.api+json; charset="utf-8"'], True),
        (["text"], False),
        (["text/ plain"], False),
        ([None], False),
    ],
)
def is_mime(s: JSON) -> JSON:
    """Whether the text is a media type, with or without parameters (RFC 6838, RFC 9110)."""
    if not isinstance(s, str) or len(s) > 4096:
        return False
    start = _MIME.match(s)
    if start is None:
        return False
    at = start.end()
    while at < len(s):
        parameter = _PARAMETER.match(s, at)
        if parameter is None:
            return False
        at = parameter.end()
    return True


@shelf(
    {"s": "string or array or null"},
    "number",
    [
        (["aaaa"], 0),
        (["abab"], 4),
        (["0123456789abcdef"], 64),
        ([["0123456789abcdef"]], 64),
        ([["session-0001", "session-0002", "session-0003"]], 3.322),
        ([["f3c1", "08d9", "b27e"]], 16),
        ([["f3c1-08d9", "08d9-b27e"]], 32),
        ([["Zq_7", "xQ-9"]], 24),
        ([["same", "same"]], 0),
        ([["9", "10"]], 3.322),
        ([["a", None]], 0),
        ([[]], 0),
        ([""], 0),
        ([None], 0),
    ],
)
def entropy_bits(s: JSON) -> JSON:
    """The random bits that ids can hold at most. Of several ids of one kind: the places at which they differ, each
    counted with the alphabet found there (digits, hexadecimal, one case and digits, Base64, all that is visible), so
    that a counter gives few and a fixed prefix none. Of a single text: how often each character occurs (a counter of
    the same length looks alike)."""
    items = s if isinstance(s, list) else [s]
    texts = [text[:TEXT_LIMIT] for text in items[:LIST_LIMIT] if isinstance(text, str)]
    if not texts or len(texts) < len(items[:LIST_LIMIT]):
        return 0
    bits = _spread(texts[0]) if len(texts) == 1 else _difference(texts)
    return round(bits, 3) if round(bits, 3) % 1 else round(bits)


def _spread(text: str) -> float:
    return -sum(n * math.log2(n / len(text)) for n in Counter(text).values())


def _difference(texts: list[str]) -> float:
    """The places, up to the length of the shortest text, at which not all texts have the same character."""
    compared = [text[:_COMPARED_LENGTH] for text in texts[:_COMPARED]]
    differing = [set(place) for place in zip(*compared, strict=False) if len(set(place)) > 1]
    found = set().union(*differing)
    size = next((len(alphabet) for alphabet in _ALPHABETS if found <= alphabet), _VISIBLE)
    return len(differing) * math.log2(size)
