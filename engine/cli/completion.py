"""Shell completion: the words that may stand where the cursor is, and ``mcp-compliance completion SHELL``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Annotated, TypeAlias

import typer

from mcp_compliance.catalog.index import IndexEntry, IndexFileError, known_revisions, load_index
from mcp_compliance.cli import output
from mcp_compliance.cli.choices import AUTO
from mcp_compliance.cli.errors import EXIT_DONE, one_of

PROGRAM = "mcp-compliance"
VARIABLE = "_MCP_COMPLIANCE_COMPLETE"
"""Set by the script in the shell: then the tool answers with words in place of doing anything."""
SHELLS = ("bash", "zsh", "fish", "powershell")

EPILOG = """\
[bold]To have it in every new shell[/bold]

  bash        echo 'eval "$(mcp-compliance completion bash)"' >> ~/.bashrc
  zsh         echo 'eval "$(mcp-compliance completion zsh)"' >> ~/.zshrc
  fish        mcp-compliance completion fish > ~/.config/fish/completions/mcp-compliance.fish
  powershell  mcp-compliance completion powershell >> $PROFILE
"""

Word: TypeAlias = tuple[str, str]
"""A word, and what shells that can show more say of it."""


def words(*known: str) -> Callable[[str], list[str]]:
    """Completes to these words."""

    def complete(incomplete: str) -> list[str]:
        return [word for word in known if word.startswith(incomplete)]

    return complete


def revisions(incomplete: str) -> list[str]:
    return words(AUTO, *known_revisions())(incomplete)


def rules_and_categories(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Of a list between commas the last word is completed; what stands before it stays, and is not offered again."""
    before, comma, last = incomplete.rpartition(",")
    said = {word.strip() for word in before.split(",")}
    return [(f"{before}{comma}{name}", about) for name, about in _names(ctx, last) if name not in said]


def rule_or_category(ctx: typer.Context, incomplete: str) -> list[Word]:
    return _names(ctx, incomplete)


def faults(incomplete: str) -> list[str]:
    """Names that ``serve --fault`` knows."""
    from mcp_compliance.reference.faults import FAULTS

    return words(*FAULTS)(incomplete)


def answer() -> None:
    """Get ready to answer a shell, if one asks: the parser then ends the program before any command begins."""
    if VARIABLE in os.environ:
        from typer._completion_classes import completion_init

        completion_init()


def completion(
    shell: Annotated[
        str,
        typer.Argument(
            metavar="|".join(SHELLS), help="The shell that the script is for.", autocompletion=words(*SHELLS)
        ),
    ],
) -> int:
    """Print a script by which a shell completes commands, options, rule ids and revisions."""
    from typer._completion_shared import get_completion_script

    chosen = one_of("SHELL", shell, SHELLS)
    output.write(get_completion_script(prog_name=PROGRAM, complete_var=VARIABLE, shell=chosen) + "\n")
    return EXIT_DONE


def _names(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Categories and rules of the revision that the line names, else of all; the titles of rules as help."""
    pinned = ctx.params.get("spec_version")
    found: dict[str, str] = {}
    for revision in known_revisions():
        if pinned in (None, AUTO, revision):
            found |= _of(_entries(revision))
    return [(name, about) for name, about in found.items() if name.startswith(incomplete)]


def _of(entries: Iterable[IndexEntry]) -> dict[str, str]:
    kept = tuple(entries)
    categories = {entry.category: "a category" for entry in kept}
    return {**categories, **{entry.id: entry.title for entry in kept}}


def _entries(revision: str) -> tuple[IndexEntry, ...]:
    try:
        return load_index(revision).entries
    except IndexFileError:  # in the middle of a line there is no place for an error
        return ()
