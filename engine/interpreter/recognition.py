"""Reads the answer by which a revision is recognised, as its file says."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_compliance.catalog.expressions import ExpressionRaised, is_true
from mcp_compliance.catalog.revision import Reading, Recognition
from mcp_compliance.catalog.values import Located
from mcp_compliance.exchange.exchange import Exchange
from mcp_compliance.interpreter.context import Context
from mcp_compliance.interpreter.render import Renderer
from mcp_compliance.interpreter.scope import Scope


@dataclass(frozen=True)
class Recognised:
    """The revision to be graded. ``undetermined``: the answer says nothing of what the server speaks."""

    revision: str
    undetermined: bool
    note: str
    warning: str | None


def read_answer(recognition: Recognition, context: Context, probe: Exchange) -> Recognised:
    """The first reading that holds; the fallback when none does. ``context`` is that of the revision which asked."""
    scope = Scope(context.revision.library, {**context.root(), "probe": probe.view})
    renderer = Renderer(context.secrets)
    for reading in recognition.readings:
        if _holds(reading.condition, scope):
            return Recognised(
                context.revision.revision if reading.selects_this else recognition.fallback,
                reading.undetermined,
                _said(reading, renderer, scope),
                None if reading.warn is None else renderer.text(reading.warn, scope),
            )
    return Recognised(recognition.fallback, True, "no reading fits the answer", None)


def _holds(condition: Located | None, scope: Scope) -> bool:
    try:
        return condition is None or is_true(scope.evaluate(condition))
    except ExpressionRaised:
        return False


def _said(reading: Reading, renderer: Renderer, scope: Scope) -> str:
    return " ".join(renderer.text(reading.note, scope).split())
