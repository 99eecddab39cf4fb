"""How a function of the rule language is declared: name, arguments, purpose and a table of examples in one
place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mcp_compliance.jsontypes import JSON

Group: TypeAlias = Literal["presence", "text", "numbers", "lists", "documents", "protocol", "formats", "built in"]
Body: TypeAlias = Callable[..., JSON]
Part: TypeAlias = Literal["patterns", "wire"]
"""A part of the run's library."""

TEXT_LIMIT = 64 * 1024
"""Characters of a text that a function looks at where the work is more than one pass over it."""
LIST_LIMIT = 10_000
"""Items of a list that a function looks at, and the most that it returns."""


@dataclass(frozen=True)
class Argument:
    """``types`` are JSON types as ``type_name`` spells them (integers included in ``number``), ``any``, or
    ``expression`` for ``&name``. They say what the function is made for; anything else is answered, never
    refused."""

    name: str
    types: tuple[str, ...]

    @property
    def words(self) -> str:
        return " or ".join(self.types)

    def takes(self, kind: str) -> bool:
        """Whether a value of this JSON type is what the function is made for."""
        return "any" in self.types or kind in self.types or (kind == "integer" and "number" in self.types)


@dataclass(frozen=True)
class Example:
    """``args -> value``. For a function that takes ``&name`` the argument is written as that text."""

    args: tuple[JSON, ...]
    value: JSON


@dataclass(frozen=True)
class Function:
    """One function. It is pure and total: it reads nothing but its arguments, is bounded in time, and
    never raises."""

    name: str
    group: Group
    arguments: tuple[Argument, ...]
    returns: str
    """JSON types of the value, as ``string or null``."""
    one_of: tuple[str, ...]
    """The texts it can return, where these are few; else empty."""
    variadic: bool
    """The last argument may be repeated."""
    reads: Part | None
    """The part of the run's library that is put before its arguments."""
    examples: tuple[Example, ...]
    body: Body

    @property
    def purpose(self) -> str:
        """One line, or a few: the docstring."""
        return " ".join((self.body.__doc__ or "").split())

    @property
    def signature(self) -> str:
        names = ", ".join(argument.name for argument in self.arguments)
        return f"{self.name}({names}{', ...' if self.variadic else ''})"

    def fits(self, count: int) -> bool:
        """Whether it can be called with so many arguments."""
        return count >= len(self.arguments) if self.variadic else count == len(self.arguments)

    def argument_at(self, index: int) -> Argument | None:
        if index < len(self.arguments):
            return self.arguments[index]
        return self.arguments[-1] if self.variadic else None


class Shelf:
    """Collects the functions of one group, in the order in which they stand in their module."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.functions: dict[str, Function] = {}

    def __call__(
        self,
        takes: Mapping[str, str],
        returns: str,
        examples: Sequence[tuple[Sequence[JSON], JSON]],
        *,
        name: str | None = None,
        one_of: tuple[str, ...] = (),
        variadic: bool = False,
        reads: Part | None = None,
    ) -> Callable[[Body], Body]:
        """Declare the function below. ``takes`` maps argument names to types, separated by `` or ``."""

        def declare(body: Body) -> Body:
            title = name or body.__name__
            self.functions[title] = Function(
                name=title,
                group=self.group,
                arguments=tuple(Argument(key, tuple(types.split(" or "))) for key, types in takes.items()),
                returns=returns,
                one_of=one_of,
                variadic=variadic,
                reads=reads,
                examples=tuple(Example(tuple(args), value) for args, value in examples),
                body=body,
            )
            return body

        return declare
