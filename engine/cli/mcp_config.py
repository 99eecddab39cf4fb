"""``--mcp-config``: a server that a client already knows, by its name in an ``.mcp.json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from mcp_compliance.catalog.closest_word import suggestion
from mcp_compliance.cli.config_document import Document, read_document
from mcp_compliance.cli.config_values import kind_of, refuse_twice
from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.headers import is_header_name
from mcp_compliance.cli.saved_target import SavedTarget

_LISTS = ("mcpServers", "servers")
"""Where servers are listed: by most clients, and by VS Code."""
_HTTP = frozenset({"http", "streamable-http", "streamablehttp"})


def named_target(path: Path, words: Sequence[str]) -> SavedTarget:
    """The server that ``words`` name in the file, or its only one. Raises `UserError`."""
    document = read_document(path)
    assert document is not None
    above, servers = _servers(document)
    known = ", ".join(servers)
    if len(words) > 1:
        raise UserError(f"--mcp-config: {words[1]} behind the name {words[0]}: give one name, and options before it")
    if not words and len(servers) > 1:
        raise UserError(f"--mcp-config {path}: which server? Name one of {known}")
    name = words[0] if words else next(iter(servers))
    if name not in servers:
        hint = suggestion(name, list(servers)) or f"; known are {known}"
        raise UserError(f"--mcp-config {path}: has no server {name}{hint}")
    return _Entry(document, (above, name), servers[name]).target()


def _servers(document: Document) -> tuple[str, Mapping[str, object]]:
    value = document.value
    for name in _LISTS:
        if isinstance(value, dict) and name in value:
            servers = value[name]
            if not isinstance(servers, dict):
                raise UserError(f"{document.place(name)}: {name}: expected an object, not {kind_of(servers)}")
            refuse_twice(document, (name,), servers)
            if not servers:
                raise UserError(f"{document.place(name)}: {name} lists no server")
            return name, servers
    raise UserError(f'{document.path}: has no "{_LISTS[0]}", and no "{_LISTS[1]}"')


class _Entry:
    """One server. What clients write beside the fields that are read here is theirs."""

    def __init__(self, document: Document, above: tuple[str, str], value: object) -> None:
        self.document = document
        self.above = above
        if not isinstance(value, dict):
            raise self.wrong(f"expected an object, not {kind_of(value)}")
        refuse_twice(document, above, value)
        self.value: Mapping[str, object] = value

    def target(self) -> SavedTarget:
        place = f"{self.document.path}: {self.above[1]}"
        kind = str(self.value.get("type", "http" if "url" in self.value else "stdio")).lower()
        if kind == "sse":
            message = "type sse is the transport of 2024, which is not tested; give the Streamable HTTP address"
            raise self.wrong(message, "type")
        if kind in _HTTP:
            headers = self.texts("headers")
            for name in headers:
                if not is_header_name(name):
                    raise self.wrong(f"headers: {name!r} cannot be the name of a header", "headers")
            return SavedTarget(place, url=self.text("url"), headers=tuple(headers.items()))
        if kind != "stdio":
            raise self.wrong(f"type {kind}: known are stdio and http", "type")
        arguments = self.value.get("args", [])
        if not isinstance(arguments, list) or not all(isinstance(word, str) for word in arguments):
            raise self.wrong('args: expected a list of texts, as in ["server.py"]', "args")
        return SavedTarget(
            place,
            command=(self.text("command"), *arguments),
            env=self.texts("env"),
            env_file=self.path("envFile"),
            cwd=self.path("cwd"),
        )

    def path(self, name: str) -> Path | None:
        return self.document.path.parent / self.text(name) if name in self.value else None

    def text(self, name: str) -> str:
        value = self.value.get(name)
        if value is None:
            raise self.wrong(f"has no {name}")
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(f"{name}: expected a text, not {kind_of(value)}", name)
        return value

    def texts(self, name: str) -> dict[str, str]:
        value = self.value.get(name, {})
        if not isinstance(value, dict) or not all(isinstance(member, str) for member in value.values()):
            raise self.wrong(f"{name}: expected an object with a text for each name", name)
        return dict(value)

    def wrong(self, message: str, *keys: str) -> UserError:
        return UserError(f"{self.document.place(*self.above, *keys)}: {self.above[1]}: {message}")
