"""Options about the report and the exit code. Each is defined here, once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from mcp_compliance.cli import completion
from mcp_compliance.cli.choices import FAIL_ON, FLAG, GRADES, SHOWN
from mcp_compliance.reporters import REPORTERS

Format: TypeAlias = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="|".join(REPORTERS),
        help="Form of the report.",
        rich_help_panel=SHOWN,
        autocompletion=completion.words(*REPORTERS),
    ),
]
Report: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--report",
        metavar="FORMAT=FILE",
        help="Write a further report, in any format, to a file. Repeatable.",
        rich_help_panel=SHOWN,
        show_default="none",
    ),
]
Badge: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--output",
        metavar="FILE",
        help="Write an SVG badge with the grade.",
        rich_help_panel=SHOWN,
        show_default="none",
    ),
]
Evidence: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--evidence",
        metavar="FILE",
        help="Write everything sent and received behind each verdict, secrets masked, as JSON.",
        rich_help_panel=SHOWN,
        show_default="none",
    ),
]
Strict: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--strict",
        metavar=FLAG,
        help="Exit 1 if a required rule fails.",
        rich_help_panel=SHOWN,
    ),
]
MinGrade: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(GRADES),
        help="Exit 1 if the grade is below this one.",
        rich_help_panel=SHOWN,
        autocompletion=completion.words(*GRADES),
        show_default="none",
    ),
]
FailOnOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--fail-on",
        metavar="|".join(FAIL_ON),
        help="Exit 1 if a MUST is violated, a required rule fails, or any rule fails.",
        rich_help_panel=SHOWN,
        autocompletion=completion.words(*FAIL_ON),
        show_default="none",
    ),
]
ExpectedFailures: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--expected-failures",
        metavar="FILE",
        help="Exit 1 for every failure that this file does not list, one rule id a line, and for no other.",
        rich_help_panel=SHOWN,
        show_default="none",
    ),
]
Verbose: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--verbose",
        metavar=FLAG,
        help="Print PASS, FAIL or SKIP for each rule as it ends, and the server's standard error.",
        rich_help_panel=SHOWN,
    ),
]
NoColor: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--no-color",
        metavar=FLAG,
        help="No colours; NO_COLOR in the environment does the same.",
        rich_help_panel=SHOWN,
    ),
]
