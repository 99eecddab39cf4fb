"""A typer command whose target may be a command line with options of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.core import TyperCommand

from mcp_compliance.cli import output
from mcp_compliance.cli.arguments import divide

if TYPE_CHECKING:
    from typer._click.core import Context

NOT_WITH_A_COMMAND = frozenset({"-H", "--header", "--auth", "--transport"})
"""Options that could only be a mistake of ours once a command is the target, and that servers often have."""


class TargetCommand(TyperCommand):
    """Divides the words before they are parsed (see `mcp_compliance.cli.arguments`)."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        options = {
            name: not getattr(parameter, "is_flag", False)
            for parameter in self.get_params(ctx)
            if parameter.param_type_name == "option"
            for name in (*parameter.opts, *parameter.secondary_opts)
        }
        division = divide(args, options, NOT_WITH_A_COMMAND)
        output.notes(division.notes)
        return super().parse_args(ctx, [*division.ours, "--", *division.target])
