"""``benchmark ... -- COMMAND -r 200 -c 4``: the benchmark's numbers may stand at the very end, behind the command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_compliance.cli import output
from mcp_compliance.cli.command import TargetCommand

if TYPE_CHECKING:
    from typer._click.core import Context

NUMBERS = {"-r": "--requests", "--requests": "--requests", "-c": "--concurrency", "--concurrency": "--concurrency"}
"""The options that may stand there, each with its long name."""


@dataclass(frozen=True)
class Order:
    """The words with the numbers in front of ``--``, and the ones that were moved there."""

    words: tuple[str, ...]
    moved: tuple[str, ...] = ()


def in_order(words: Sequence[str]) -> Order:
    """Take ``-r N`` and ``-c N`` off the end of what follows ``--``.

    They stay with the command where the same option stands in front of ``--`` as well, where N is no number, and where
    nothing but them would be the command. So a server that has these options itself can be given them.
    """
    if "--" not in words:
        return Order(tuple(words))
    gap = list(words).index("--")
    before, command = list(words[:gap]), list(words[gap + 1 :])
    given = {NUMBERS[name] for word in before if (name := word.partition("=")[0]) in NUMBERS}
    moved: list[str] = []
    while (size := _number_at_the_end(command, given)) and len(command) > size:
        moved = command[-size:] + moved
        del command[-size:]
    return Order((*before, *moved, "--", *command), tuple(moved))


def _number_at_the_end(command: Sequence[str], given: set[str]) -> int:
    """How many words of the end are a number of ours: 2, 1 for ``--requests=N``, 0 for none."""
    name, equals, value = command[-1].partition("=") if command else ("", "", "")
    if equals and name.startswith("--"):
        return int(_is_free(name, given) and value.isdecimal())
    return 2 * int(len(command) > 1 and _is_free(command[-2], given) and command[-1].isdecimal())


def _is_free(name: str, given: set[str]) -> bool:
    return name in NUMBERS and NUMBERS[name] not in given


class BenchmarkCommand(TargetCommand):
    """A `TargetCommand` that first puts its numbers where they are recognised, and says so."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        order = in_order(args) if not ctx.resilient_parsing else Order(tuple(args))
        if order.moved:
            said = f"{' '.join(order.moved)} at the end is taken for the benchmark's"
            output.notes([f"{said}; an option that stands before -- as well is left to the server at the end"])
        return super().parse_args(ctx, list(order.words))
