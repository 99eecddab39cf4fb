"""Which names and places an expression reads: the static side of the language's one scope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mcp_compliance.catalog.expression_syntax import Node


@dataclass(frozen=True)
class Name:
    """A use of a root name. ``path`` is the longest plain dotted path from it, ``attack.target.tool``."""

    text: str
    column: int
    path: str


@dataclass(frozen=True)
class Path:
    """A place that is read. ``[]`` stands for any item of a list (for nothing where the value is no list)
    and ``{}`` for any member of an object. ``column`` is that of the last name."""

    text: str
    column: int


@dataclass(frozen=True)
class _Place:
    """What is known of a value: where it comes from, and whether it is a list made of what stands there."""

    path: str
    many: bool = False

    def item(self) -> _Place:
        return _Place(self.path) if self.many else _Place(f"{self.path}[]")


ROOT = _Place("")


def walk_names(tree: Node) -> tuple[tuple[Name, ...], tuple[Path, ...]]:
    """The uses of root names and all places read, in the order of the text."""
    walk = _Walk()
    walk.visit(tree, ROOT)
    names = []
    for text, column in walk.roots:
        plain = [path.text for path in walk.paths_from[column] if "[" not in path.text and "{" not in path.text]
        names.append(Name(text, column, max(plain, key=len)))
    return (
        tuple(sorted(names, key=lambda name: name.column)),
        tuple(sorted(dict.fromkeys(walk.paths), key=lambda path: path.column)),
    )


class _Walk:
    """Follows the value through the tree. ``here`` is the value that a node is evaluated on; None is an
    unknown one."""

    def __init__(self) -> None:
        self.roots: list[tuple[str, int]] = []
        self.paths: list[Path] = []
        self.paths_from: dict[int, list[Path]] = {}
        self._origin: int | None = None

    def visit(self, node: Node, here: _Place | None) -> _Place | None:
        method = getattr(self, f"visit_{node['type']}", None)
        if method is not None:
            place: _Place | None = method(node, here)
            return place
        for child in self._children(node):
            self.visit(child, here)
        return None

    @staticmethod
    def _children(node: Node) -> list[Any]:
        return [child for child in node.get("children", []) if isinstance(child, dict)]

    def visit_field(self, node: Node, here: _Place | None) -> _Place | None:
        if here is None or here.many:
            return None
        name, column = str(node["value"]), int(node["column"])
        place = _Place(f"{here.path}.{name}" if here.path else name)
        path = Path(place.path, column)
        if here == ROOT:
            self.roots.append((name, column))
            self.paths_from[column] = []
            self._origin = column
        self.paths.append(path)
        if self._origin is not None:
            self.paths_from[self._origin].append(path)
        return place

    def visit_subexpression(self, node: Node, here: _Place | None) -> _Place | None:
        for child in node["children"]:
            here = self.visit(child, here)
        return here

    visit_index_expression = visit_subexpression
    visit_pipe = visit_subexpression

    def visit_index(self, _node: Node, here: _Place | None) -> _Place | None:
        return None if here is None else here.item()

    def visit_slice(self, _node: Node, here: _Place | None) -> _Place | None:
        return here

    def visit_identity(self, _node: Node, here: _Place | None) -> _Place | None:
        return here

    visit_current = visit_identity

    def visit_flatten(self, node: Node, here: _Place | None) -> _Place | None:
        base = self.visit(node["children"][0], here)
        return None if base is None else _Place(f"{base.path}[]", many=True)

    def visit_projection(self, node: Node, here: _Place | None) -> _Place | None:
        base = self.visit(node["children"][0], here)
        return self._many(self.visit(node["children"][1], None if base is None else base.item()))

    def visit_filter_projection(self, node: Node, here: _Place | None) -> _Place | None:
        base = self.visit(node["children"][0], here)
        item = None if base is None else base.item()
        self.visit(node["children"][2], item)
        return self._many(self.visit(node["children"][1], item))

    def visit_value_projection(self, node: Node, here: _Place | None) -> _Place | None:
        base = self.visit(node["children"][0], here)
        item = None if base is None or base.many else _Place(f"{base.path}{{}}")
        return self._many(self.visit(node["children"][1], item))

    @staticmethod
    def _many(item: _Place | None) -> _Place | None:
        return None if item is None or item.many else _Place(item.path, many=True)

    def visit_function_expression(self, node: Node, here: _Place | None) -> None:
        """An argument is evaluated on the same value; what ``&name`` reads belongs to the items of the
        list beside it."""
        places = [self.visit(child, here) for child in node["children"] if child["type"] != "expref"]
        items = places[0].item() if places and places[0] is not None else None
        for child in node["children"]:
            if child["type"] == "expref":
                self.visit(child["children"][0], items)

    def visit_or_expression(self, node: Node, here: _Place | None) -> _Place | None:
        left, right = (self.visit(child, here) for child in node["children"])
        return left if left == right else None

    def visit_and_expression(self, node: Node, here: _Place | None) -> _Place | None:
        self.visit(node["children"][0], here)
        return self.visit(node["children"][1], here)
