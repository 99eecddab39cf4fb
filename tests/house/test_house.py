"""The rules of the house that a machine can check."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "rules"
LONGEST = 400
MOST_PRIMITIVES = 10
LONGEST_PRIMITIVE = 150


def python_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def revisions() -> list[Path]:
    return sorted(path.parent for path in RULES.glob("*/_revision.yaml"))


def rule_ids() -> set[str]:
    return {path.stem for path in RULES.glob("*/*/*.yaml")}


def product_code() -> list[Path]:
    """All Python but the bundled reference server, which has to speak the revisions that it serves."""
    reference = ROOT / "engine" / "reference"
    return [path for path in python_files("engine", "reporters", "methodology") if reference not in path.parents]


def test_there_is_something_to_check() -> None:
    assert len(product_code()) > 50
    assert len(rule_ids()) > 80
    assert revisions()


def test_no_rule_is_named_in_python() -> None:
    ids = rule_ids()
    word = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
    named = {
        f"{path.relative_to(ROOT)}: {found}"
        for path in product_code()
        for found in word.findall(path.read_text(encoding="utf-8"))
        if found in ids
    }
    assert not named


def test_no_revision_is_named_in_python() -> None:
    dates = [folder.name for folder in revisions()]
    named = {
        f"{path.relative_to(ROOT)}: {date}"
        for path in product_code()
        for date in dates
        if date in path.read_text(encoding="utf-8")
    }
    assert not named


def test_no_module_is_longer_than_four_hundred_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in python_files("engine", "reporters", "methodology", "tests")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST
    }
    assert not long


def test_nothing_is_left_undone_in_the_code() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b|pragma: no cover")
    left = [str(path.relative_to(ROOT)) for path in product_code() if marks.search(path.read_text(encoding="utf-8"))]
    assert not left


def test_the_project_names_nothing_outside_itself() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    outside = re.compile(r"\.\./(shared|\.library)|/work/|prior art", re.IGNORECASE)
    naming = []
    for name in tracked:
        path = ROOT / name
        if not name or name == "tests/house/test_house.py" or not path.is_file():
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if outside.search(text):
            naming.append(name)
    assert not naming


def test_primitives_are_few_and_short() -> None:
    from mcp_compliance.primitives import PRIMITIVES

    assert 0 < len(PRIMITIVES) <= MOST_PRIMITIVES
    for primitive in PRIMITIVES.values():
        module = ROOT / "engine" / "primitives" / f"{primitive.name}.py"
        assert len(module.read_text(encoding="utf-8").splitlines()) <= LONGEST_PRIMITIVE
        assert "mode" not in primitive.arguments.get("properties", {})


@pytest.mark.parametrize("folder", revisions(), ids=lambda folder: folder.name)
def test_most_rules_do_without_a_primitive(folder: Path) -> None:
    rules = list(folder.glob("*/*.yaml"))
    runs = re.compile(r"^\s+(- )?run:|\{.*\brun: ", re.MULTILINE)
    with_primitive = [path for path in rules if runs.search(path.read_text(encoding="utf-8"))]
    assert len(with_primitive) <= 0.15 * len(rules)
