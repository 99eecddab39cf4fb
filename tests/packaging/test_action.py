"""``action.yml``, its steps run by bash as a runner would: what inputs become, what outputs say, how the job ends."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[2]
ACTION = YAML(typ="safe").load((ROOT / "action.yml").read_text(encoding="utf-8"))
SERVER = f"{Path(sys.executable).with_name('mcp-compliance').as_posix()} serve --stdio"
REFERENCE = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")
needs_bash = pytest.mark.skipif(
    os.name == "nt" or shutil.which("bash") is None, reason="needs bash, and not that of WSL"
)


@dataclass(frozen=True)
class Job:
    """What a job that uses the action sees: how it ended, its log, the outputs, the summary."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str


def step(name: str | None) -> dict[str, object]:
    found: dict[str, object] = next(each for each in ACTION["runs"]["steps"] if each.get("id") == name)
    return found


def run_step(found: dict[str, object], known: dict[str, str], folder: Path) -> Job:
    """One step in bash, with the references in its environment filled in from ``known``."""
    files = {name: folder / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("", encoding="utf-8")
    declared = found["env"]
    assert isinstance(declared, dict)
    env = {name: REFERENCE.sub(lambda match: known[match[1]], value) for name, value in declared.items()}
    ended = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", str(found["run"])],
        cwd=folder,
        env={**os.environ, **env, "RUNNER_TEMP": str(folder), **{name: str(file) for name, file in files.items()}},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    lines = files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines()
    return Job(
        ended.returncode,
        ended.stdout + ended.stderr,
        dict(line.split("=", 1) for line in lines),
        files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8"),
    )


def use(folder: Path, **given: str) -> Job:
    """The action with these inputs, after its installation: the step that tests, then the one that ends the job."""
    known = {f"inputs.{name}": about["default"] for name, about in ACTION["inputs"].items()}
    known |= {f"inputs.{name.replace('_', '-')}": value for name, value in given.items()}
    known |= {"steps.install.outputs.python": sys.executable, "github.action_path": str(ROOT)}
    tested = run_step(step("test"), known, folder)
    assert tested.code == 0, tested.log
    known |= {f"steps.test.outputs.{name}": value for name, value in tested.outputs.items()}
    (last,) = (each for each in ACTION["runs"]["steps"] if "id" not in each)
    ended = run_step(last, known, folder)
    return Job(ended.code, tested.log, tested.outputs, tested.summary)


@needs_bash
def test_a_conforming_command(tmp_path: Path) -> None:
    job = use(
        tmp_path,
        target=SERVER,
        strict="true",
        min_grade="A",
        spec_version="2025-11-25",
        args="--only lifecycle-init",
        sarif="found.sarif",
    )
    assert job.code == 0
    report = Path(job.outputs.pop("report"))
    assert job.outputs == {
        "exit-code": "0",
        "grade": "A",
        "score": "100",
        "overall": "pass",
        "spec-version": "2025-11-25",
        "sarif": str(tmp_path / "found.sarif"),
    }
    assert json.loads(report.read_text(encoding="utf-8"))["summary"]["total"] == 1
    assert json.loads((tmp_path / "found.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert "::notice" in job.log
    assert "A, 100/100" in job.summary


@needs_bash
def test_a_failing_command_sets_the_outputs_and_then_fails_the_job(tmp_path: Path) -> None:
    job = use(
        tmp_path,
        target=f"{SERVER} --fault stdout-banner",
        strict="True",
        spec_version="2025-11-25",
        args="--only stdio-framing",
        summary="",
    )
    assert job.code == 1
    assert (job.outputs["exit-code"], job.outputs["grade"], job.outputs["spec-version"]) == ("1", "F", "2025-11-25")
    assert "::error" in job.log
    assert job.summary == ""


@needs_bash
def test_a_url_that_nobody_answers(tmp_path: Path) -> None:
    job = use(tmp_path, target="http://127.0.0.1:9/mcp", format="terminal")
    assert job.code == 2
    assert job.outputs["exit-code"] == "2"
    assert "cannot be reached" in job.log


@needs_bash
def test_a_slip_in_an_input_is_an_annotation(tmp_path: Path) -> None:
    job = use(tmp_path, target=SERVER, strict="yes")
    assert job.code == 2
    assert job.outputs == {"exit-code": "2"}
    assert "::error title=mcp-compliance::strict: expected true or false, got yes" in job.log


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script of the step, loaded; no input is set."""
    for name in [name for name in os.environ if name.startswith("INPUT_")]:
        monkeypatch.delenv(name)
    spec = importlib.util.spec_from_file_location("action_step", ROOT / ".github" / "action" / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ("", []),
        ("--timeout 30000 --skip security", ["--timeout", "30000", "--skip", "security"]),
        ("--auth 'Bearer ${TOKEN}'", ["--auth", "Bearer ${TOKEN}"]),
        ('-H "X-Tenant: a b"', ["-H", "X-Tenant: a b"]),
        ("--only a;rm -rf $(x) `y` | z", ["--only", "a;rm", "-rf", "$(x)", "`y`", "|", "z"]),
        (r"--report html=C:\reports\r.html", ["--report", r"html=C:\reports\r.html"]),
        ("--only\n  tools # not a comment", ["--only", "tools", "#", "not", "a", "comment"]),
    ],
)
def test_further_options_are_taken_apart_and_nothing_in_them_is_obeyed(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, args: str, words: list[str]
) -> None:
    monkeypatch.setenv("INPUT_ARGS", args)
    assert script.options() == words


def test_every_input_arrives(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"FORMAT": "sarif", "MIN_GRADE": "B", "SPEC_VERSION": "auto", "STRICT": "true"}.items():
        monkeypatch.setenv(f"INPUT_{name}", value)
    assert script.options() == ["--format", "sarif", "--min-grade", "B", "--spec-version", "auto", "--strict"]


def test_a_quote_that_is_not_closed_is_refused(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INPUT_ARGS", "--auth 'Bearer x")
    with pytest.raises(script.InputError, match="args cannot be taken apart"):
        script.options()


@needs_bash
@pytest.mark.parametrize(
    ("version", "package"), [("", str(ROOT)), ("1.2.3; touch x", "mcp-compliance==1.2.3; touch x")]
)
def test_what_is_installed(tmp_path: Path, version: str, package: str) -> None:
    python = tmp_path / "python"
    python.write_text(
        "#!/bin/sh\n"
        'if [ "$2" = venv ]; then mkdir -p "$3/bin" && cp "$0" "$3/bin/python"\n'
        f"else printf '%s\\n' \"$@\" > '{tmp_path}/installed'; fi\n",
        encoding="utf-8",
    )
    python.chmod(0o755)
    known = {
        "inputs.version": version,
        "github.action_path": str(ROOT),
        "steps.python.outputs.python-path": str(python),
    }
    installed = run_step(step("install"), known, tmp_path)
    assert installed.code == 0, installed.log
    assert Path(installed.outputs["python"]).is_file()
    assert (tmp_path / "installed").read_text(encoding="utf-8").splitlines()[-1] == package
    assert not (tmp_path / "x").exists()


def test_the_inputs_and_outputs_of_the_documentation_are_there() -> None:
    assert {"target", "format", "strict", "min-grade", "spec-version"} <= set(ACTION["inputs"])
    assert {"grade", "score", "spec-version", "report"} <= set(ACTION["outputs"])
    assert ACTION["inputs"]["format"]["default"] == "github"
