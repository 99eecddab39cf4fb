"""A typer command whose target may be a command line with options of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from typer._click.core import ParameterSource
from typer.core import TyperCommand

from mcp_compliance.cli import output
from mcp_compliance.cli.arguments import divide
from mcp_compliance.cli.config_fields import TARGET, configurable, run_fields, target_fields

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typer._click.core import Context, Parameter

    from mcp_compliance.cli.arguments import Division
    from mcp_compliance.cli.config import Config
    from mcp_compliance.cli.saved_target import SavedTarget

NOT_WITH_A_COMMAND = frozenset(
    {"-H", "--header", "--header-file", "--auth", "--auth-command", "--cacert", "--insecure", "--proxy", "--transport"}
)
"""Options that could only be a mistake of ours once a command is the target, and that servers often have."""
NO_CONFIG = "--no-config"
_OWN_TARGET = ("--demo", "--mcp-config")
_SAVED = "mcp_compliance.saved_target"


class TargetCommand(TyperCommand):
    """Divides the words before they are parsed (see `mcp_compliance.cli.arguments`). A configuration file sets what
    the command line leaves open. ``--no-NAME`` takes back what it sets for the option ``--NAME``, and ``--no-config``
    everything.
    """

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:  # a shell asks how the line may go on: nothing of it is said, read or refused
            ctx.ignore_unknown_options = True
            return super().parse_args(ctx, args)
        parameters = {
            name: parameter
            for parameter in self.get_params(ctx)
            if parameter.param_type_name == "option"
            for name in (*parameter.opts, *parameter.secondary_opts)
        }
        options = {name: not getattr(parameter, "is_flag", False) for name, parameter in parameters.items()}
        refusals = _refusals(parameters) if "--config" in options else {}
        division = divide(args, {**options, **dict.fromkeys(refusals, False)}, _not_with_a_command(args))
        output.notes(division.notes)
        ours = [word for word in division.ours if word not in refusals]
        config = None
        if refusals and NO_CONFIG not in division.ours and not {"-h", "--help"} & set(ours):
            from mcp_compliance.cli.config import load

            config = load(_config_file(ours), Path())
        if config is None:
            return super().parse_args(ctx, [*ours, "--", *division.target])
        named = _names_a_target(division)
        refused = {refusals[word] for word in division.ours if word in refusals}
        known = {str(parameter.name) for parameter in parameters.values()} - refused
        sets = {**config.options, **({} if named else config.target_options)}
        ctx.default_map = {name: value for name, value in sets.items() if name in known}
        if not named:
            ctx.meta[_SAVED] = config.target
        rest = super().parse_args(ctx, [*ours, "--", *division.target])
        _say_what_is_used(ctx, config)
        return rest


def configured_target(ctx: Context) -> SavedTarget | None:
    """The target of the configuration file, if there is one and the command line names none."""
    found: SavedTarget | None = ctx.meta.get(_SAVED)
    return found


def _refusals(parameters: Mapping[str, Parameter]) -> dict[str, str]:
    """Each ``--no-NAME``, and the parameter that it is about; ``--no-config`` is about none."""
    settable = configurable(str(parameter.name) for parameter in parameters.values())
    found = {
        f"--no-{option.removeprefix('--')}": str(parameter.name)
        for option, parameter in parameters.items()
        if parameter.name in settable and option.startswith("--")
    }
    return {**found, NO_CONFIG: ""}


def _not_with_a_command(args: Sequence[str]) -> frozenset[str]:
    if any(word.partition("=")[0] == "--mcp-config" for word in args):
        return frozenset()  # the word is a name, and may stand for a URL
    return NOT_WITH_A_COMMAND | {f"--no-{name.removeprefix('--')}" for name in NOT_WITH_A_COMMAND}


def _names_a_target(division: Division) -> bool:
    return bool(division.target) or any(word.partition("=")[0] in _OWN_TARGET for word in division.ours)


def _say_what_is_used(ctx: Context, config: Config) -> None:
    """One line for people: what a file decided that nobody sees on the command line."""
    if ctx.params.get("list_") and ctx.params.get("format_") == "json":
        return
    used = [TARGET] if ctx.meta.get(_SAVED) is not None else []
    used += [
        field.name
        for field in (*target_fields(), *run_fields())
        if field.parameter and ctx.get_parameter_source(field.parameter) is ParameterSource.DEFAULT_MAP
    ]
    if used:
        *most, last = used
        names = f"{', '.join(most)} and {last}" if most else last
        output.notes([f"{names} from {config.path}; {NO_CONFIG} leaves it out"])


def _config_file(ours: Sequence[str]) -> Path | None:
    found = None
    for number, word in enumerate(ours):
        if word == "--config" and number + 1 < len(ours):
            found = Path(ours[number + 1])
        if word.startswith("--config="):
            found = Path(word.removeprefix("--config="))
    return found
