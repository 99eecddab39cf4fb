"""``mcp-compliance init``: writes a configuration file, by asking or from what the command line says."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from mcp_compliance.catalog.index import known_revisions
from mcp_compliance.cli import init_questions as ask
from mcp_compliance.cli import init_secrets, output
from mcp_compliance.cli.arguments import is_url
from mcp_compliance.cli.choices import AUTO, FLAG, TRANSPORTS
from mcp_compliance.cli.config_fields import OWN_NAME, SCHEMA_ID, SCHEMA_KEY, TARGET
from mcp_compliance.cli.errors import EXIT_DONE, UserError, one_of
from mcp_compliance.cli.init_questions import Questions
from mcp_compliance.jsontypes import JSONObject

EPILOG = """\
[bold]Examples[/bold]

  mcp-compliance init
  mcp-compliance init --yes https://example.com/mcp -H 'Authorization: Bearer ${TOKEN}'
  mcp-compliance init --yes --strict -E LOG_LEVEL=error -- node ./server.js
"""
DEFAULT_TIMEOUT = 15_000
_ENDS = "Enter for no more"


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
            show_default=str(DEFAULT_TIMEOUT),
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
    questions = Questions(asks=not yes)
    try:
        document: JSONObject = {
            SCHEMA_KEY: SCHEMA_ID,
            TARGET: _target(tuple(target or ()), tuple(header or ()), tuple(env or ()), questions),
            "timeout": timeout or questions.answer("Timeout in milliseconds", str(DEFAULT_TIMEOUT), ask.milliseconds),
            "specVersion": revision or questions.answer(f"MCP revision ({ask.revisions()})", AUTO, ask.revision),
            "strict": questions.confirm("Exit 1 if a required rule fails?") if strict is None else strict,
        }
    except typer.Abort:
        print(file=sys.stderr)  # the question has not ended its line
        raise KeyboardInterrupt from None
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: not written: {error.strerror or error}") from error
    output.say(f"wrote {path}")
    unset = [name for name in init_secrets.references(text) if not os.environ.get(name)]
    if unset:
        output.say(f"set in the environment before a run: {', '.join(unset)}")
    output.say("next: mcp-compliance test")
    return EXIT_DONE


def _target(words: Sequence[str], headers: Sequence[str], env: Sequence[str], questions: Questions) -> JSONObject:
    if not words:
        kind = questions.answer(f"Transport ({', '.join(TRANSPORTS)})", "stdio", ask.transport)
        if kind == "http":
            words = (questions.answer("URL of the server", "", ask.url),)
        else:
            words = questions.answer("Command that starts the server", "", ask.command)
    elif len(words) == 1 and not is_url(words[0]):
        words = ask.command(words[0])
    if is_url(words[0]):
        return _http(words, headers, env, questions)
    if headers:
        raise UserError("-H/--header goes with a URL, and the target is a command")
    pairs = [ask.pair(pair) for pair in env] or questions.answers(f"Environment variable KEY=VALUE ({_ENDS})", ask.pair)
    variables: JSONObject = {name: init_secrets.environment(name, text, questions.variable) for name, text in pairs}
    written = init_secrets.arguments(words, questions.variable)
    target: JSONObject = {"type": "stdio", "command": written[0], "args": list(written[1:])}
    return {**target, "env": variables} if variables else target


def _http(words: Sequence[str], headers: Sequence[str], env: Sequence[str], questions: Questions) -> JSONObject:
    if env:
        raise UserError("-E/--env goes with a command, and the target is a URL")
    if len(words) > 1:
        raise UserError(f"unexpected argument {words[1]} after the URL")
    question = f"Header 'Name: value' ({_ENDS})"
    lines = [ask.header_line(line) for line in headers] or questions.answers(question, ask.header_line)
    given: JSONObject = {name: init_secrets.header(name, text, questions.variable) for name, text in lines}
    target: JSONObject = {"type": "http", "url": init_secrets.address(words[0], questions.variable)}
    return {**target, "headers": given} if given else target
