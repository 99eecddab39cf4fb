"""The bounds and fixed numbers that the page mentions, from where they are set."""

from __future__ import annotations

from reference_words import revisions

from mcp_compliance.catalog.compile_steps import MOST_ROUNDS
from mcp_compliance.catalog.functions.declare import LIST_LIMIT, TEXT_LIMIT
from mcp_compliance.interpreter.fixtures import LONGEST_WALK, MOST_PAGES
from mcp_compliance.interpreter.render import LONGEST
from mcp_compliance.interpreter.session_keeper import MOST_REOPENED
from mcp_compliance.rulecheck.documents import MOST_LINES
from mcp_compliance.suite.attempts import LEAST_LIMIT, TIMEOUTS
from mcp_compliance.suite.lifeline import MOST_FAILED_RESTARTS, MOST_HANGS, MOST_MUTE

SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(name: str) -> str:
    """A number as prose has it: small counts in words, thousands set apart. Raises ``KeyError``."""
    newest = revisions()[-1]
    counts = {
        "hangs-in-a-row": MOST_MUTE,
        "hangs": MOST_HANGS,
        "failed-restarts": MOST_FAILED_RESTARTS,
        "reopened": MOST_REOPENED,
    }
    if name in counts:
        return SMALL[counts[name]]
    figures: dict[str, float] = {
        "lines": MOST_LINES,
        "rule-seconds": LEAST_LIMIT,
        "rule-timeouts": TIMEOUTS,
        "pages": MOST_PAGES,
        "walk-seconds": LONGEST_WALK,
        "rounds": MOST_ROUNDS,
        "filled-in": LONGEST,
        "text": TEXT_LIMIT,
        "list": LIST_LIMIT,
        "first-id": newest.envelope.first_id,
        "resend-seconds": newest.credit.resend.at_most,
    }
    return f"{figures[name]:,g}".replace(",", " ") if figures[name] >= 10_000 else f"{figures[name]:g}"
