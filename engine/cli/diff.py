"""``mcp-compliance diff``: what two reports say differently."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mcp_compliance.catalog.index import known_revisions
from mcp_compliance.cli import completion, input_files, output
from mcp_compliance.cli.choices import FLAG
from mcp_compliance.cli.errors import EXIT_DONE, EXIT_FINDINGS, UserError, one_of

if TYPE_CHECKING:
    from mcp_compliance.model.past_report import PastReport

FORMATS = ("terminal", "json", "markdown", "github")
STDIN = "-"

EPILOG = """\
[bold]Example[/bold]

  mcp-compliance test URL --format json > current.json
  mcp-compliance diff baseline.json current.json

[bold]Exit codes[/bold]

  0    nothing fails that passed or was skipped before
  1    something does
  2    a report that cannot be read, or reports of different revisions
"""


def diff(
    baseline: Annotated[str, typer.Argument(metavar="BASELINE", help="An earlier report, as --format json writes it.")],
    current: Annotated[str, typer.Argument(metavar="CURRENT", help="The report to hold against it; - is stdin.")],
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="|".join(FORMATS),
            help="Form of the comparison.",
            autocompletion=completion.words(*FORMATS),
        ),
    ] = FORMATS[0],
    no_color: Annotated[
        bool, typer.Option("--no-color", metavar=FLAG, help="No colours; NO_COLOR in the environment does the same.")
    ] = False,
) -> int:
    """Compare two JSON reports, and exit 1 if something fails now that did not before.

    Tests that start or stop skipping are listed, and fail nothing. Both reports are scored from their results.
    """
    form = one_of("--format", format_, FORMATS)
    if baseline == current == STDIN:
        raise UserError("only one of the two reports can come from standard input")

    from mcp_compliance.model.comparison import NotComparableError, compare
    from mcp_compliance.reporters.comparison import RENDERERS

    try:
        found = compare(_report(baseline), _report(current))
    except NotComparableError as error:
        raise UserError(str(error)) from error
    output.write(RENDERERS[form](found, output.style(no_color=no_color)))
    return EXIT_FINDINGS if found.newly_failing else EXIT_DONE


def _report(file: str) -> PastReport:
    from mcp_compliance.model.past_report import NotAReportError, read_report

    name = "standard input" if file == STDIN else file
    try:
        content = (
            sys.stdin.buffer.read() if file == STDIN else input_files.content(Path(file), input_files.LARGEST_REPORT)
        )
        report = read_report(content.decode("utf-8-sig"), name)
    except OSError as error:
        raise UserError(f"{name}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{name}: is no text in UTF-8 (byte {error.start + 1})") from error
    except NotAReportError as error:
        raise UserError(f"{name}: {error}") from error
    known = known_revisions()
    if report.spec_version not in known:
        raise UserError(
            f"{name}: grades MCP {report.spec_version}, which this version does not know; it knows {', '.join(known)}"
        )
    return report
