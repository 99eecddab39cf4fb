"""The event stream of libyaml as nodes that hold a JSON value and remember where it stands.

Composing ruamel.yaml's own nodes first would cost five times as much, recurse as deep as the text is nested,
and resolve dates and octal numbers that JSON does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from mcp_compliance.catalog.yaml_errors import reworded
from mcp_compliance.catalog.yaml_scalars import NotJsonError, scalar_value
from mcp_compliance.jsontypes import JSON

MAX_DEPTH = 64
MAX_NODES = 100_000
"""Bound on the nodes of a document with its aliases expanded."""


class Place(NamedTuple):
    """Line and column, both from 1; a column counts characters."""

    line: int
    column: int


@dataclass(frozen=True)
class DocumentProblem:
    """One reason why a file is no document of the language, and where."""

    path: Path
    line: int
    column: int
    message: str
    suggestion: str | None = None

    def __str__(self) -> str:
        hint = f"; {self.suggestion}" if self.suggestion else ""
        return f"{self.path}:{self.line}:{self.column}: {self.message}{hint}"


@dataclass(slots=True)
class Node:
    """A value with the places of its keys and members; aliases and merges share nodes."""

    value: JSON
    start: Place
    end: Place
    plain: bool = False
    size: int = 1
    height: int = 1
    keys: dict[str, Place] = field(default_factory=dict)
    members: dict[str, Node] | list[Node] | None = None


def child(node: Node, part: str | int) -> Node | None:
    if isinstance(node.members, dict):
        return node.members.get(str(part))
    if isinstance(node.members, list) and isinstance(part, int) and 0 <= part < len(node.members):
        return node.members[part]
    return None


def _events(text: str) -> Iterator[Any]:
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe", pure=False)
    if yaml.Parser.__name__ != "CParser":
        # ruamel.yaml would silently take its own parser, several times slower and with other errors.
        raise _NoLibraryError
    yield from yaml.parse(text.encode("utf-8"))


class _NoLibraryError(Exception):
    """The C library that reads YAML is not installed."""


class _StopError(Exception):
    """Reading cannot go on; the reason is among the errors."""


class Reader:
    """Builds the nodes of one document from its events, and collects what is wrong."""

    def __init__(self, path: Path, lines: Sequence[str]) -> None:
        self.path = path
        self.lines = lines
        self.problems: list[DocumentProblem] = []
        self.anchors: dict[str, Node | None] = {}
        self.unknown_anchors: set[str] = set()
        self.events: Iterator[Any] = iter(())

    def read(self, text: str) -> Node:
        from ruamel.yaml.error import MarkedYAMLError

        self.events = _events(text)
        root = Node(None, Place(1, 1), Place(1, 1))
        try:
            documents = 0
            for event in self.events:
                name = type(event).__name__
                if name == "DocumentStartEvent":
                    documents += 1
                    if documents > 1:
                        self.refuse(_start(event), "a second document; one file holds one", "remove the '---' line")
                        break
                elif name not in ("StreamStartEvent", "StreamEndEvent", "DocumentEndEvent"):
                    root = self.node(event, 1)
            if documents == 0:
                self.refuse(Place(1, 1), "the file is empty")
        except MarkedYAMLError as error:
            line, column, message, suggestion = reworded(error, self.lines)
            self.refuse(Place(line, column), message, suggestion)
        except _NoLibraryError:
            message = "YAML cannot be read, since ruamel.yaml.clib is not installed"
            self.refuse(Place(1, 1), message, "pip install ruamel.yaml.clib")
        except _StopError:
            pass
        return root

    def refuse(self, place: Place, message: str, suggestion: str | None = None) -> None:
        self.problems.append(DocumentProblem(self.path, place.line, place.column, message, suggestion))

    def node(self, event: Any, depth: int) -> Node:
        name = type(event).__name__
        start = _start(event)
        if name == "AliasEvent":
            return self.alias(event.anchor, start, _end(event), depth)
        if event.tag is not None:
            self.refuse(start, f"the tag {event.tag!r} is not part of the language", "remove it")
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        if name == "ScalarEvent":
            built = self.scalar(event, start)
        elif depth > MAX_DEPTH:
            self.refuse(start, f"nested deeper than {MAX_DEPTH} levels")
            raise _StopError
        elif name == "SequenceStartEvent":
            built = self.sequence(start, depth)
        else:
            built = self.mapping(start, depth)
        if built.size > MAX_NODES:
            self.refuse(start, f"more than {MAX_NODES} values with its aliases expanded")
            raise _StopError
        if event.anchor is not None:
            self.anchors[event.anchor] = built
        return built

    def alias(self, anchor: str, start: Place, end: Place, depth: int) -> Node:
        target = self.anchors.get(anchor)
        if target is not None:
            if depth + target.height > MAX_DEPTH + 1:
                self.refuse(start, f"nested deeper than {MAX_DEPTH} levels with its aliases expanded")
                raise _StopError
            return Node(
                target.value,
                start,
                end,
                size=target.size,
                height=target.height,
                keys=target.keys,
                members=target.members,
            )
        if anchor in self.anchors:
            self.refuse(start, f"the alias *{anchor} stands inside its own anchor")
        elif anchor not in self.unknown_anchors:
            self.unknown_anchors.add(anchor)
            self.refuse(
                start,
                f"the alias *{anchor} has no anchor before it",
                f"write &{anchor} at the value it repeats",
            )
        # An empty mapping: a merge of it is no second mistake.
        return Node({}, start, end, members={})

    def scalar(self, event: Any, start: Place) -> Node:
        plain = not event.style
        if not plain or event.tag is not None:
            return Node(event.value, start, _end(event))
        try:
            value = scalar_value(event.value)
        except NotJsonError as problem:
            self.refuse(start, problem.message, problem.suggestion)
            value = None
        return Node(value, start, _end(event), plain=True)

    def sequence(self, start: Place, depth: int) -> Node:
        members: list[Node] = []
        for event in self.events:
            if type(event).__name__ == "SequenceEndEvent":
                value: JSON = [member.value for member in members]
                return Node(value, start, _end(event), size=_size(members), height=_height(members), members=members)
            members.append(self.node(event, depth + 1))
        raise _StopError

    def mapping(self, start: Place, depth: int) -> Node:
        own: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        merged: dict[str, Node] = {}
        merged_keys: dict[str, Place] = {}
        for event in self.events:
            if type(event).__name__ == "MappingEndEvent":
                members = {**{name: node for name, node in merged.items() if name not in own}, **own}
                value: JSON = {name: node.value for name, node in members.items()}
                nodes = list(members.values())
                return Node(
                    value,
                    start,
                    _end(event),
                    size=_size(nodes),
                    height=_height(nodes),
                    keys={**merged_keys, **keys},
                    members=members,
                )
            at = _start(event)
            is_merge = type(event).__name__ == "ScalarEvent" and event.value == "<<" and not event.style
            key = self.key(event, depth)
            child = self.node(next(self.events), depth + 1)
            if is_merge:
                for source in self.merge_sources(child):
                    for name, node in source.items():
                        if name not in merged:
                            merged[name] = node[1]
                            merged_keys[name] = node[0]
            elif key is not None and key in own:
                first = keys[key].line
                self.refuse(
                    at,
                    f"the key '{key}' stands twice in one mapping, first on line {first}",
                    "keep one of them",
                )
            elif key is not None:
                own[key], keys[key] = child, at
        raise _StopError

    def key(self, event: Any, depth: int) -> str | None:
        """The text of a key; None, with the reason noted, when it is none."""
        node = self.node(event, depth + 1)
        if isinstance(node.value, str):
            return node.value
        if isinstance(node.value, (dict, list)):
            suggestion = "quote it, or keep brackets and braces out of keys"
            self.refuse(node.start, "a key must be a text, not a list or a mapping", suggestion)
        elif type(event).__name__ == "ScalarEvent" and event.value:
            self.refuse(node.start, f"the key {event.value} is not a text", f'quote it: "{event.value}"')
        else:
            self.refuse(node.start, "a key is missing before the colon")
        return None

    def merge_sources(self, node: Node) -> list[dict[str, tuple[Place, Node]]]:
        nodes = node.members if isinstance(node.members, list) else [node]
        sources = []
        for source in nodes:
            if isinstance(source.members, dict):
                sources.append({name: (source.keys[name], child) for name, child in source.members.items()})
            else:
                self.refuse(node.start, "<< merges mappings only", "name the anchor of a mapping, as in '<<: *base'")
        return sources


def _size(members: list[Node]) -> int:
    return 1 + sum(member.size for member in members)


def _height(members: list[Node]) -> int:
    return 1 + max((member.height for member in members), default=0)


def _start(event: Any) -> Place:
    return Place(event.start_mark.line + 1, event.start_mark.column + 1)


def _end(event: Any) -> Place:
    return Place(event.end_mark.line + 1, event.end_mark.column + 1)
