"""Configuration files: which is read, what it sets, and what the command line takes back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.main import get_command

from mcp_compliance.cli.config_fields import configurable, run_fields, target_fields
from mcp_compliance.cli.main import app
from mcp_compliance.model.options import HttpTarget, Network, RunOptions, StdioTarget, ToolConsent

from .conftest import Ended, ScriptedSuite, report, result

Run = Callable[..., Ended]
OWN = "mcp-compliance.config.json"
URL = "http://127.0.0.1:9/mcp"
TOML = '[tool.mcp-compliance]\ntimeout = 500\n[tool.mcp-compliance.target]\nurl = "http://toml/mcp"\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, as the current one."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def write(path: Path, document: object) -> None:
    path.write_text(json.dumps(document), encoding="utf-8")


def at(host: str) -> dict[str, object]:
    return {"target": {"url": f"http://{host}/mcp"}}


def test_the_first_of_the_known_places_is_read(run: Run, suite: ScriptedSuite, here: Path) -> None:
    """The order of the documentation: each file is hidden by the ones before it."""
    (here / "pyproject.toml").write_text(TOML, encoding="utf-8")
    files: list[tuple[str, object]] = [
        ("pyproject.toml", None),
        ("package.json", {"name": "x", "mcp-compliance": at("package")}),
        (".mcp-compliancerc", at("rc")),
        (".mcp-compliancerc.json", at("rc-json")),
        (OWN, at("own")),
    ]
    for name, document in files:
        if document is not None:
            write(here / name, document)
        ended = run("test")
        assert ended.err.startswith("mcp-compliance: note: target")
        assert f" from {name};" in ended.err
    found = [options.target for options in suite.seen]
    assert found == [HttpTarget(f"http://{host}/mcp") for host in ("toml", "package", "rc", "rc-json", "own")]
    assert [options.timeout for options in suite.seen] == [500, 15_000, 15_000, 15_000, 15_000]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("package.json", '{"name": "mcp-compliance", "dependencies": {"mcp-compliance": "1", "mcp-compliance": "2"}}'),
        ("package.json", "no JSON at all"),
        ("pyproject.toml", '[project]\nname = "mcp-compliance"\n'),
        ("pyproject.toml", "no TOML at all"),
    ],
)
def test_files_of_others_are_left_alone(run: Run, suite: ScriptedSuite, here: Path, name: str, text: str) -> None:
    (here / name).write_text(text, encoding="utf-8")
    assert run("test", URL).code == 0
    assert suite.seen == [RunOptions(target=HttpTarget(URL))]


def test_the_folder_above_is_not_searched(run: Run, suite: ScriptedSuite, here: Path) -> None:
    write(here.parent / OWN, at("above"))
    assert "no target" in run("test").err


EVERYTHING: dict[str, object] = {
    "$schema": "urn:mcp-compliance:config:v1",
    "target": {"type": "stdio", "command": "node", "args": ["a b"], "env": {"A": "1"}, "envFile": ".env", "cwd": "."},
    "specVersion": "2025-11-25",
    "only": ["tools"],
    "skip": ["security", "lifecycle"],
    "safe": True,
    "onlyTool": ["t"],
    "skipTool": ["u"],
    "allowDestructive": True,
    "dryRun": True,
    "seed": -7,
    "timeout": 100,
    "startupTimeout": 200,
    "preflightTimeout": 300,
    "retries": 2,
    "concurrency": 4,
    "format": "json",
    "report": {"json": "report.json"},
    "output": "badge.svg",
    "evidence": "evidence.json",
    "strict": True,
    "minGrade": "A",
    "failOn": "any",
    "expectedFailures": "known.txt",
    "verbose": True,
}
RUN_OF_EVERYTHING = RunOptions(
    target=StdioTarget(("node", "a b"), {"A": "1", "B": "2"}, Path()),
    spec_version="2025-11-25",
    timeout=100,
    startup_timeout=200,
    preflight_timeout=300,
    retries=2,
    only=("tools",),
    skip=("security", "lifecycle"),
    concurrency=4,
    seed=-7,
    tools=ToolConsent(safe=True, allow_destructive=True, only=frozenset({"t"}), skip=frozenset({"u"}), dry_run=True),
    forward_stderr=True,
    keep_exchanges=True,
)


def test_every_field_reaches_the_run(run: Run, suite: ScriptedSuite, here: Path) -> None:
    (here / ".env").write_text("A=file\nB=2\n", encoding="utf-8")
    (here / "known.txt").write_text("lifecycle-ping\n", encoding="utf-8")
    assert set(EVERYTHING) - {"$schema", "target"} == {field.name for field in run_fields()}
    write(here / OWN, EVERYTHING)
    suite.report = report(result("fail", required=True, rule="lifecycle-ping"))
    ended = run("test")
    (seen,) = suite.seen
    assert seen == RUN_OF_EVERYTHING
    assert json.loads(ended.out)["grade"] == "F"
    assert ended.code == 1
    assert "--min-grade A" in ended.err
    assert (here / "report.json").is_file()
    assert (here / "badge.svg").is_file()
    assert (here / "evidence.json").is_file()


def test_every_option_of_test_is_settable_or_belongs_to_one_run(run: Run) -> None:
    parameters = {str(parameter.name) for parameter in get_command(app).commands["test"].params}  # type: ignore[attr-defined]
    fields = {field.parameter for field in (*run_fields(), *target_fields())} - {None}
    of_the_target = {"target", "header", "header_file", "env", "env_file", "cwd"}  # parts of target itself
    of_one_run = {"config", "mcp_config", "demo", "list_", "transport", "watch", "no_color", "auth"}
    assert parameters - fields - of_the_target - of_one_run == set()
    assert fields <= parameters
    assert configurable(parameters) == fields


def test_the_command_line_wins(run: Run, suite: ScriptedSuite, here: Path) -> None:
    write(here / OWN, {**at("own"), "timeout": 100, "only": ["tools"], "retries": 3, "strict": True})
    suite.report = report(result("fail", required=True))
    ended = run("test", "--timeout", "200", "--only", "lifecycle")
    assert ended.err.startswith(
        f"mcp-compliance: note: target, retries and strict from {OWN}; --no-config leaves it out\n"
    )
    assert (ended.code, suite.seen[-1].timeout, suite.seen[-1].only) == (1, 200, ("lifecycle",))


def test_what_a_file_switches_on_can_be_switched_off(run: Run, suite: ScriptedSuite, here: Path) -> None:
    write(here / OWN, {**at("own"), "skip": ["tools"], "strict": True, "safe": True, "minGrade": "A", "retries": 3})
    suite.report = report(result("fail", required=True))
    assert run("test").code == 1
    ended = run("test", "--no-strict", "--no-skip", "--no-safe", "--no-min-grade", "--no-retries")
    assert (ended.code, suite.seen[-1]) == (0, RunOptions(target=HttpTarget("http://own/mcp")))
    assert f"note: target from {OWN};" in ended.err
    ended = run("test", URL, "--no-config")
    assert (ended.code, ended.err) == (0, "")
    assert suite.seen[-1] == RunOptions(target=HttpTarget(URL))


def test_switching_off_what_no_file_switches_on_is_no_mistake(run: Run, suite: ScriptedSuite, here: Path) -> None:
    assert run("test", URL, "--no-strict", "--no-config").code == 0
    ended = run("test", URL, "--no-stirct")
    assert (ended.code, ended.err) == (2, "mcp-compliance: unknown option --no-stirct; did you mean --no-strict?\n")


def test_the_target_of_a_file_never_mixes_with_another_one(run: Run, suite: ScriptedSuite, here: Path) -> None:
    """Credentials and connections that are meant for one server must not reach another."""
    target = {
        "url": "http://own/mcp",
        "headers": {"X-Key": "abc"},
        "headerFile": "none.txt",
        "authCommand": "print-token",
        "insecure": True,
        "proxy": "http://proxy:1",
        "cacert": "ca.pem",
    }
    write(here / OWN, {"target": target, "timeout": 100})
    assert run("test", URL).code == 0
    assert run("test", "node", "server.js").code == 0
    assert [options.network for options in suite.seen] == [Network(), Network()]
    assert [options.auth_command for options in suite.seen] == [(), ()]
    assert suite.seen[0].target == HttpTarget(URL)
    assert [options.timeout for options in suite.seen] == [100, 100]


def test_the_target_of_a_file_has_its_own_options(
    run: Run, suite: ScriptedSuite, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "more.txt").write_text("# who is asking\nX-Key: file\n\nX-Team: a\n", encoding="utf-8")
    (here / "ca.pem").write_text("", encoding="utf-8")
    target = {
        "url": "http://own/mcp",
        "headers": {"X-Key": "abc", "X-Own": "b"},
        "headerFile": "more.txt",
        "insecure": True,
        "proxy": "http://user:${PROXY_PASSWORD}@proxy:1",
        "authCommand": "print-token --quiet",
    }
    write(here / OWN, {"target": target})
    monkeypatch.setenv("PROXY_PASSWORD", "a:b")
    assert run("test", "-H", "x-own: c", "--no-insecure").code == 0
    (seen,) = suite.seen
    assert seen.target == HttpTarget("http://own/mcp", (("X-Team", "a"), ("X-Key", "abc"), ("x-own", "c")))
    assert seen.network == Network(proxy="http://user:a%3Ab@proxy:1")
    assert seen.auth_command == ("print-token", "--quiet")


def test_paths_count_from_the_folder_of_the_file(run: Run, suite: ScriptedSuite, here: Path) -> None:
    sub = here / "sub"
    (sub / "work").mkdir(parents=True)
    (sub / ".env").write_text("A=1\n", encoding="utf-8")
    target = {"command": "node", "envFile": ".env", "cwd": "work"}
    write(sub / "ours.json", {"target": target, "report": {"json": "r.json"}})
    ended = run("test", "--config", "sub/ours.json")
    assert ended.code == 0
    assert f"from {Path('sub/ours.json')};" in ended.err
    assert suite.seen[-1].target == StdioTarget(("node",), {"A": "1"}, Path("sub/work"))
    assert (sub / "r.json").is_file()
    write(sub / "ours.json", {"target": {"command": "node"}})
    run("test", "--config=sub/ours.json")
    assert suite.seen[-1].target == StdioTarget(("node",))


def test_toml(run: Run, suite: ScriptedSuite, here: Path) -> None:
    """Names as in JSON, or as on the command line."""
    lines = [
        "[tool.mcp-compliance]",
        'spec-version = "2025-11-25"',
        "startup-timeout = 100",
        "preflightTimeout = 200",
        'skip-tool = ["a"]',
        "[tool.mcp-compliance.target]",
        'command = "node"',
        'env-file = ".env"',
        "[tool.mcp-compliance.target.env]",
        'SOME-NAME = "kept"',
    ]
    (here / ".env").write_text("A=1\n", encoding="utf-8")
    (here / "pyproject.toml").write_text("\n".join(lines), encoding="utf-8")
    (here / "own.toml").write_text("\n".join(lines).replace("tool.mcp-compliance.", "").replace(lines[0], ""), "utf-8")
    assert run("test").code == 0
    assert run("test", "--config", "own.toml").code == 0
    first, second = suite.seen
    assert first == second
    assert first.target == StdioTarget(("node",), {"A": "1", "SOME-NAME": "kept"})
    assert (first.spec_version, first.startup_timeout, first.preflight_timeout) == ("2025-11-25", 100, 200)
    assert first.tools.skip == {"a"}


def test_a_command_in_one_text_is_taken_apart(run: Run, suite: ScriptedSuite, here: Path) -> None:
    write(here / OWN, {"target": {"command": "node 'a b' c"}})
    run("test")
    assert suite.seen[-1].target == StdioTarget(("node", "a b", "c"))


def test_a_list_needs_no_environment_and_no_note_beside_data(run: Run, suite: ScriptedSuite, here: Path) -> None:
    name = "${NOT_SET_ANYWHERE}"
    target = {"url": name, "headers": {"X-Key": name}, "proxy": f"http://{name}"}
    write(here / OWN, {"target": target, "only": ["lifecycle", "transport"]})
    ended = run("test", "--list", "--format", "json")
    assert (ended.code, ended.err) == (0, "")
    assert [test["id"] for test in json.loads(ended.out)[0]["tests"]] == [
        "transport-post",
        "lifecycle-init",
        "lifecycle-ping",
    ]
    assert f"note: target, proxy and only from {OWN};" in run("test", "--list").err
    assert run("test").code == 2


def test_a_file_that_sets_nothing_in_use_is_not_mentioned(run: Run, suite: ScriptedSuite, here: Path) -> None:
    write(here / OWN, at("own"))
    assert run("test", URL).err == ""
    assert suite.seen[-1].target == HttpTarget(URL)
