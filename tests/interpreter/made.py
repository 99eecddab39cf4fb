"""Rules made up by tests, played like the cases of shipped rules: a scripted server, a clock that jumps."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import mcp_compliance.rules
from mcp_compliance.catalog.compile_rule import compile_rule
from mcp_compliance.catalog.compile_values import Compiler
from mcp_compliance.catalog.load import load_revision
from mcp_compliance.catalog.revision import Revision
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
