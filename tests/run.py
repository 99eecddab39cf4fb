"""Sets up everything that the tests need and runs them: ``python3 tests/run.py [pytest arguments]``.

Needs Python 3.11 or newer and the package registries. Makes ``.venv`` (the project with its development tools) and
``.zoo`` (real SDK servers from PyPI, and from npm where node is installed). Both are kept for the next time.
Pages are looked at in the Chromium or Chrome that is installed; without one, those tests are skipped.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
ZOO = ROOT / ".zoo"
SERVERS = ROOT / "tests" / "real" / "servers"
EXAMPLES = ROOT / "methodology" / "examples"
BIN = "Scripts" if os.name == "nt" else "bin"

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PYTHON_SERVERS = {"mcp1": "mcp==1.30.0", "mcp2": "mcp==2.3.0"}
NODE_SERVERS = {
    "npm-v1": (
        "@modelcontextprotocol/server-everything@2026.8.31",
        "@modelcontextprotocol/server-filesystem@2026.8.31",
    ),
    "npm-v2": ("@modelcontextprotocol/server@2.4.0", "@modelcontextprotocol/node@2.1.2", "zod@4.6.7"),
}


def call(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run, and end with its status when it fails."""
    status = subprocess.run([str(word) for word in command], cwd=cwd, check=False).returncode
    if status:
        sys.exit(status)


def fresh(folder: Path, recipe: str) -> bool:
    """Whether the folder was made from this recipe already."""
    stamp = folder / ".recipe"
    return stamp.exists() and stamp.read_text() == recipe


def stamp(folder: Path, recipe: str) -> None:
    (folder / ".recipe").write_text(recipe)


def make_venv(folder: Path, *packages: str) -> None:
    recipe = "\n".join((sys.version, *packages))
    if fresh(folder, recipe):
        return
    if not (folder / BIN).exists():
        venv.create(folder, with_pip=True)
    call(folder / BIN / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages)
    stamp(folder, recipe)


def make_project() -> None:
    """Install the project itself, anew whenever its metadata changes."""
    content = (ROOT / "pyproject.toml").read_bytes()
    recipe = sys.version + hashlib.sha256(content).hexdigest()
    if fresh(VENV, recipe):
        return
    if not (VENV / BIN).exists():
        venv.create(VENV, with_pip=True)
    pip = (VENV / BIN / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    call(*pip, "--editable", ".[dev]")
    stamp(VENV, recipe)


def make_zoo() -> None:
    ZOO.mkdir(exist_ok=True)
    for name, package in PYTHON_SERVERS.items():
        make_venv(ZOO / name, package)
    npm = shutil.which("npm")
    if npm is None:
        print("npm is not installed: the tests on servers from npm will be skipped", file=sys.stderr)
        return
    for name, packages in NODE_SERVERS.items():
        folder = ZOO / name
        folder.mkdir(exist_ok=True)
        recipe = "\n".join(packages)
        if not fresh(folder, recipe):
            call(npm, "init", "-y", "--silent", cwd=folder)
            call(npm, "install", "--silent", "--no-audit", "--no-fund", *packages, cwd=folder)
            stamp(folder, recipe)
        for script in (*SERVERS.glob("*.mjs"), *EXAMPLES.glob("*.mjs")):
            shutil.copy(script, folder)


def look_for_browser() -> None:
    if not any(shutil.which(name) for name in BROWSERS):
        print(f"none of {', '.join(BROWSERS)} is installed: the tests of pages will be skipped", file=sys.stderr)


def main() -> None:
    # Hundreds of short-lived Python processes are started: without bytecode each would compile everything anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    make_project()
    make_zoo()
    look_for_browser()
    arguments = sys.argv[1:] or ["-n", "5", "--dist", "worksteal"]
    call(VENV / BIN / "python", "-m", "pytest", *arguments)


if __name__ == "__main__":
    main()
