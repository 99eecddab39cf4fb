"""Functions over text. Where a regular expression is involved, the first 64 KiB are looked at."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from mcp_compliance.catalog.functions.declare import LIST_LIMIT, TEXT_LIMIT, Shelf
from mcp_compliance.catalog.functions.regex import safe_regex
from mcp_compliance.jsontypes import JSON

shelf = Shelf("text")

NOT_ECHOED = "not echoed"


@shelf(
    {"s": "string or null"},
    "string or null",
    [(["Bearer"], "bearer"), (["ÄÖ"], "äö"), ([None], None), ([1], None)],
)
def lower(s: JSON) -> JSON:
    """The text in lower case."""
    return s.lower() if isinstance(s, str) else None


@shelf({"s": "string or null"}, "string or null", [([" a b\n"], "a b"), ([None], None)])
def trim(s: JSON) -> JSON:
    """The text without space around it."""
    return s.strip() if isinstance(s, str) else None


@shelf(
    {"s": "string or null", "sep": "string"},
    "array",
    [
        (["a, b", ", "], ["a", "b"]),
        (["abc", ""], ["a", "b", "c"]),
        (["", ","], [""]),
        ([None, ","], []),
        (["a", None], ["a"]),
    ],
)
def split(s: JSON, sep: JSON) -> JSON:
    """The parts of the text between the separators; an empty separator gives the characters. At most
    10 000 parts."""
    if not isinstance(s, str):
        return []
    if not isinstance(sep, str):
        return [s]
    return s.split(sep, LIST_LIMIT - 1) if sep else list(s[:LIST_LIMIT])  # type: ignore[return-value]


@shelf(
    {"s": "string or null", "pattern": "string"},
    "boolean",
    [(["id 12", "[0-9]+"], True), (["id", "^[0-9]"], False), ([None, "a"], False), (["a", "("], False)],
)
def found(s: JSON, pattern: JSON) -> JSON:
    """Whether the regular expression occurs in the text."""
    return _search(s, pattern) is not None


@shelf(
    {"s": "string or null", "pattern": "string"},
    "string or null",
    [
        (["charset=utf-8", "charset=([a-z0-9-]+)"], "utf-8"),
        (["id 12", "[0-9]+"], "12"),
        (["id", "[0-9]+"], None),
        ([None, "a"], None),
    ],
)
def capture(s: JSON, pattern: JSON) -> JSON:
    """What the first group of the regular expression matched, or, without a group, what the whole of it
    did."""
    match = _search(s, pattern)
    if match is None:
        return None
    part = match.group(1 if match.re.groups else 0)
    return part if isinstance(part, str) else None


def _search(s: JSON, pattern: JSON) -> re.Match[str] | None:
    if not isinstance(s, str) or not isinstance(pattern, str):
        return None
    compiled = safe_regex(pattern)
    return None if compiled is None else compiled.search(s[:TEXT_LIMIT])


@shelf(
    {"s": "string or null"},
    "boolean",
    [
        (["a b é 🎉"], True),
        (["a\nb\t"], True),
        (["a\u0000"], False),
        (["\u200b"], False),
        ([""], True),
        ([None], False),
    ],
)
def printable(s: JSON) -> JSON:
    """Whether the text holds nothing that cannot be seen, line ends and tabs excepted (no controls, no
    zero width)."""
    return isinstance(s, str) and all(character.isprintable() or character in "\n\r\t" for character in s)


@shelf(
    {"s": "string or null", "n": "number"},
    "string or null",
    [
        (["a long text", 6], "a long..."),
        (["short", 6], "short"),
        (["a\n  b", 9], "a b"),
        ([None, 3], None),
        (["abc", None], "abc"),
    ],
)
def excerpt(s: JSON, n: JSON) -> JSON:
    """The first n characters (200 when n is no number) on one line, with three dots where something was
    left out."""
    if not isinstance(s, str):
        return None
    size = n if isinstance(n, int) and not isinstance(n, bool) and 0 < n <= TEXT_LIMIT else 200
    line = " ".join(s[:TEXT_LIMIT].split())
    return line if len(line) <= size else line[:size].rstrip() + "..."


@shelf(
    {"s": "string or null", "names": "array"},
    "array",
    [
        (["Call `list_all` first.", ["list_all", "list"]], ["list_all"]),
        (["lists everything", ["list"]], []),
        (["see get.item.", ["get.item", "get"]], ["get.item"]),
        ([None, ["a"]], []),
        (["a", None], []),
    ],
)
def mentions(s: JSON, names: JSON) -> JSON:
    """The names of the list that stand in the text as whole words; a dot, hyphen or underscore does not
    end a word."""
    if not isinstance(s, str) or not isinstance(names, list):
        return []
    words = set(_words(s[:TEXT_LIMIT]))
    return [name for name in names[:LIST_LIMIT] if isinstance(name, str) and name in words]


def _words(text: str) -> Iterator[str]:
    for match in re.finditer(r"[\w.-]+", text):
        word = match.group()
        yield word
        yield word.strip(".-")


@shelf(
    {"list": "array"},
    "string",
    [
        ([["sess-1a", "sess-2b"]], "sess-"),
        ([["a"]], "a"),
        ([["a", "b"]], ""),
        ([[]], ""),
        ([None], ""),
        ([["a", 1]], ""),
    ],
)
def common_prefix(items: JSON) -> JSON:
    """What all texts of the list begin with; empty when one of the items is no text."""
    if not isinstance(items, list) or not items or not all(isinstance(item, str) for item in items):
        return ""
    texts = [str(item) for item in items]
    first, last = min(texts), max(texts)
    size = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:size]


@shelf(
    {"sent": "string", "received": "any"},
    "string or null",
    [
        (["é 漢字", "you said: é 漢字!"], None),
        (["é 漢字", [{"type": "text", "text": "é 漢字"}]], None),
        (["é 漢字", '{"said": "\\u00e9 \\u6f22\\u5b57"}'], None),
        (["é 漢字", "? ??"], "characters outside ASCII came back as ?"),
        (["é漢字", "ï¿½ \ufffd\ufffd\ufffd"], "characters outside ASCII came back as U+FFFD"),
        (["né", "nÃ©"], "UTF-8 was read as Latin-1 or Windows-1252"),
        (["caf\u00e9", "cafe\u0301"], "the text came back in another Unicode normalisation"),
        (["naïve text", "nave text"], "characters outside ASCII are missing"),
        (["né 🎉", "né "], "characters beyond U+FFFF are missing or replaced"),
        (["é 漢字", "sunny"], NOT_ECHOED),
        (["é", None], NOT_ECHOED),
        ([None, "é"], None),
    ],
)
def text_damage(sent: JSON, received: JSON) -> JSON:
    """Null when the text that was sent stands unchanged in what was received (a text, or any text inside a
    value); else what happened to it. `not echoed` when nothing received resembles it, which proves
    nothing."""
    if not isinstance(sent, str) or not sent:
        return None
    texts = list(_texts(received))
    whole = "\n".join(texts)[: 4 * TEXT_LIMIT]
    if sent in whole or sent in _unescaped(whole):
        return None
    sent = sent[:TEXT_LIMIT]
    for words, variants in _damages(sent):
        if any(_telling(variant) and variant in whole for variant in variants):
            return words
    return NOT_ECHOED


def _telling(variant: str) -> bool:
    """Whether a damaged text is long enough to be recognised: one character is found in any answer."""
    return len(variant.replace(" ", "")) > 1


def _damages(sent: str) -> Iterator[tuple[str, list[str]]]:
    """Each known damage with the texts that it would make of what was sent."""
    wide = [character for character in sent if not character.isascii()]
    if not wide:
        return
    octets = sent.encode("utf-8", "replace")
    yield (
        "UTF-8 was read as Latin-1 or Windows-1252",
        [octets.decode("latin-1"), octets.decode("cp1252", "replace")],
    )
    forms = [unicodedata.normalize(form, sent) for form in ("NFC", "NFD", "NFKC", "NFKD")]
    yield "the text came back in another Unicode normalisation", [form for form in forms if form != sent]
    for mark, name in (("?", "?"), ("\ufffd", "U+FFFD")):
        yield (
            f"characters outside ASCII came back as {name}",
            [
                "".join(character if character.isascii() else mark for character in sent),
                "".join(
                    character if character.isascii() else mark * len(character.encode("utf-8", "replace"))
                    for character in sent
                ),
                "".join(character if ord(character) < 256 else mark for character in sent)
                if ord(max(wide)) > 255
                else "",
            ],
        )
    if any(ord(character) > 0xFFFF for character in sent):
        plane = [character for character in sent if ord(character) <= 0xFFFF]
        kept = "".join(plane)
        marked = [
            "".join(c if ord(c) <= 0xFFFF else mark for c in sent) for mark in ("??", "\ufffd\ufffd", "\ufffd", "?")
        ]
        if any(not character.isascii() for character in plane):
            yield "characters beyond U+FFFF are missing or replaced", [kept, *marked]
    bare = "".join(character for character in sent if character.isascii())
    yield "characters outside ASCII are missing", [bare] if bare.strip() else []


def _unescaped(text: str) -> str:
    """The text with JSON's \\u escapes read, for tools that answer with JSON inside a text."""
    decoded = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match.group(1), 16)), text)
    return decoded.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _texts(value: JSON) -> Iterator[str]:
    waiting: list[JSON] = [value]
    for _ in range(LIST_LIMIT):
        if not waiting:
            return
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            waiting.extend(reversed(list(item.values())))
        elif isinstance(item, list):
            waiting.extend(reversed(item))
