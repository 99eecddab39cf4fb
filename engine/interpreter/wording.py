"""The sentence of a verdict, as reports print it."""

from __future__ import annotations

from mcp_compliance.interpreter.checks import Decision


def sentence(decision: Decision) -> str:
    """A failure starts with the force of the violated sentence, or with ``advisory:`` or ``not evaluable:``."""
    if decision.verdict == "not-evaluable":
        return f"not evaluable: {decision.message}"
    if decision.verdict != "fail" or decision.force is None:
        return decision.message
    return f"{'advisory' if decision.force == 'none' else decision.force}: {decision.message}"
