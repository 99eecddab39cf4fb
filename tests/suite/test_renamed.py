"""No Python knows a rule or a revision: under other names the same rules come to the same verdicts."""

from __future__ import annotations

import json
import random
import re
import shutil
import string
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio

import mcp_compliance.rules
from mcp_compliance.catalog.index import known_revisions
from mcp_compliance.model.events import Silence
from mcp_compliance.model.options import HttpTarget, RunOptions, StdioTarget, Target
from mcp_compliance.model.result import Report
from mcp_compliance.suite.run import run_suite

SHIPPED = Path(next(iter(mcp_compliance.rules.__path__)))
REFERENCE = (sys.executable, "-m", "mcp_compliance.reference")


def renamed(revision: str, target: Path, rng: random.Random) -> tuple[Path, dict[str, str]]:
    """A copy of a revision's rules with every id and the revision's own name replaced by made-up ones."""

    def made_up() -> str:
        return "r" + "".join(rng.choices(string.ascii_lowercase, k=12))

    shutil.copytree(SHIPPED, target, ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    folder = target / revision
    for other in target.glob("*/_revision.yaml"):
        if other.parent != folder:
            shutil.rmtree(other.parent)
    names = {path.stem: made_up() for path in sorted(folder.glob("*/*.yaml"))}
    word = re.compile(r"(?<![\w-])(" + "|".join(sorted(map(re.escape, names), key=len, reverse=True)) + r")(?![\w-])")
    for path in [*sorted(folder.rglob("*.yaml")), folder / "_index.json"]:
        text = word.sub(lambda match: names[match[1]], path.read_text(encoding="utf-8"))
        if path.name == "_revision.yaml":
            text = re.sub(r"^revision: .*$", "revision: sometime", text, flags=re.MULTILINE)
        path.write_text(text, encoding="utf-8")
        if path.stem in names:
            path.rename(path.with_name(f"{names[path.stem]}.yaml"))
    index = json.loads((folder / "_index.json").read_text(encoding="utf-8"))
    (folder / "_index.json").write_text(json.dumps({**index, "revision": "sometime"}), encoding="utf-8")
    folder.rename(target / "sometime")
    return target, names


@contextmanager
def reference(transport: str) -> Iterator[Target]:
    if transport == "stdio":
        yield StdioTarget((*REFERENCE, "--stdio"))
        return
    process = subprocess.Popen([*REFERENCE, "--http", "0"], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        yield HttpTarget(process.stderr.readline().split()[-1])
    finally:
        process.kill()
        process.wait()


def graded(target: Target, revision: str, rules: Path | None) -> Report:
    return trio.run(lambda: run_suite(RunOptions(target, seed=7, spec_version=revision), Silence(), rules=rules))


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("revision", known_revisions())
def test_renamed_rules_come_to_the_same_verdicts(tmp_path: Path, revision: str, transport: str) -> None:
    rules, names = renamed(revision, tmp_path / "rules", random.Random(11))
    with reference(transport) as target:
        before = graded(target, revision, None)
    with reference(transport) as target:
        after = graded(target, "sometime", rules)
    assert after.spec_version == "sometime"
    expected = [(names[result.id], result.verdict, result.required) for result in before.results]
    assert [(result.id, result.verdict, result.required) for result in after.results] == expected
    assert len(expected) > 20
