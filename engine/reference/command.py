"""The command line of the reference server."""

from __future__ import annotations

import argparse
import difflib
import os
import signal
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from mcp_compliance.reference.assembly import eras_with, framer, responder
from mcp_compliance.reference.eras import LEGACY, MODERN

if TYPE_CHECKING:
    from types import FrameType

    from mcp_compliance.reference.fault_model import Fault

TOKEN_VARIABLE = "MCP_REFERENCE_TOKEN"


class _UsageError(Exception):
    """A mistake in the arguments, in one line for the user."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{message}; see --help")


def serve(argv: Sequence[str], *, name: str = "error") -> int:
    """Run the server as ``argv`` says (without a program name) until its client or the user ends it.

    Returns 0, or 2 after one line on stderr, begun with ``name``, when it could not start. Over HTTP the line
    ``listening on http://127.0.0.1:PORT/mcp`` on stderr says that it has.
    """
    try:
        options = _parser().parse_args(argv)
        if options.list_faults:
            return _list_faults()
        transport = "stdio" if options.stdio else "http"
        tokens = _tokens(options.auth_token, os.environ.get(TOKEN_VARIABLE)) if transport == "http" else []
        alone: str | None = options.spec_version
        faults = _faults(options.fault, transport, bool(tokens), alone)
        return _serve_stdio(faults, alone) if options.stdio else _serve_http(options.http, tokens, faults, alone)
    except _UsageError as mistake:
        print(f"{name}: {mistake}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="mcp-compliance serve",
        description=f"Serve the bundled reference server of MCP {LEGACY} and {MODERN}.",
        allow_abbrev=False,
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--stdio", action="store_true", help="serve one client on stdin and stdout")
    what.add_argument("--http", type=int, metavar="PORT", help="serve on this port of 127.0.0.1; 0 takes a free one")
    what.add_argument("--list-faults", action="store_true", help="list what --fault takes, and leave")
    parser.add_argument(
        "--auth-token",
        action="append",
        default=[],
        metavar="TOKEN",
        help=f"demand this bearer token over HTTP, or another given one; {TOKEN_VARIABLE} does the same",
    )
    parser.add_argument("--spec-version", choices=(LEGACY, MODERN), help="serve this revision alone, not both")
    parser.add_argument(
        "--fault", action="append", default=[], metavar="NAME", help="break one thing; may be given again"
    )
    return parser


def _tokens(given: Sequence[str], inherited: str | None) -> list[str]:
    tokens = [*given, *([inherited] if inherited else [])]
    if any(not token.isascii() or not token.isprintable() or not token.strip() for token in tokens):
        raise _UsageError("a token is made of printable ASCII characters; give another one")
    return tokens


def _faults(names: Sequence[str], transport: str, authorized: bool, alone: str | None) -> list[Fault]:
    if not names:
        return []
    from mcp_compliance.reference.faults import FAULTS

    for name in names:
        if name not in FAULTS:
            near = difflib.get_close_matches(name, FAULTS, n=1)
            hint = f"did you mean {near[0]}?" if near else "--list-faults shows them"
            raise _UsageError(f"there is no fault {name}; {hint}")
        fault = FAULTS[name]
        if transport not in fault.transports:
            raise _UsageError(f"the fault {name} cannot be seen over {transport}; take the other transport")
        if fault.needs == "auth" and not authorized:
            raise _UsageError(f"the fault {name} can only be seen with --auth-token; add one")
        if fault.needs == "alone" and alone is None:
            raise _UsageError(f"the fault {name} can only be seen with --spec-version {fault.revision}; add it")
        if alone not in (None, fault.revision):
            raise _UsageError(f"the fault {name} is one of {fault.revision}; take that --spec-version, or none")
    return [FAULTS[name] for name in names]


def _serve_stdio(faults: Sequence[Fault], alone: str | None) -> int:
    from mcp_compliance.reference.stdio import Pipe

    try:
        Pipe(sys.stdin.buffer, sys.stdout.buffer, eras_with(faults, alone).answer, framer(faults)).serve()
    except BrokenPipeError:
        # the interpreter would flush stdout once more on its way out, and complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _serve_http(port: int, tokens: Sequence[str], faults: Sequence[Fault], alone: str | None) -> int:
    from mcp_compliance.reference.authorization import Authorization
    from mcp_compliance.reference.endpoint import Endpoint
    from mcp_compliance.reference.http import Server

    try:
        server = Server(port)
    except (OSError, OverflowError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise _UsageError(f"cannot listen on 127.0.0.1:{port} ({reason.lower()}); choose another port") from None
    endpoint = Endpoint(Authorization(server.url, tokens), eras_with(faults, alone))
    server.respond = responder(endpoint.respond, faults)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end)
    print(f"listening on {server.url}", file=sys.stderr, flush=True)
    with server:
        try:
            server.serve_forever()
        finally:
            endpoint.close()
    return 0


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """Leave as on Ctrl+C, so that open streams can be ended properly."""
    raise KeyboardInterrupt


def _list_faults() -> int:
    from mcp_compliance.reference.faults import FAULTS

    for fault in FAULTS.values():
        seen = [fault.revision, *sorted(fault.transports), *([f"needs {fault.needs}"] if fault.needs else [])]
        print(f"{fault.name}  [{', '.join(seen)}]")
        print(f"    breaks: {fault.breaks}")
        print(f"    fails: {', '.join(fault.flips)}")
    return 0
