"""``mcp-compliance test``: grade one server, or list what would run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from mcp_compliance.catalog.index import IndexFileError, known_revisions
from mcp_compliance.cli import options as option
from mcp_compliance.cli import output
from mcp_compliance.cli.errors import EXIT_CANNOT, EXIT_DONE, UserError, one_of
from mcp_compliance.reporters import REPORTERS

# What only a run needs is imported when there is one: --help and --list are to be quick.
if TYPE_CHECKING:
    from mcp_compliance.model.options import FailOn, Target
    from mcp_compliance.model.result import Grade

EPILOG = """\
[bold]Examples[/bold]

  mcp-compliance test https://example.com/mcp --auth "Bearer TOKEN"
  mcp-compliance test npx -y @modelcontextprotocol/server-filesystem /tmp
  mcp-compliance test -E KEY=value --cwd DIR -- python server.py --verbose
  mcp-compliance test --list --transport stdio --only transport,lifecycle

[bold]Exit codes[/bold]

  0    done, and every demand of --strict, --min-grade and --fail-on is met
  1    done, and one of these demands is not met
  2    not done: wrong usage, server not startable or not reachable,
       nothing to run, or a broken rule
  130  interrupted
"""


def grade_server(
    target: option.Target = None,
    demo: option.Demo = False,
    header: option.Header = None,
    auth: option.Auth = None,
    env: option.Env = None,
    env_file: option.EnvFile = None,
    cwd: option.Cwd = None,
    spec_version: option.SpecVersion = option.AUTO,
    only: option.Only = None,
    skip: option.Skip = None,
    list_: option.List = False,
    transport: option.Transport = None,
    safe: option.Safe = False,
    only_tool: option.OnlyTool = None,
    skip_tool: option.SkipTool = None,
    allow_destructive: option.AllowDestructive = False,
    dry_run: option.DryRun = False,
    seed: option.Seed = None,
    timeout: option.Timeout = 15_000,
    startup_timeout: option.StartupTimeout = None,
    preflight_timeout: option.PreflightTimeout = None,
    retries: option.Retries = 0,
    concurrency: option.Concurrency = 1,
    format_: option.Format = "terminal",
    strict: option.Strict = False,
    min_grade: option.MinGrade = None,
    fail_on: option.FailOnOption = None,
    verbose: option.Verbose = False,
    no_color: option.NoColor = False,
) -> int:
    """Grade an MCP server against the specification: a URL, or a command that starts one.

    Prints a grade, what failed and why, and how to fix it.
    """
    form = one_of("--format", format_, tuple(REPORTERS))
    revision = one_of("--spec-version", spec_version, (option.AUTO, *known_revisions()))
    kind = None if transport is None else one_of("--transport", transport, option.TRANSPORTS)
    lowest = None if min_grade is None else one_of("--min-grade", min_grade, option.GRADES)
    failing = None if fail_on is None else one_of("--fail-on", fail_on, option.FAIL_ON)
    if demo and target:
        raise UserError("--demo brings its own target; leave the other one out")
    if kind is not None and target:
        raise UserError("--transport goes with --list or --demo; a URL is tested over HTTP, a command over stdio")
    if kind is not None and not (list_ or demo):
        raise UserError("--transport goes with --list or --demo; add one of them, or give a target in its place")
    if list_ and not target:
        return _print_list(revision, only or (), skip or (), kind, form)

    from mcp_compliance.cli.target import TargetOptions, read_target

    given = TargetOptions(tuple(header or ()), auth, tuple(env or ()), env_file, cwd)
    if list_:
        return _print_list(revision, only or (), skip or (), read_target(target or (), given).transport, form)

    from mcp_compliance.cli.gates import Gates
    from mcp_compliance.cli.running import Presentation, run
    from mcp_compliance.model.options import RunOptions, ToolConsent

    gates = Gates(strict, cast("Grade | None", lowest), cast("FailOn | None", failing))
    shown = Presentation(form, verbose=verbose, no_color=no_color)

    def graded(server: Target) -> int:
        options = RunOptions(
            target=server,
            spec_version=None if revision == option.AUTO else revision,
            timeout=timeout,
            startup_timeout=startup_timeout,
            preflight_timeout=preflight_timeout,
            retries=retries,
            only=tuple(only or ()),
            skip=tuple(skip or ()),
            concurrency=concurrency,
            seed=seed,
            tools=ToolConsent(
                safe=safe,
                allow_destructive=allow_destructive,
                only=frozenset(only_tool or ()),
                skip=frozenset(skip_tool or ()),
                dry_run=dry_run,
            ),
            forward_stderr=verbose,
        )
        return run(options, gates, shown)

    if not demo:
        return graded(read_target(target or (), given))
    from mcp_compliance.cli.demo import demo_target

    with demo_target(kind or "stdio", given) as server:
        return graded(server)


def _print_list(revision: str, only: Sequence[str], skip: Sequence[str], transport: str | None, form: str) -> int:
    from mcp_compliance.cli.listing import as_json, as_text, sections

    revisions = known_revisions() if revision == option.AUTO else (revision,)
    try:
        listed = sections(revisions, only, skip, transport)
    except IndexFileError as error:
        raise UserError(str(error)) from error
    for section in listed:
        for warning in section.selection.warnings:
            output.say(f"warning: {section.revision}: {warning}")
    output.write(as_json(listed) if form == "json" else as_text(listed))
    return EXIT_DONE if any(section.selection.kept for section in listed) else EXIT_CANNOT
