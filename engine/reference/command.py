"""The command line of the reference server."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from mcp_compliance.reference import dispatch
from mcp_compliance.reference.jsonrpc import JSONObject
from mcp_compliance.reference.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_compliance.reference.fault_model import Fault
    from mcp_compliance.reference.http_messages import Request, Response

    Answer = Callable[[Session, JSONObject], Iterator[JSONObject]]
    Respond = Callable[[Request], Response]
    Frame = Callable[[JSONObject], bytes]

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
        faults = _faults(options.fault, transport, bool(tokens))
        return _serve_stdio(faults) if options.stdio else _serve_http(options.http, tokens, faults)
    except _UsageError as mistake:
        print(f"{name}: {mistake}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="mcp-compliance serve",
        description="Serve the bundled reference server of MCP 2025-11-25.",
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
    parser.add_argument(
        "--fault", action="append", default=[], metavar="NAME", help="break one thing; may be given again"
    )
    return parser


def _tokens(given: Sequence[str], inherited: str | None) -> list[str]:
    tokens = [*given, *([inherited] if inherited else [])]
    if any(not token.isascii() or not token.isprintable() or not token.strip() for token in tokens):
        raise _UsageError("a token is made of printable ASCII characters; give another one")
    return tokens


def _faults(names: Sequence[str], transport: str, authorized: bool) -> list[Fault]:
    if not names:
        return []
    from mcp_compliance.reference.faults import FAULTS

    for name in names:
        if name not in FAULTS:
            near = difflib.get_close_matches(name, FAULTS, n=1)
            hint = f"did you mean {near[0]}?" if near else "--list-faults shows them"
            raise _UsageError(f"there is no fault {name}; {hint}")
        if transport not in FAULTS[name].transports:
            raise _UsageError(f"the fault {name} cannot be seen over {transport}; take the other transport")
        if FAULTS[name].needs == "auth" and not authorized:
            raise _UsageError(f"the fault {name} can only be seen with --auth-token; add one")
    return [FAULTS[name] for name in names]


def answerer(faults: Sequence[Fault]) -> Answer:
    """The dispatcher, with the faults around it."""
    answer: Answer = dispatch.answer
    for fault in faults:
        if fault.rpc is not None:
            answer = partial(fault.rpc, answer)
    return answer


def responder(url: str, tokens: Sequence[str], faults: Sequence[Fault]) -> Respond:
    """The endpoint at ``url``, with the faults around it."""
    from mcp_compliance.reference.authorization import Authorization
    from mcp_compliance.reference.endpoint import Endpoint

    respond: Respond = Endpoint(Authorization(url, tokens), answerer(faults)).respond
    for fault in faults:
        if fault.http is not None:
            respond = partial(fault.http, respond)
    return respond


def framer(faults: Sequence[Fault]) -> Frame:
    """How a message becomes a line on stdout, with the faults around it."""
    from mcp_compliance.reference.stdio import one_line

    frame: Frame = one_line
    for fault in faults:
        if fault.line is not None:
            frame = partial(fault.line, frame)
    return frame


def _serve_stdio(faults: Sequence[Fault]) -> int:
    from mcp_compliance.reference.stdio import Pipe

    try:
        Pipe(sys.stdin.buffer, sys.stdout.buffer, answerer(faults), framer(faults)).serve()
    except BrokenPipeError:
        # the interpreter would flush stdout once more on its way out, and complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _serve_http(port: int, tokens: Sequence[str], faults: Sequence[Fault]) -> int:
    from mcp_compliance.reference.http import Server

    try:
        server = Server(port)
    except (OSError, OverflowError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise _UsageError(f"cannot listen on 127.0.0.1:{port} ({reason.lower()}); choose another port") from None
    server.respond = responder(server.url, tokens, faults)
    print(f"listening on {server.url}", file=sys.stderr, flush=True)
    with server:
        server.serve_forever()
    return 0


def _list_faults() -> int:
    from mcp_compliance.reference.faults import FAULTS

    for fault in FAULTS.values():
        needs = f", needs {fault.needs}" if fault.needs else ""
        print(f"{fault.name}  [{', '.join(sorted(fault.transports))}{needs}]")
        print(f"    breaks: {fault.breaks}")
        print(f"    fails: {', '.join(fault.flips)}")
    return 0
