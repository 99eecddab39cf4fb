"""``mcp-compliance benchmark``: how fast a server answers its plainest request."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from mcp_compliance.catalog.index import known_revisions
from mcp_compliance.cli import completion, output
from mcp_compliance.cli import report_options as shown_option
from mcp_compliance.cli import run_options as run_option
from mcp_compliance.cli import target_options as target_option
from mcp_compliance.cli.choices import AUTO, FLAG, SHOWN, TARGET, WHAT
from mcp_compliance.cli.command import configured_target
from mcp_compliance.cli.errors import EXIT_CANNOT, EXIT_DONE, EXIT_FINDINGS, UserError, one_of

if TYPE_CHECKING:
    from mcp_compliance.model.options import RunOptions
    from mcp_compliance.suite.benchmark import Benchmark, BenchmarkOptions

FORMATS = ("terminal", "json")
MOST_REQUESTS, MOST_AT_ONCE = 100_000, 256

EPILOG = """\
[bold]Examples[/bold]

  mcp-compliance benchmark https://example.com/mcp -r 500 -c 8
  mcp-compliance benchmark -- node ./dist/server.js -r 200 -c 4
  mcp-compliance benchmark --method tools/list -- python server.py

At the very end -r N and -c N are the benchmark's even behind --, unless they
stand before -- as well: then what stands behind is the server's.

Well under a millisecond of each time is this tool's own, so compare times with
each other, on the same machine, and not with a stopwatch of the server's.

[bold]Exit codes[/bold]

  0    every request drew a result
  1    some request drew an error or no answer
  2    nothing was measured: wrong usage, or the server was not startable,
       not reachable, or refused the first contact
  130  interrupted
"""

Demo: TypeAlias = Annotated[
    bool,
    typer.Option("--demo", metavar=FLAG, help="Measure the bundled server, over stdio.", rich_help_panel=TARGET),
]
Requests: TypeAlias = Annotated[
    int,
    typer.Option(
        "-r",
        "--requests",
        metavar="N",
        min=1,
        max=MOST_REQUESTS,
        help="Requests that count. A warm-up of 3 for each that may be on its way at once comes before them.",
        rich_help_panel=WHAT,
    ),
]
AtOnce: TypeAlias = Annotated[
    int,
    typer.Option(
        "-c",
        "--concurrency",
        metavar="N",
        min=1,
        max=MOST_AT_ONCE,
        help="Requests that are on their way at the same time.",
        rich_help_panel=WHAT,
    ),
]
Method: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Send this request, without parameters, such as tools/list.",
        rich_help_panel=WHAT,
        show_default="ping, or server/discover where a revision has no ping",
    ),
]
Format: TypeAlias = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="|".join(FORMATS),
        help="Form of the figures.",
        rich_help_panel=SHOWN,
        autocompletion=completion.words(*FORMATS),
    ),
]


def benchmark(
    ctx: typer.Context,
    target: target_option.Target = None,
    demo: Demo = False,
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
    # other names than those of test: a configuration file's concurrency and format are about that
    requests: Requests = 200,
    at_once: AtOnce = 4,
    method: Method = None,
    spec_version: run_option.SpecVersion = AUTO,
    timeout: run_option.Timeout = 15_000,
    startup_timeout: run_option.StartupTimeout = None,
    preflight_timeout: run_option.PreflightTimeout = None,
    form: Format = "terminal",
    no_color: shown_option.NoColor = False,
) -> int:
    """Measure how fast an MCP server answers: latency percentiles and throughput.

    The server is met as in a test, then sent one cheap request over and over.
    """
    chosen = one_of("--format", form, FORMATS)
    revision = one_of("--spec-version", spec_version, (AUTO, *known_revisions()))
    if method is not None and (not method.strip() or method.startswith("notifications/")):
        raise UserError(f"--method {method}: name a request, such as tools/list; nothing else is answered")

    from mcp_compliance.cli.connections import notes_on
    from mcp_compliance.cli.expansion import Expansion
    from mcp_compliance.cli.target import TargetOptions, filled_address, read_target, taken_apart
    from mcp_compliance.model.options import Network, RunOptions
    from mcp_compliance.suite.benchmark import BenchmarkOptions

    saved = None if demo or target else configured_target(ctx)
    if demo and (target or mcp_config):
        raise UserError("--demo brings its own target; leave the other one out")
    network = Network(cacert, insecure, None if proxy is None else filled_address(proxy, "--proxy", Expansion()))
    given = TargetOptions(
        tuple(header or ()), header_file, auth, auth_command, network, tuple(env or ()), env_file, cwd
    )
    words = tuple(target or ())
    if mcp_config is not None:
        from mcp_compliance.cli.mcp_config import named_target

        words, saved = (), named_target(mcp_config, words)
    with ExitStack() as stack:
        if demo:
            from mcp_compliance.cli.demo import demo_target

            server = stack.enter_context(demo_target("stdio", given))
        else:
            server = read_target(words, given, saved)
        options = RunOptions(
            target=server,
            spec_version=None if revision == AUTO else revision,
            timeout=timeout,
            startup_timeout=startup_timeout,
            preflight_timeout=preflight_timeout,
            network=network,
            auth_command=() if auth_command is None else taken_apart("--auth-command", auth_command),
        )
        output.notes(notes_on(network))
        found = _measured(options, BenchmarkOptions(requests, at_once, method), people=chosen == "terminal")
    return _shown(found, chosen, no_color=no_color)


def _measured(options: RunOptions, wanted: BenchmarkOptions, *, people: bool) -> Benchmark:
    from mcp_compliance.cli.progress import ProgressListener, Watching
    from mcp_compliance.cli.running import carried_out, in_words
    from mcp_compliance.cli.termination import Termination
    from mcp_compliance.suite.benchmark import run_benchmark

    # no bar: drawing it would take its time from what is measured
    with ProgressListener(Watching(status=people)) as listener, Termination() as termination:
        try:
            return carried_out(lambda: run_benchmark(options, wanted, listener), termination)
        except UserError:
            raise
        except Exception as error:
            raise UserError(in_words(options, error, "please report it")) from error


def _shown(found: Benchmark, form: str, *, no_color: bool) -> int:
    from mcp_compliance.cli.benchmark_output import as_json, as_text, shortfall

    output.write(as_json(found) if form == "json" else as_text(found, output.style(no_color=no_color)))
    short = shortfall(found)
    if short is not None and form == "json":
        output.say(short)
    if found.error is not None:
        return EXIT_CANNOT
    return EXIT_DONE if short is None else EXIT_FINDINGS
