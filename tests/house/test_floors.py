"""Each package imports only what lies below it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLOORS = (
    {"jsontypes", "rules"},
    {"model", "facts", "reference"},
    {"exchange", "reporters"},
    {"wire"},
    {"catalog"},
    {"attribution"},
    {"primitives"},
    {"interpreter"},
    {"suite"},
    {"api"},
    {"mcp_server"},
    {"cli"},
    {"rulecheck", "pytest_plugin"},
)
"""From the ground up. Packages of one floor do not know each other."""
FLOOR = {name: floor for floor, names in enumerate(FLOORS) for name in names}
KNOWS_THE_MODEL_ALONE = "reporters"


def imports_of(path: Path) -> Iterator[str]:
    """Names of the project's packages that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            words = name.split(".")
            if words[0] == "mcp_compliance" and len(words) > 1:
                yield words[1]


def packages() -> Iterator[tuple[str, Path]]:
    for path in sorted((ROOT / "engine").rglob("*.py")):
        place = path.relative_to(ROOT / "engine").parts
        yield (place[0] if len(place) > 1 else path.stem), path
    for path in sorted((ROOT / "reporters").rglob("*.py")):
        yield "reporters", path


def test_every_package_has_a_floor() -> None:
    assert {name for name, _ in packages()} - set(FLOOR) == {"__init__"}


def test_each_package_imports_only_what_lies_below_it() -> None:
    upwards = {
        f"{path.relative_to(ROOT)} imports {other}"
        for name, path in packages()
        if name in FLOOR
        for other in imports_of(path)
        if other != name and other in FLOOR and FLOOR[other] >= FLOOR[name]
    }
    assert not upwards


def test_reporters_know_the_model_alone() -> None:
    known = {
        other
        for name, path in packages()
        if name == KNOWS_THE_MODEL_ALONE
        for other in imports_of(path)
        if other in FLOOR and other != name
    }
    assert known <= {"model", "jsontypes"}
