"""Writes ``options.md``, the table of every option of every command: ``python methodology/options.py [--check]``. It is
made from the command line itself. With ``--check`` nothing is written; the exit code is 1 when the page is not as it
would be written.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from typer.main import get_command

from mcp_compliance.cli.command import NO_CONFIG, NOT_WITH_A_COMMAND, TargetCommand
from mcp_compliance.cli.config_fields import TARGET, run_fields, target_fields
from mcp_compliance.cli.main import NAME, app

if TYPE_CHECKING:
    from typer._click.core import Command, Parameter

PATH = Path(__file__).with_name("options.md")
URL_ALONE = {*NOT_WITH_A_COMMAND - {"--transport"}, "--preflight-timeout"}
COMMAND_ALONE = {"--env", "--env-file", "--cwd", "--watch"}
HEAD = f"""\
# Options

Every option of every command, as `{NAME} COMMAND --help` shows them too. Options stand before or after the target; what
stands behind `--` belongs to the command that is tested.

What stands on the command line wins over a configuration file, and that over the default. `--no-NAME` takes back what
a file sets for the option `--NAME`, and `{NO_CONFIG}` leaves the file out. What fields are called in a file stands at
the end; [configuration.md](configuration.md) says more of files, secrets, certificates and proxies.
"""


def page() -> str:
    """The page as it should stand."""
    group = get_command(app)
    commands: Mapping[str, Command] = getattr(group, "commands", {})
    parts = [HEAD]
    for name, command in commands.items():
        parts.append(
            "\n".join([f"## {name}", "", _cell((command.help or "").split("\n\n")[0]), "", *_table(command)]) + "\n"
        )
    parts.append("\n".join(["## Fields of a configuration file", "", *_fields(commands["test"])]) + "\n")
    parts.append("\n".join(["## Without a command", "", *_rows(group)]) + "\n")
    return "\n".join(parts)


def _table(command: Command) -> Iterator[str]:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    for argument in arguments:
        yield f"`{_value(argument) or argument.name}`: {_cell(getattr(argument, 'help', '') or '')}"
        yield ""
    yield from _rows(command)


def _rows(command: Command) -> Iterator[str]:
    options = [each for each in command.params if each.param_type_name == "option"]
    if not options:
        yield "No options."
        return
    targets = isinstance(command, TargetCommand) and any("--config" in option.opts for option in options)
    yield f"| option | {'goes with | ' if targets else ''}default | what it does |"
    yield f"| --- | {'--- | ' if targets else ''}--- | --- |"
    for option in options:
        about = [_goes_with(option)] if targets else []
        yield (
            "| "
            + " | ".join([_name(option), *about, _default(option), _cell(getattr(option, "help", "") or "")])
            + " |"
        )


def _fields(command: Command) -> Iterator[str]:
    names = {str(parameter.name): parameter for parameter in command.params}
    yield "| field | option | what it does |"
    yield "| --- | --- | --- |"
    for prefix, fields in ((f"{TARGET}.", target_fields()), ("", run_fields())):
        for field in fields:
            option = names.get(field.parameter or "")
            spelling = "" if option is None else f"`{option.opts[-1]}`"
            yield f"| `{prefix}{field.name}` | {spelling} | {_cell(field.about)} |"


def _name(option: Parameter) -> str:
    value = _value(option)
    spellings = ", ".join(f"`{spelling}`" for spelling in (*option.opts, *option.secondary_opts))
    return f"{spellings} `{_cell(value)}`" if value else spellings


def _value(parameter: Parameter) -> str:
    return (getattr(parameter, "metavar", None) or "").strip()


def _goes_with(option: Parameter) -> str:
    if URL_ALONE.intersection(option.opts):
        return "URL"
    return "command" if COMMAND_ALONE.intersection(option.opts) else "both"


def _default(option: Parameter) -> str:
    shown = getattr(option, "show_default", None)
    if isinstance(shown, str):
        return _cell(shown)
    return "" if option.default is None or isinstance(option.default, bool) else f"`{option.default}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main(argv: Sequence[str] | None = None) -> int:
    """Exit code 0; with ``--check`` 1 when the page is out of date."""
    parser = argparse.ArgumentParser(description="Write the table of all options.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 when it is out of date")
    arguments = parser.parse_args(argv)
    text = page()
    if PATH.is_file() and PATH.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PATH.name} {'is out of date' if arguments.check else 'written'}")
    if not arguments.check:
        PATH.write_text(text, encoding="utf-8")
    return 1 if arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
