"""Runs the generator of the site, Zensical, over what was laid out for it."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

CONFIG = Path(__file__).resolve().with_name("zensical.toml")
FIRST = "README.md"
NOT_FOUND = "404.html"
"""Looks for its style at the root of a server, which nobody knows here."""

Toml: TypeAlias = "str | int | bool | list[Toml] | dict[str, Toml]"


class BuildError(Exception):
    """The site could not be built. One line, or what the generator complained about."""


def build(folder: Path, *, strict: bool = True) -> Path:
    """The folder of the finished site. ``folder`` holds ``docs``. Raises ``BuildError``; with ``strict`` also for what
    the generator warns of, links that lead nowhere among it."""
    if importlib.util.find_spec("zensical") is None:
        raise BuildError("Zensical is not installed; pip install '.[site]'")
    config = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["project"]
    config |= {"docs_dir": "docs", "site_dir": "site", "nav": _navigation(config["nav"], folder / "docs")}
    path = folder / "zensical.toml"
    path.write_text(f"project = {_toml(config)}\n", encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--config-file", str(path)]
    done = subprocess.run(
        [*command, "--strict"] if strict else command,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
    )
    if done.returncode != 0:
        last = done.stderr.rstrip().rpartition("\n")[2]
        raise BuildError(f"Zensical ended with {done.returncode}: {last}\n{done.stdout}".rstrip())
    site = folder / "site"
    (site / NOT_FOUND).unlink()
    return site


def _navigation(entries: list[Toml], docs: Path) -> list[Toml]:
    """Entries whose page was laid out; that of a folder's first page with all that is below it."""
    found: list[Toml] = []
    for entry in entries:
        assert isinstance(entry, dict)
        for title, target in entry.items():
            if isinstance(target, list):
                found.append({title: _navigation(target, docs)})
            elif isinstance(target, str) and (docs / target).exists():
                page = docs / target
                below = page.name == FIRST and page.parent != docs
                found.append({title: _section(page.parent, docs) if below else target})
    return found


def _section(folder: Path, docs: Path) -> list[Toml]:
    """The first page of a folder, and its others under their names."""
    pages: list[Toml] = [(folder / FIRST).relative_to(docs).as_posix()] if (folder / FIRST).exists() else []
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            pages.append({path.name: _section(path, docs)})
        elif path.name != FIRST:
            pages.append({path.stem: path.relative_to(docs).as_posix()})
    return pages


def _toml(value: Toml) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{json.dumps(key)} = {_toml(each)}' for key, each in value.items())}}}"
    return f"[{', '.join(map(_toml, value))}]" if isinstance(value, list) else json.dumps(value)
