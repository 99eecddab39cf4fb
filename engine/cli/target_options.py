"""Options that say which server is meant, and how it is reached. Each is defined here, once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from mcp_compliance.cli.choices import FLAG, NETWORK, TARGET

Target: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TARGET",
        help="The URL of a Streamable HTTP endpoint, or the command that starts a stdio server. Options are "
        "recognised before and after it. Unknown ones behind a command belong to the command, and so does "
        "everything after --.",
        show_default=False,
    ),
]
Demo: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--demo",
        metavar=FLAG,
        help="Grade the bundled server: over stdio, or over HTTP with --transport http.",
        rich_help_panel=TARGET,
    ),
]
McpConfig: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--mcp-config",
        metavar="FILE",
        help="Take the target from this .mcp.json; TARGET is the name that it has there, which may be left out "
        "where there is only one.",
        rich_help_panel=TARGET,
        show_default="none",
    ),
]
ConfigFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Take target and options from this file; what stands on the command line wins. --no-NAME takes back "
        "what the file sets for --NAME, --no-config all of it.",
        rich_help_panel=TARGET,
        show_default="mcp-compliance.config.json and its like in the current directory",
    ),
]
Header: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "-H",
        "--header",
        metavar="'NAME: VALUE'",
        help="Send this header with every request to a URL; ${NAME} in it is taken from the environment. Repeatable.",
        rich_help_panel=TARGET,
        show_default="none",
    ),
]
HeaderFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--header-file",
        metavar="FILE",
        help="Send the headers of this file, one 'NAME: VALUE' a line; # begins a comment line.",
        rich_help_panel=TARGET,
        show_default="none",
    ),
]
Auth: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="VALUE",
        help="Short for -H 'Authorization: VALUE'; ${NAME} in it is taken from the environment.",
        rich_help_panel=TARGET,
        show_default="none",
    ),
]
AuthCommand: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--auth-command",
        metavar="COMMAND",
        help="Run this, without a shell, for the value of the Authorization header (one word alone is a Bearer token), "
        "and once more after a 401 in mid-run.",
        rich_help_panel=TARGET,
        show_default="none",
    ),
]
Env: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "-E",
        "--env",
        metavar="KEY=VALUE",
        help="Set an environment variable for the command; ${NAME} in VALUE is taken from the tool's own. "
        "Repeatable; wins over --env-file.",
        rich_help_panel=TARGET,
        show_default="none",
    ),
]
EnvFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Set the environment variables of a dotenv file, one KEY=VALUE a line.",
        rich_help_panel=TARGET,
        show_default="none",
    ),
]
Cwd: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Start the command in this directory.",
        rich_help_panel=TARGET,
        show_default="the current one",
    ),
]
CaFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--cacert",
        metavar="FILE",
        help="Trust the certificates of this PEM file in place of the usual ones.",
        rich_help_panel=NETWORK,
        show_default="the usual ones",
    ),
]
Insecure: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--insecure",
        metavar=FLAG,
        help="Do not check the server's certificate. The report says so.",
        rich_help_panel=NETWORK,
    ),
]
Proxy: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--proxy",
        metavar="URL",
        help="Send every request through this proxy (http, https or socks5), also those to loopback; ${NAME} in it is "
        "taken from the environment.",
        rich_help_panel=NETWORK,
        show_default="HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY",
    ),
]
