"""``mcp-compliance test``: grade one server, or list what would run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, cast

import typer

from mcp_compliance.catalog.index import IndexFileError, known_revisions
from mcp_compliance.cli import output
from mcp_compliance.cli import report_options as shown_option
from mcp_compliance.cli import run_options as run_option
from mcp_compliance.cli import target_options as target_option
from mcp_compliance.cli.choices import AUTO, FAIL_ON, GRADES, TRANSPORTS
from mcp_compliance.cli.command import configured_target
from mcp_compliance.cli.errors import EXIT_CANNOT, EXIT_DONE, UserError, one_of
from mcp_compliance.reporters import REPORTERS

# What only a run needs is imported when there is one: --help and --list are to be quick.
if TYPE_CHECKING:
    from mcp_compliance.model.options import FailOn
    from mcp_compliance.model.result import Grade

UNWATCHED = ("json", "ndjson", "sarif", "github", "junit")
"""Formats that a program reads, for which a second report in the same stream would be no report at all."""

EPILOG = """\
[bold]Examples[/bold]

  mcp-compliance test https://example.com/mcp --auth "Bearer TOKEN"
  mcp-compliance test npx -y @modelcontextprotocol/server-filesystem /tmp
  mcp-compliance test -E KEY=value --cwd DIR -- python server.py --verbose
  mcp-compliance test --list --transport stdio --only transport,lifecycle

[bold]Exit codes[/bold]

  0    done, and every demand of --strict, --min-grade, --fail-on and
       --expected-failures is met
  1    done, and one of these demands is not met
  2    not done: wrong usage, server not startable or not reachable,
       nothing to run, or a broken rule
  130  interrupted
"""


def grade_server(
    ctx: typer.Context,
    target: target_option.Target = None,
    demo: target_option.Demo = False,
    mcp_config: target_option.McpConfig = None,
    config: target_option.ConfigFile = None,
    header: target_option.Header = None,
    header_file: target_option.HeaderFile = None,
    auth: target_option.Auth = None,
    auth_command: target_option.AuthCommand = None,
    env: target_option.Env = None,
    env_file: target_option.EnvFile = None,
    cwd: target_option.Cwd = None,
    cacert: target_option.CaFile = None,
    insecure: target_option.Insecure = False,
    proxy: target_option.Proxy = None,
    spec_version: run_option.SpecVersion = AUTO,
    only: run_option.Only = None,
    skip: run_option.Skip = None,
    list_: run_option.List = False,
    transport: run_option.Transport = None,
    safe: run_option.Safe = False,
    only_tool: run_option.OnlyTool = None,
    skip_tool: run_option.SkipTool = None,
    allow_destructive: run_option.AllowDestructive = False,
    dry_run: run_option.DryRun = False,
    seed: run_option.Seed = None,
    timeout: run_option.Timeout = 15_000,
    startup_timeout: run_option.StartupTimeout = None,
    preflight_timeout: run_option.PreflightTimeout = None,
    retries: run_option.Retries = 0,
    concurrency: run_option.Concurrency = 1,
    watch: run_option.Watch = False,
    format_: shown_option.Format = "terminal",
    reports: shown_option.Report = None,
    badge: shown_option.Badge = None,
    evidence: shown_option.Evidence = None,
    strict: shown_option.Strict = False,
    min_grade: shown_option.MinGrade = None,
    fail_on: shown_option.FailOnOption = None,
    expected_failures: shown_option.ExpectedFailures = None,
    verbose: shown_option.Verbose = False,
    no_color: shown_option.NoColor = False,
) -> int:
    """Grade an MCP server against the specification: a URL, or a command that starts one.

    Prints a grade, what failed and why, and how to fix it.
    """
    form = one_of("--format", format_, tuple(REPORTERS))
    revision = one_of("--spec-version", spec_version, (AUTO, *known_revisions()))
    kind = None if transport is None else one_of("--transport", transport, TRANSPORTS)
    lowest = None if min_grade is None else one_of("--min-grade", min_grade, GRADES)
    failing = None if fail_on is None else one_of("--fail-on", fail_on, FAIL_ON)
    saved = None if demo or target else configured_target(ctx)
    if demo and (target or mcp_config):
        raise UserError("--demo brings its own target; leave the other one out")
    if kind is not None and target:
        raise UserError("--transport goes with --list or --demo; a URL is tested over HTTP, a command over stdio")
    if kind is not None and not (list_ or demo):
        raise UserError("--transport goes with --list or --demo; add one of them, or give a target in its place")
    if list_ and (kind is not None or not (target or mcp_config or saved)):
        return _print_list(revision, only or (), skip or (), kind, form)

    from mcp_compliance.cli.connections import notes_on
    from mcp_compliance.cli.expansion import Expansion
    from mcp_compliance.cli.target import TargetOptions, filled_address, read_target
    from mcp_compliance.model.options import Network, RunOptions, ToolConsent

    if proxy is not None and not list_:
        proxy = filled_address(proxy, "--proxy", Expansion())
    network = Network(cacert, insecure, proxy)
    given = TargetOptions(
        tuple(header or ()), header_file, auth, auth_command, network, tuple(env or ()), env_file, cwd
    )
    words = tuple(target or ())
    if mcp_config is not None:
        from mcp_compliance.cli.mcp_config import named_target

        words, saved = (), named_target(mcp_config, words)
    if list_:
        # Nothing is connected, so nothing of the environment is needed.
        listed = saved.transport if saved is not None and not words else read_target(words, given).transport
        return _print_list(revision, only or (), skip or (), listed, form)

    from mcp_compliance.cli.expectations import read_expectations
    from mcp_compliance.cli.gates import Gates
    from mcp_compliance.cli.report_files import distinct, report_files, writable
    from mcp_compliance.cli.running import Presentation, run

    gates = Gates(
        strict,
        cast("Grade | None", lowest),
        cast("FailOn | None", failing),
        None if expected_failures is None else read_expectations(expected_failures),
    )
    if evidence is not None:
        writable("--evidence", evidence)
    files = report_files(reports or (), badge)
    distinct(
        [(file.option, file.path) for file in files] + ([] if evidence is None else [("--evidence", evidence)]),
        [
            ("--expected-failures", expected_failures),
            ("--header-file", header_file),
            ("--env-file", env_file),
            ("--mcp-config", mcp_config),
        ],
    )
    shown = Presentation(form, files, evidence, verbose=verbose, no_color=no_color)
    with ExitStack() as stack:
        if demo:
            from mcp_compliance.cli.demo import demo_target

            server = stack.enter_context(demo_target(kind or "stdio", given))
        else:
            server = read_target(words, given, saved)
        options = RunOptions(
            target=server,
            spec_version=None if revision == AUTO else revision,
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
            network=network,
            auth_command=_command_of(auth_command),
            keep_exchanges=evidence is not None,
        )
        output.notes(notes_on(network))
        if watch:
            if server.transport != "stdio" or form in UNWATCHED:
                raise UserError(_why_not_watched(server.transport, form))
            from mcp_compliance.cli.watch import watch_and_run

            demands = {
                "--strict": strict,
                "--min-grade": min_grade,
                "--fail-on": fail_on,
                "--expected-failures": expected_failures,
            }
            if unused := [name for name, given in demands.items() if given]:
                output.notes([f"--watch ends with no verdict, so {', '.join(unused)} changes nothing"])
            return watch_and_run(options, shown)
        return run(options, gates, shown)


def _command_of(line: str | None) -> tuple[str, ...]:
    if line is None:
        return ()
    from mcp_compliance.cli.target import taken_apart

    return taken_apart("--auth-command", line)


def _why_not_watched(transport: str, form: str) -> str:
    if transport != "stdio":
        return "--watch goes with a command: a server at a URL is not restarted when a file changes"
    kept = ", ".join(name for name in REPORTERS if name not in UNWATCHED)
    return f"--watch does not go with --format {form}, which holds one report; choose one of {kept}"


def _print_list(revision: str, only: Sequence[str], skip: Sequence[str], transport: str | None, form: str) -> int:
    from mcp_compliance.cli.listing import as_json, as_text, sections

    revisions = known_revisions() if revision == AUTO else (revision,)
    try:
        listed = sections(revisions, only, skip, transport)
    except IndexFileError as error:
        raise UserError(str(error)) from error
    output.write(as_json(listed) if form == "json" else as_text(listed))
    return EXIT_DONE if any(section.selection.kept for section in listed) else EXIT_CANNOT
