"""Rules made up by tests, played like the cases of shipped rules: a scripted server, a clock that jumps."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import mcp_compliance.rules
from mcp_compliance.catalog.compile_rule import compile_rule
from mcp_compliance.catalog.compile_values import Compiler
from mcp_compliance.catalog.load import load_revision
from mcp_compliance.catalog.positions import parse_document
from mcp_compliance.catalog.revision import Revision
from mcp_compliance.exchange.sending import Sending
from mcp_compliance.interpreter.cases import Played, play_case
from mcp_compliance.jsontypes import JSONObject

SHIPPED = Path(next(iter(mcp_compliance.rules.__path__)))
COMMON: JSONObject = {
    "format": 1,
    "id": "made-up",
    "title": "A made up rule",
    "level": "optional",
    "spec": [{"at": "basic#messages", "force": "MUST"}],
    "why": "none",
    "fix": "none",
    "pass": "met",
}


@cache
def revision(name: str = "2025-11-25") -> Revision:
    return load_revision(SHIPPED / name)


def play(rule: JSONObject, case: JSONObject | None = None) -> Played:
    """Play one case of a rule; ``rule`` and ``case`` are written as in a rule file, without what is always there."""
    whole = {"name": "made up", "verdict": "pass", **(case or {})}
    compiler = Compiler()
    made = compile_rule(compiler, {**COMMON, **rule, "cases": [whole]}, revision(), "made", Path("made-up.yaml"))
    assert compiler.problems == []
    return play_case(made, made.cases[0], revision())


def written(text: str) -> JSONObject:
    """A mapping as it stands in a rule file."""
    value = parse_document(text.encode(), Path("made-up.yaml")).value
    assert isinstance(value, dict)
    return value


def played(rule: str, case: str = "verdict: pass") -> Played:
    """Play a rule and a case that are both written as in a rule file."""
    return play(written(rule), written(case))


def sent_by(played: Played, step: str) -> list[Sending]:
    """What a step of the rule sent, in order."""
    return [exchange.sending for exchange in played.exchanges if exchange.sending.step == step]
