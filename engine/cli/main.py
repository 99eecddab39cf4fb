"""Entry of the ``mcp-compliance`` command: commands, their order in the help, and how every error ends."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from typer.main import get_command

from mcp_compliance import __version__
from mcp_compliance.catalog.closest_word import suggestion
from mcp_compliance.cli import output
from mcp_compliance.cli.arguments import is_url
from mcp_compliance.cli.benchmark import EPILOG as BENCHMARK_EPILOG
from mcp_compliance.cli.benchmark import benchmark
from mcp_compliance.cli.benchmark_words import BenchmarkCommand
from mcp_compliance.cli.command import TargetCommand
from mcp_compliance.cli.completion import EPILOG as COMPLETION_EPILOG
from mcp_compliance.cli.completion import answer, completion
from mcp_compliance.cli.diff import EPILOG as DIFF_EPILOG
from mcp_compliance.cli.diff import diff
from mcp_compliance.cli.errors import EXIT_CANNOT, EXIT_INTERRUPTED, UserError
from mcp_compliance.cli.explain import EPILOG as EXPLAIN_EPILOG
from mcp_compliance.cli.explain import explain
from mcp_compliance.cli.init import EPILOG as INIT_EPILOG
from mcp_compliance.cli.init import init
from mcp_compliance.cli.mcp import EPILOG as MCP_EPILOG
from mcp_compliance.cli.mcp import mcp
from mcp_compliance.cli.parser_errors import in_our_words
from mcp_compliance.cli.serve import EPILOG as SERVE_EPILOG
from mcp_compliance.cli.serve import serve
from mcp_compliance.cli.test import EPILOG, grade_server

NAME = "mcp-compliance"
_HELP = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    name=NAME,
    help="Find out whether an MCP server keeps the specification, and what to change if it does not.",
    context_settings=_HELP,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
app.command("test", cls=TargetCommand, context_settings=_HELP, epilog=EPILOG)(grade_server)
app.command("init", cls=TargetCommand, context_settings=_HELP, epilog=INIT_EPILOG)(init)
app.command("explain", context_settings=_HELP, epilog=EXPLAIN_EPILOG)(explain)
app.command("diff", context_settings=_HELP, epilog=DIFF_EPILOG)(diff)
app.command("benchmark", cls=BenchmarkCommand, context_settings=_HELP, epilog=BENCHMARK_EPILOG)(benchmark)
app.command("mcp", context_settings=_HELP, epilog=MCP_EPILOG)(mcp)
app.command("serve", context_settings=_HELP, epilog=SERVE_EPILOG)(serve)
app.command("completion", context_settings=_HELP, epilog=COMPLETION_EPILOG)(completion)


def _print_version(wanted: bool) -> None:
    if wanted:
        output.write(f"{NAME} {__version__}\n")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            metavar=" ",
            help="Print the version and exit.",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Options that stand before a command."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. A user's mistake is one line on standard error."""
    words = list(sys.argv[1:] if argv is None else argv)
    command = get_command(app)
    answer()
    output.unwritten()  # of a command that ran in this process before, and ended otherwise
    try:
        if words and not words[0].startswith("-"):
            _known(words[0], list(getattr(command, "commands", {})))
        code = command.main(args=words or ["--help"], prog_name=NAME, standalone_mode=False)
    except UserError as error:
        return _refuse(str(error))
    except typer.TyperException as error:
        return _refuse(in_our_words(error))
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        return _refuse(f"{place}{error.strerror or error}")
    output.write("")  # what the help left there
    if (reason := output.unwritten()) is not None:
        return _refuse(f"standard output: not written: {reason}")
    if not words:
        return EXIT_CANNOT
    if code == EXIT_INTERRUPTED:
        output.tell("Interrupted.")
    return int(code or 0)


def _refuse(message: str) -> int:
    output.say(" ".join(message.split()))
    return EXIT_CANNOT


def _known(word: str, commands: list[str]) -> None:
    if word in commands:
        return
    if is_url(word):
        raise UserError(f"say what to do with the URL: {NAME} test {word}")
    hint = suggestion(word, commands) or "; --help lists all"
    raise UserError(f"unknown command {word}{hint}")


if __name__ == "__main__":
    sys.exit(main())
