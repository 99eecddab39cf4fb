"""Expressions of the rule language: JMESPath with the language's own functions, JSON's equality and exact
positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from jmespath.exceptions import JMESPathError

from mcp_compliance.catalog.expression_names import Name, Path, walk_names
from mcp_compliance.catalog.expression_programs import Program, is_true, program_of
from mcp_compliance.catalog.expression_syntax import ExpressionError, Node, parse
from mcp_compliance.catalog.library import Library
from mcp_compliance.jsontypes import JSON

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
            return self.program(root if isinstance(root, dict) else dict(root), library)
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

    @cached_property
    def program(self) -> Program:
        """Made when it is first needed: a run may end before it comes to most of its expressions."""
        return program_of(self.tree)


@lru_cache(maxsize=8192)
def compile_expression(text: str) -> Expression:
    """Compile, or raise ``ExpressionError`` with the column. Unknown functions and wrong counts of
    arguments are errors of evaluation; ``expression_lint`` reports them before."""
    tree = parse(text)
    names, paths = walk_names(tree)
    return Expression(text, names, paths, tree)
