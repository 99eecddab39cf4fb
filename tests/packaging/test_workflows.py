"""The files by which others build, install and use the project, as far as that can be seen without their services."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def load(path: Path) -> dict[str, object]:
    found: dict[str, object] = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    return found


def steps_of(document: dict[str, object]) -> list[dict[str, object]]:
    jobs = document.get("jobs", {"action": document.get("runs")})
    assert isinstance(jobs, dict)
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize(
    ("schema", "files"), [("vendor.github-actions", [ROOT / "action.yml"]), ("vendor.github-workflows", WORKFLOWS)]
)
def test_the_schema_of_the_service_is_kept(schema: str, files: list[Path]) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, files)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("path", [ROOT / "action.yml", *WORKFLOWS], ids=lambda path: path.name)
def test_nothing_from_outside_is_pasted_into_a_script(path: Path) -> None:
    scripts = [str(step["run"]) for step in steps_of(load(path)) if "run" in step]
    assert scripts
    assert not [script for script in scripts if "${{" in script]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_read_and_each_job_says_what_more_it_needs(path: Path) -> None:
    document = load(path)
    assert document["permissions"] == {"contents": "read"}
    jobs = document["jobs"]
    assert isinstance(jobs, dict)
    assert all(job["timeout-minutes"] > 0 for job in jobs.values())


def test_three_systems_and_every_python_that_is_promised() -> None:
    jobs = load(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]
    assert isinstance(jobs, dict)
    matrix = jobs["tests"]["strategy"]["matrix"]
    assert matrix["os"] == ["ubuntu-latest", "windows-latest", "macos-latest"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert PROJECT["requires-python"] == f">={matrix['python'][0]}"


def test_the_release_needs_no_token() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"secrets\.(\w+)", text)) == {"GITHUB_TOKEN"}
    assert text.count("actions/attest-build-provenance@") == 2


def test_the_image_holds_what_the_package_is_made_of_and_is_not_root() -> None:
    allowed = [
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    ]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    folders = set(project["tool"]["setuptools"]["package-dir"].values())
    files = {PROJECT["readme"], *(name for name in PROJECT["license-files"] if "/" not in name), "pyproject.toml"}
    assert set(allowed) == folders | files
    docker = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    final = docker[docker.rindex("FROM ") :]
    assert "USER 10001" in final
    assert 'ENTRYPOINT ["mcp-compliance"]' in final


def test_the_hook_for_rule_authors_names_a_command_of_the_package() -> None:
    (hook,) = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["entry"] in PROJECT["scripts"]
    pattern = re.compile(hook["files"])
    for name in ("rules/2025-11-25/tools/tools-list.yaml", "rules/2026-07-28/_revision.yaml", "rules/a/_index.json"):
        assert pattern.search(name)
    assert not pattern.search("engine/rules/x.yaml")
