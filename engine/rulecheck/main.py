"""Entry of the ``rulecheck`` command."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import typer
from typer.main import get_command

from mcp_compliance.cli.output import is_terminal, write
from mcp_compliance.cli.parser_errors import in_our_words
from mcp_compliance.rulecheck.errors import CannotError

NAME = "rulecheck"
EXIT_CLEAN, EXIT_FINDINGS, EXIT_CANNOT = 0, 1, 2
_HELP = {"help_option_names": ["-h", "--help"]}
_ROOT = "Folder of the revisions; default: the rules folder of this checkout, else the installed rules."

app = typer.Typer(
    name=NAME,
    help=(
        "Check rule files before they are used. Words that are no command are paths to check: "
        "`rulecheck rules/` is short for `rulecheck check rules/`. "
        "Exit code 0: clean; 1: findings; 2: the checker failed, or there was no rule to check."
    ),
    context_settings=_HELP,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


@app.command("check")
def check(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Rule files, categories, revisions, or folders of them; "
            "default: the rules folder of this checkout, else the installed rules."
        ),
    ] = None,
    output_format: Annotated[str, typer.Option("--format", help="text, json or github.")] = "text",
    drop_checks: Annotated[
        bool,
        typer.Option("--drop-checks", help="Also take out each check alone and want a case to notice (slow)."),
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on: check a rule again and play its cases whenever it is saved.")
    ] = False,
) -> int:
    """Report everything that is wrong with rule files."""
    from mcp_compliance.rulecheck.check import NothingToCheckError, check_paths
    from mcp_compliance.rulecheck.lookup import default_root
    from mcp_compliance.rulecheck.render import FORMATS, summary

    if output_format not in FORMATS:
        raise CannotError(f"--format {output_format}: choose one of {', '.join(FORMATS)}")
    if watch:
        return _watch(paths or [default_root()], plain=output_format == "text" and not drop_checks)
    try:
        with _patience():
            checked = check_paths(paths or [default_root()], drop_checks=drop_checks)
    except NothingToCheckError as error:
        raise CannotError(str(error)) from error
    write(FORMATS[output_format](checked))
    print(f"{NAME}: {summary(checked)}", file=sys.stderr)
    return EXIT_FINDINGS if checked.findings else EXIT_CLEAN


@app.command("fmt")
def fmt(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Rule files or folders of them; default: as for check."),
    ] = None,
    check_only: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit code 1 when a file is laid out otherwise.")
    ] = False,
) -> int:
    """Lay rule files out as the shipped ones are; comments and meaning stay."""
    from mcp_compliance.rulecheck.formatting import CannotFormatError, format_files
    from mcp_compliance.rulecheck.lookup import default_root
    from mcp_compliance.rulecheck.render import counted, shown_path

    try:
        found = format_files(paths or [default_root()], check=check_only)
    except CannotFormatError as error:
        raise CannotError(str(error)) from error
    write("".join(f"{shown_path(path)}\n" for path in found.changed))
    for problem in found.problems:
        print(f"{NAME}: {problem}", file=sys.stderr)
    done = "would be formatted" if check_only else "formatted"
    print(f"{NAME}: {counted(found.files, 'rule')}, {len(found.changed)} {done}", file=sys.stderr)
    nothing = not found.files and not any(path.is_file() for path in paths or ())
    if found.problems or nothing:
        return EXIT_CANNOT
    return EXIT_FINDINGS if check_only and found.changed else EXIT_CLEAN


@app.command("explain")
def explain(code: Annotated[str, typer.Argument(help="A code such as R5; all of them without one.")] = "") -> int:
    """Say what a code is about and what to do."""
    from mcp_compliance.rulecheck.codes import CODES
    from mcp_compliance.rulecheck.nearest import known_or_nearest

    if code and code.upper() not in CODES:
        raise CannotError(f"no code {code}; {known_or_nearest(code, CODES, 'codes')}")
    for name, about in CODES.items():
        if code.upper() in ("", name):
            write(f"{name}  {about.title}\n{about.text}\n\n")
    return EXIT_CLEAN


@app.command("new")
def new(
    rule_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the rule.")],
    revision: Annotated[str, typer.Option(help="Revision; default: the newest that knows the id.")] = "",
    category: Annotated[str, typer.Option(help="Category; needed when no catalogue lists the id.")] = "",
    rules: Annotated[Path | None, typer.Option(help=_ROOT)] = None,
) -> int:
    """Write the skeleton of a rule; nothing is overwritten."""
    from mcp_compliance.rulecheck.lookup import revision_for
    from mcp_compliance.rulecheck.skeleton import SkeletonError, write_skeleton

    of = revision_for(rule_id, revision, rules)
    try:
        path = write_skeleton(rule_id, of, category or None)
    except SkeletonError as error:
        raise CannotError(str(error)) from error
    write(f"{path}\n")
    steps = (
        ""
        if any(rule_id in ids for ids in of.catalogue.values())
        else f"add it to catalogue: in {of.folder}/_revision.yaml, "
    )
    print(f"{NAME}: {steps}write what says FILL IN, then: rulecheck {path}", file=sys.stderr)
    return EXIT_CLEAN


@app.command("play")
def play(
    rule_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the rule, or its file.")],
    case: Annotated[str, typer.Option(help="Only the case of this name.")] = "",
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Each exchange, and the value of each check.")
    ] = False,
    revision: Annotated[str, typer.Option(help="Revision; default: the newest that has the rule.")] = "",
    rules: Annotated[Path | None, typer.Option(help=_ROOT)] = None,
) -> int:
    """Play the cases of a rule. ! marks the check that decides, ~ one that only warns."""
    from mcp_compliance.rulecheck.lookup import rule_for
    from mcp_compliance.rulecheck.nearest import known_or_nearest
    from mcp_compliance.rulecheck.playing import play as play_cases

    found, of = rule_for(rule_id, revision, rules)
    cases = [one for one in found.cases if case in ("", one.name)]
    if not cases:
        hint = known_or_nearest(case, [one.name for one in found.cases], "cases")
        raise CannotError(f"{found.id} has no case {case}; {hint}")
    output, right = play_cases(found, cases, of, verbose=verbose)
    write(output)
    return EXIT_CLEAN if right else EXIT_FINDINGS


@app.command("record")
def record(
    rule_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the rule, or its file.")],
    target: Annotated[
        list[str], typer.Argument(metavar="TARGET", help="A URL, or a command (options of it after --).")
    ],
    header: Annotated[list[str] | None, typer.Option("-H", "--header", help="Send this header to a URL.")] = None,
    auth: Annotated[str | None, typer.Option(help="Short for -H 'Authorization: VALUE'.")] = None,
    revision: Annotated[str, typer.Option(help="Revision; default: the newest that has the rule.")] = "",
    rules: Annotated[Path | None, typer.Option(help=_ROOT)] = None,
) -> int:
    """Run a rule against a live server and print what it drew as a new case, with secrets masked."""
    from mcp_compliance.cli.errors import UserError
    from mcp_compliance.cli.target import TargetOptions, read_target
    from mcp_compliance.rulecheck.lookup import loaded_rule_for
    from mcp_compliance.rulecheck.recorded_case import case_text
    from mcp_compliance.rulecheck.recording import record as record_case

    loaded, of = loaded_rule_for(rule_id, revision, rules)
    try:
        read = read_target(target, TargetOptions(headers=tuple(header or ()), auth=auth))
    except UserError as error:
        raise CannotError(str(error)) from error
    found = record_case(loaded, of, read)
    write(case_text(found.case))
    if found.replayed != found.case["verdict"]:
        print(f"{NAME}: played, this case is {found.replayed}: {found.message}", file=sys.stderr)
        return EXIT_FINDINGS
    return EXIT_CLEAN


@app.command("index")
def index(
    rules: Annotated[Path | None, typer.Option(help=_ROOT)] = None,
) -> int:
    """Write the index that ships beside the rules of each revision, and the catalogue of all for programs."""
    from mcp_compliance.catalog.catalogue_build import FILE, catalogue_text
    from mcp_compliance.catalog.index import INDEX_FILE
    from mcp_compliance.catalog.index_build import index_text
    from mcp_compliance.catalog.positions import DocumentError
    from mcp_compliance.rulecheck.lookup import catalogues

    found = list(catalogues(rules))
    texts = {catalogue.revision.folder / INDEX_FILE: index_text(catalogue) for catalogue in found}
    try:
        texts[found[0].revision.folder.parent / FILE] = catalogue_text(found)
    except DocumentError as error:
        raise CannotError(str(error).splitlines()[0]) from error
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8", newline="\n")
        write(f"{path}\n")
    return EXIT_CLEAN


@app.command("drift")
def drift(
    older: Annotated[str, typer.Argument(help="A revision; default: the second newest.")] = "",
    newer: Annotated[str, typer.Argument(help="Another; default: the newest.")] = "",
    output_format: Annotated[str, typer.Option("--format", help="text or json.")] = "text",
    rules: Annotated[Path | None, typer.Option(help=_ROOT)] = None,
) -> int:
    """Say what differs between the rules that two revisions share by id."""
    from mcp_compliance.catalog.positions import DocumentError
    from mcp_compliance.rulecheck.drift import as_json, as_text, drifts
    from mcp_compliance.rulecheck.lookup import two_folders

    if output_format not in ("text", "json"):
        raise CannotError(f"--format {output_format}: choose one of text, json")
    left, right = two_folders(older, newer, rules)
    try:
        found = list(drifts(left, right))
    except DocumentError as error:
        raise CannotError(str(error).splitlines()[0]) from error
    write((as_json if output_format == "json" else as_text)(found, left.name, right.name))
    return EXIT_CLEAN


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. A user's mistake is one line on standard error."""
    words = list(sys.argv[1:] if argv is None else argv)
    command = get_command(app)
    commands = getattr(command, "commands", {})
    if not words or (words[0] not in commands and words[0] not in ("-h", "--help")):
        words.insert(0, "check")
    try:
        code = command.main(args=words, prog_name=NAME, standalone_mode=False)
    except CannotError as error:
        return _refuse(str(error))
    except typer.TyperException as error:
        return _refuse(in_our_words(error))
    except Exception:
        # Python would end with 1, which means findings.
        traceback.print_exc()
        return _refuse("the checker itself failed, please report it with the lines above")
    return int(code or 0)


def _watch(paths: Sequence[Path], *, plain: bool) -> int:
    from mcp_compliance.rulecheck.watching import changes_of, watch_rules

    if not plain:
        raise CannotError("--watch shows text and drops no checks; leave the other option out")
    missing = next((path for path in paths if not path.exists()), None)
    if missing is not None:
        raise CannotError(f"{missing}: no such file or folder")
    with suppress(KeyboardInterrupt):
        changes = changes_of(paths)
        next(changes)
        watch_rules(paths, changes, terminal=is_terminal(sys.stdout))
    return EXIT_CLEAN


@contextmanager
def _patience() -> Iterator[None]:
    """Playing every case takes seconds; whoever waits at a terminal is told what for."""
    terminal = is_terminal(sys.stderr)
    if terminal:
        print("reading rules and playing their cases ...", end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        if terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _refuse(message: str) -> int:
    print(f"{NAME}: {' '.join(message.split())}", file=sys.stderr)
    return EXIT_CANNOT


if __name__ == "__main__":
    sys.exit(main())
