"""``mcp-compliance init``: writes a configuration file, by asking or from what the command line says."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from mcp_compliance.catalog.index import known_revisions
from mcp_compliance.cli import output
from mcp_compliance.cli.choices import AUTO, FLAG
from mcp_compliance.cli.config_fields import OWN_NAME
from mcp_compliance.cli.errors import EXIT_DONE, UserError, one_of

EPILOG = """\
[bold]Examples[/bold]

  mcp-compliance init
  mcp-compliance init --yes https://example.com/mcp -H 'Authorization: Bearer ${TOKEN}'
  mcp-compliance init --yes --strict -E LOG_LEVEL=error -- node ./server.js
"""


def init(
    target: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TARGET",
            help="The URL of a Streamable HTTP endpoint, or the command that starts a stdio server.",
            show_default=False,
        ),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(
            "-H",
            "--header",
            metavar="'NAME: VALUE'",
            help="A header for a URL; write ${NAME} for what a file should not hold. Repeatable.",
            show_default="none",
        ),
    ] = None,
    env: Annotated[
        list[str] | None,
        typer.Option(
            "-E",
            "--env",
            metavar="KEY=VALUE",
            help="An environment variable for a command. Repeatable.",
            show_default="none",
        ),
    ] = None,
    timeout: Annotated[
        int | None,
        typer.Option(
            metavar="MS",
            min=1,
            help="Longest wait for one answer, in milliseconds.",
            show_default="15000",
        ),
    ] = None,
    strict: Annotated[
        bool | None,
        typer.Option(
            "--strict/--no-strict",
            metavar=FLAG,
            help="Whether a run exits 1 if a required rule fails.",
            show_default="--no-strict",
        ),
    ] = None,
    spec_version: Annotated[
        str | None,
        typer.Option(
            metavar="VERSION",
            help=f"MCP revision to grade: {', '.join(known_revisions())}, or {AUTO}.",
            show_default=AUTO,
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", metavar=FLAG, help="Ask nothing; what is not said gets its default.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", metavar=FLAG, help="Overwrite a file that is there already.")
    ] = False,
) -> int:
    """Write a mcp-compliance.config.json, so that mcp-compliance test needs no arguments.

    Asks for what the command line leaves open. No secret is written, but the environment variable that holds it.
    """
    path = Path(OWN_NAME)
    if path.exists() and not force:
        raise UserError(f"{path} is there already; --force overwrites it")
    if yes and not target:
        raise UserError("init --yes needs a target: give a URL, or a command that starts a server")
    if not yes and not output.is_terminal(sys.stdin):
        raise UserError("init asks, and nobody is there to answer: give TARGET and --yes (--help lists the options)")
    revision = None if spec_version is None else one_of("--spec-version", spec_version, (AUTO, *known_revisions()))
    from mcp_compliance.cli.init_document import references, written
    from mcp_compliance.cli.init_questions import Questions

    questions = Questions(asks=not yes)
    try:
        text = written(
            questions, target or (), header or (), env or (), timeout=timeout, revision=revision, strict=strict
        )
    except typer.Abort:
        print(file=sys.stderr)  # the question has not ended its line
        raise KeyboardInterrupt from None
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: not written: {error.strerror or error}") from error
    output.say(f"wrote {path}")
    unset = [name for name in references(text) if not os.environ.get(name)]
    if unset:
        output.say(f"set in the environment before a run: {', '.join(unset)}")
    output.say("next: mcp-compliance test")
    return EXIT_DONE
