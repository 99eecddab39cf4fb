"""A typer command whose target may be a command line with options of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from typer.core import TyperCommand

from mcp_compliance.cli import output
from mcp_compliance.cli.arguments import divide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typer._click.core import Context

    from mcp_compliance.cli.saved_target import SavedTarget

NOT_WITH_A_COMMAND = frozenset(
    {"-H", "--header", "--header-file", "--auth", "--auth-command", "--cacert", "--insecure", "--proxy", "--transport"}
)
"""Options that could only be a mistake of ours once a command is the target, and that servers often have."""
_SAVED = "mcp_compliance.saved_target"


class TargetCommand(TyperCommand):
    """Divides the words before they are parsed (see `mcp_compliance.cli.arguments`). A configuration file sets what
    the command line leaves open.
    """

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        parameters = {
            name: parameter
            for parameter in self.get_params(ctx)
            if parameter.param_type_name == "option"
            for name in (*parameter.opts, *parameter.secondary_opts)
        }
        options = {name: not getattr(parameter, "is_flag", False) for name, parameter in parameters.items()}
        division = divide(args, options, NOT_WITH_A_COMMAND)
        output.notes(division.notes)
        if "--config" in options and not {"-h", "--help"} & set(division.ours):
            from mcp_compliance.cli.config import load

            config = load(_config_file(division.ours), Path.cwd())
            if config is not None:
                known = {str(parameter.name) for parameter in parameters.values()}
                ctx.default_map = {name: value for name, value in config.options.items() if name in known}
                ctx.meta[_SAVED] = config.target
        return super().parse_args(ctx, [*division.ours, "--", *division.target])


def configured_target(ctx: Context) -> SavedTarget | None:
    """The target of the configuration file, if there is one."""
    found: SavedTarget | None = ctx.meta.get(_SAVED)
    return found


def _config_file(ours: Sequence[str]) -> Path | None:
    for number, word in enumerate(ours):
        if word == "--config" and number + 1 < len(ours):
            return Path(ours[number + 1])
        if word.startswith("--config="):
            return Path(word.removeprefix("--config="))
    return None
