"""``mcp-compliance explain``: what a test checks, why it matters, and what to do when it fails."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from mcp_compliance.catalog.index import IndexFileError, known_revisions
from mcp_compliance.cli import completion, output
from mcp_compliance.cli.choices import AUTO, FLAG
from mcp_compliance.cli.errors import EXIT_DONE, UserError, one_of

FORMATS = ("terminal", "json")

EPILOG = f"""\
[bold]Examples[/bold]

  mcp-compliance explain ID
  mcp-compliance explain ID --spec-version {next(iter(known_revisions()), "DATE")}
  mcp-compliance explain security
"""


def explain(
    name: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="A test, as a report names it; or a category.",
            autocompletion=completion.rule_or_category,
        ),
    ],
    spec_version: Annotated[
        str,
        typer.Option(
            metavar="VERSION",
            help="MCP revision whose test is meant.",
            show_default="every one that has the test",
            autocompletion=completion.revisions,
        ),
    ] = AUTO,
    format_: Annotated[
        str,
        typer.Option(
            "--format", metavar="|".join(FORMATS), help="Form of the text.", autocompletion=completion.words(*FORMATS)
        ),
    ] = FORMATS[0],
    no_color: Annotated[
        bool, typer.Option("--no-color", metavar=FLAG, help="No colours; NO_COLOR in the environment does the same.")
    ] = False,
) -> int:
    """Explain one test: what is sent, why it matters, what to change, and the specification's own page.

    An id that several revisions share is explained once for each, with a note on how they differ.
    """
    if not name.strip():
        raise UserError("explain needs the id of a test, as a report names it; mcp-compliance test --list shows all")
    form = one_of("--format", format_, FORMATS)
    revision = one_of("--spec-version", spec_version, (AUTO, *known_revisions()))

    from mcp_compliance.catalog import explanation
    from mcp_compliance.catalog.explanation_text import as_document, as_text

    try:
        found = explanation.explain(name.strip(), None if revision == AUTO else revision)
    except (explanation.UnknownRuleError, IndexFileError) as error:
        raise UserError(str(error)) from error
    if form == "json":
        output.write(json.dumps(as_document(found), indent=2, ensure_ascii=False) + "\n")
    else:
        output.write(as_text(found, output.style(no_color=no_color)))
    return EXIT_DONE
