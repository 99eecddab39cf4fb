"""Expressions of the rule language: JMESPath with the language's own functions, JSON's equality and exact
positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any
from weakref import WeakKeyDictionary

from jmespath.exceptions import JMESPathError
from jmespath.visitor import Options, TreeInterpreter

from mcp_compliance.catalog.expression_names import Name, Path, walk_names
from mcp_compliance.catalog.expression_syntax import ExpressionError, Node, parse
from mcp_compliance.catalog.functions.table import FUNCTIONS
from mcp_compliance.catalog.library import Library
from mcp_compliance.jsontypes import JSON, same_json

__all__ = [
    "Expression",
    "ExpressionError",
    "ExpressionRaised",
    "Name",
    "Path",
    "compile_expression",
    "is_true",
]


class ExpressionRaised(Exception):
    """An expression could not be evaluated on what a server sent. ``reason`` is one line for a report."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Expression:
    """A compiled expression. Columns count from 0 within ``text``."""

    text: str
    names: tuple[Name, ...]
    """Every use of a root name, in the order of the text, with the longest plain dotted path from it."""
    paths: tuple[Path, ...]
    """Every place that is read, through lists and filters too: ``attack.attempts[].outcome``, where ``[]``
    is any item. Places below the value of a function or of a constant are not known and not listed."""
    tree: Node = field(repr=False, compare=False)
    """The syntax tree, each node with its ``column``; treat as read-only."""

    @property
    def roots(self) -> frozenset[str]:
        """The first names that it reads from the root."""
        return frozenset(name.text for name in self.names)

    def evaluate(self, root: Mapping[str, JSON], library: Library) -> JSON:
        """Its value. Raises ``ExpressionRaised`` and nothing else, whatever the root holds; the root is
        not changed."""
        try:
            value: JSON = _interpreter(library).visit(self.tree, root)
        except RecursionError:
            raise ExpressionRaised("the value is nested too deeply") from None
        except JMESPathError as error:
            raise ExpressionRaised(" ".join(str(error).split())[:200]) from None
        except TypeError:
            raise ExpressionRaised("two values that have no order were compared, such as a number and a text") from None
        except Exception as error:
            # What a server sends must never end a rule with a traceback, whichever corner of Python it
            # reaches.
            raise ExpressionRaised(f"{type(error).__name__}: {' '.join(str(error).split())[:160]}") from None
        return value


@lru_cache(maxsize=8192)
def compile_expression(text: str) -> Expression:
    """Compile, or raise ``ExpressionError`` with the column. Unknown functions and wrong counts of
    arguments are errors of evaluation; ``expression_lint`` reports them before."""
    tree = parse(text)
    names, paths = walk_names(tree)
    return Expression(text, names, paths, tree)


def is_true(value: JSON) -> bool:
    """Whether a value counts as true: all but null, false, "", [] and {} (so 0 does)."""
    return not (value is None or value is False or (isinstance(value, (str, list, dict)) and not value))


class _Table:
    """Calls functions by name, as JMESPath asks for them."""

    def __init__(self, library: Library) -> None:
        self._bodies: dict[str, Callable[..., JSON]] = {
            name: partial(function.body, getattr(library, function.reads)) if function.reads else function.body
            for name, function in FUNCTIONS.items()
        }

    def call_function(self, name: str, arguments: Sequence[JSON]) -> JSON:
        function = FUNCTIONS.get(name)
        if function is None:
            raise JMESPathError(f"there is no function {name}()")
        if not function.fits(len(arguments)):
            raise JMESPathError(f"{function.signature} was given {len(arguments)} arguments")
        return self._bodies[name](*arguments)


class _Interpreter(TreeInterpreter):  # type: ignore[misc]
    """Evaluates the tree; equality is JSON's at every depth, where JMESPath has Python's below the top."""

    COMPARATOR_FUNC: Mapping[str, Callable[[Any, Any], bool]] = {
        **TreeInterpreter.COMPARATOR_FUNC,
        "eq": same_json,
        "ne": lambda left, right: not same_json(left, right),
    }

    def __init__(self, functions: _Table) -> None:
        super().__init__(Options(custom_functions=functions))
        self._visits: dict[str, Callable[[Node, Mapping[str, JSON] | JSON], JSON]] = {}

    def visit(self, node: Node, value: Mapping[str, JSON] | JSON) -> JSON:
        """The same as JMESPath's without its variable arguments: a run visits tens of thousands of nodes."""
        kind = node["type"]
        try:
            visit = self._visits[kind]
        except KeyError:
            visit = self._visits[kind] = getattr(self, f"visit_{kind}")
        return visit(node, value)

    def _is_false(self, value: JSON) -> bool:
        return not is_true(value)


_interpreters: WeakKeyDictionary[Library, _Interpreter] = WeakKeyDictionary()


def _interpreter(library: Library) -> _Interpreter:
    """One interpreter for each library: building it costs more than most evaluations."""
    interpreter = _interpreters.get(library)
    if interpreter is None:
        interpreter = _interpreters[library] = _Interpreter(_Table(library))
    return interpreter
