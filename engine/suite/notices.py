"""Warnings about the run as a whole."""

from __future__ import annotations

from mcp_compliance.attribution.sentences import LONGEST_QUOTE
from mcp_compliance.catalog.closest_word import suggestion
from mcp_compliance.catalog.expressions import ExpressionRaised, is_true
from mcp_compliance.facts.printable import brief, shorten
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.picks import DESTRUCTIVE
from mcp_compliance.interpreter.render import Renderer
from mcp_compliance.interpreter.scope import Scope
from mcp_compliance.jsontypes import JSON

MOST_NAMED = 20
"""Tools that one warning names."""
LONGEST_NAME = 80


def notices(context: Context, *, caveats: bool) -> list[str]:
    """The revision's own notices that hold: its caveats, or all others."""
    scope = _scope(context)
    renderer = Renderer(context.secrets)
    said = []
    for notice in context.revision.notices:
        if notice.caveat is not caveats:
            continue
        try:
            if is_true(scope.evaluate(notice.condition)):
                said.append(renderer.text(notice.say, scope))
        except ExpressionRaised:
            continue
    return said


def stray_words(context: Context) -> str:
    """Of a stdio server that said nothing else: what its first line was, as the end of a sentence; else empty.

    A banner, a stack trace or a log on stdout is the usual reason, and the words say which.
    """
    received = context.recorder.view()["received"]
    strays = [item for item in received if isinstance(item, dict)] if isinstance(received, list) else []
    first = next((item["raw"] for item in strays if item["kind"] == "stray" and item["raw"]), None)
    if context.transport != "stdio" or not isinstance(first, str) or not first.strip():
        return ""
    return f'; its stdout carried a line that is no JSON-RPC message: "{shorten(first.strip(), LONGEST_QUOTE)}"'


def run_warnings(context: Context) -> list[str]:
    """What the reader of a report has to know about how it came about."""
    said = []
    moved = context.starter.redirected_to
    if moved is not None:
        said.append(f"{context.endpoint} redirects to {moved}; the run went there. Configure that address.")
    said += _unlisted(context)
    over = _never_called(context)
    if over:
        tools = ", ".join(f"{brief(name, LONGEST_NAME)} ({why})" for name, why in list(over.items())[:MOST_NAMED])
        if len(over) > MOST_NAMED:
            tools += f" and {len(over) - MOST_NAMED} more"
        hint = " --allow-destructive lets destructive ones be called." if DESTRUCTIVE in over.values() else ""
        said.append(f"Tools passed over: {tools}.{hint}")
    missed = context.recorder.left_out
    if missed and context.planned:  # a benchmark has no rules
        said.append(f"The recording was full: rules that look at all messages did not see {missed} of them.")
    return said


def _scope(context: Context) -> Scope:
    names: dict[str, JSON] = {**context.root(), **context.answered()}
    names["recording"] = context.recorder.view()
    names["probe"] = None if context.probe is None else context.probe.view
    return Scope(context.revision.library, names)


def _unlisted(context: Context) -> list[str]:
    """Tools that the user named and the server does not list: a slip there would go unseen, and --skip-tool protect
    nothing. Empty when this run listed none.
    """
    located = context.revision.picks.get("tool")
    named = [
        *(("--only-tool", name) for name in context.consent.only),
        *(("--skip-tool", name) for name in context.consent.skip),
    ]
    if located is None or not named:
        return []
    try:
        items = _scope(context).evaluate(located)
    except ExpressionRaised:
        return []
    tools = [str(item.get("name")) for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    said = []
    for option, name in sorted(named):
        if tools and name not in tools:
            said.append(f"{option} {name}: the server lists no such tool{suggestion(name, tools)}")
    return said


def _never_called(context: Context) -> dict[str, str]:
    """Tools that safety left out of some pick and that no other pick called, with the reason."""
    sent = context.recorder.view()["sent"]
    called = set()
    for entry in sent if isinstance(sent, list) else []:
        params = entry.get("params") if isinstance(entry, dict) and entry.get("method") == "tools/call" else None
        called.add(str(params.get("name")) if isinstance(params, dict) else "")
    return {name: why for name, why in sorted(context.passed_over.items()) if name not in called}
