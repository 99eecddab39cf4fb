"""``mcp-compliance serve``: the bundled conforming server, on purpose broken with ``--fault``."""

from __future__ import annotations

from typing import Annotated

import typer

from mcp_compliance.catalog.index import known_revisions
from mcp_compliance.cli import completion
from mcp_compliance.cli.errors import UserError

EPILOG = """\
[bold]A fault, and what is found of it[/bold]

  mcp-compliance test mcp-compliance serve --stdio --fault stdout-banner
"""


def serve(
    stdio: Annotated[
        bool, typer.Option("--stdio", metavar=" ", help="Speak MCP on standard input and output.")
    ] = False,
    http: Annotated[
        int | None,
        typer.Option(
            metavar="PORT",
            min=0,
            max=65_535,
            help="Serve http://127.0.0.1:PORT/mcp; 0 takes a free port.",
            show_default=False,
        ),
    ] = None,
    auth_token: Annotated[
        list[str] | None,
        typer.Option(metavar="TOKEN", help="Over HTTP, demand this bearer token. Repeatable.", show_default="none"),
    ] = None,
    spec_version: Annotated[
        str | None,
        typer.Option(
            metavar="REVISION",
            help="Serve this revision alone.",
            show_default="all that it speaks",
            autocompletion=completion.words(*known_revisions()),
        ),
    ] = None,
    fault: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Break this one thing. Repeatable.",
            show_default="none",
            autocompletion=completion.faults,
        ),
    ] = None,
    list_faults: Annotated[
        bool,
        typer.Option("--list-faults", metavar=" ", help="Print what can be broken and which rules notice."),
    ] = False,
) -> int:
    """Start the bundled reference server. It keeps every rule, unless a fault is switched on."""
    if sum((stdio, http is not None, list_faults)) != 1:
        raise UserError("serve takes exactly one of --stdio, --http PORT and --list-faults")
    if auth_token and http is None:
        raise UserError("--auth-token goes with --http: over stdio nothing carries a token")
    from mcp_compliance.reference.command import serve as start

    argv = ["--list-faults"] if list_faults else ["--stdio"] if stdio else ["--http", str(http)]
    argv += [f"--auth-token={token}" for token in auth_token or ()]
    argv += [f"--spec-version={spec_version}"] if spec_version else []
    argv += [f"--fault={name}" for name in fault or ()]
    return start(argv, name="mcp-compliance")
