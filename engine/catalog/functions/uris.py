"""URIs after RFC 3986, and the variables of URI templates after RFC 6570."""

from __future__ import annotations

import re

_SPLIT = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_CHARACTERS = re.compile(r"(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")
_AUTHORITY = re.compile(r"(?:[^@\[\]]*@)?(\[[0-9A-Fa-fvV:.]+\]|[^:\[\]@]*)(?::(\d*))?")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_DEFAULT_PORTS = {"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}
_VARIABLE = re.compile(r"(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(?:\*|:[1-9]\d{0,3})?")
_LITERAL = re.compile(r"(?:[^\x00-\x20\x7f\"'%<>\\^`{|}]|%[0-9A-Fa-f]{2}|')*")


def is_absolute(text: str) -> bool:
    """Whether the text is a URI with a scheme. A host is demanded of http and https only: elsewhere authority and path
    may both be empty (RFC 3986, section 3)."""
    match = _SPLIT.fullmatch(text)
    if match is None or not _CHARACTERS.fullmatch(text):
        return False
    scheme, authority, path, _, fragment = match.groups()
    if "#" in (fragment or "") or any("[" in (part or "") or "]" in (part or "") for part in (path, fragment)):
        return False
    parts = _AUTHORITY.fullmatch(authority) if authority is not None else None
    if authority is not None and parts is None:
        return False
    if scheme.lower() in ("http", "https"):
        return parts is not None and bool(parts.group(1))
    return True


def canonical(uri: str) -> str:
    """Syntax-based and scheme-based normalisation of a URI for which ``is_absolute`` holds; the fragment
    is dropped."""
    match = _SPLIT.fullmatch(uri)
    assert match is not None
    scheme, authority, path, query, _ = match.groups()
    scheme = scheme.lower()
    text = f"{scheme}:"
    if authority is not None:
        user, at, place = authority.rpartition("@")
        parts = _AUTHORITY.fullmatch(place)
        host, port = (parts.group(1), parts.group(2)) if parts is not None else (place, None)
        text += f"//{_normal(user)}{at}{_normal(host.lower())}"
        if port and port != _DEFAULT_PORTS.get(scheme):
            text += f":{port}"
        path = _without_dots(_normal(path))
        if path == "/" and scheme in ("http", "https"):
            path = ""
    text += _normal(path)
    return text if query is None else f"{text}?{_normal(query)}"


def _normal(part: str) -> str:
    """Escapes in upper case, and none for characters that need none."""

    def escape(match: re.Match[str]) -> str:
        character = chr(int(match.group(1), 16))
        return character if character in _UNRESERVED else match.group().upper()

    return _ESCAPE.sub(escape, part)


def _without_dots(path: str) -> str:
    kept: list[str] = []
    segments = path.split("/")
    for index, segment in enumerate(segments):
        last = index == len(segments) - 1
        if segment == "..":
            if len(kept) > 1:
                kept.pop()
            if last:
                kept.append("")
        elif segment == ".":
            if last:
                kept.append("")
        else:
            kept.append(segment)
    return "/".join(kept)


def variables_of(template: str) -> list[str] | None:
    """Names of the variables of a URI template in order, each once; None when it is not well formed."""
    names: list[str] = []
    at = 0
    while at < len(template):
        if template[at] != "{":
            literal = _LITERAL.match(template, at)
            if literal is None or literal.end() == at:
                return None
            at = literal.end()
            continue
        end = template.find("}", at)
        if end < 0:
            return None
        inner = template[at + 1 : end]
        if inner[:1] in ("+", "#", ".", "/", ";", "?", "&"):
            inner = inner[1:]
        for piece in inner.split(","):
            if not _VARIABLE.fullmatch(piece):
                return None
            names.append(piece.rstrip("*").split(":", 1)[0])
        at = end + 1
    return list(dict.fromkeys(names))
