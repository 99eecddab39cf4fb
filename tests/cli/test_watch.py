"""``test --watch``: what is a reason to run again, when that run begins, and that Ctrl+C leaves nothing behind."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mcp_compliance.cli import watch
from mcp_compliance.cli.errors import UserError
from mcp_compliance.cli.gates import Gates
from mcp_compliance.cli.report_files import report_files
from mcp_compliance.cli.running import Presentation
from mcp_compliance.cli.watch_filter import WatchFilter, named_files
from mcp_compliance.model.options import RunOptions, StdioTarget

from .conftest import Ended, ScriptedSuite

Run = Callable[..., Ended]
TOOL = str(Path(sys.executable).with_name("mcp-compliance"))
ROOT = Path("/project").absolute()
PATIENCE = 60
"""Seconds that a test waits for a line at most."""


@pytest.mark.parametrize(
    "name",
    [
        "server.py",
        "src/index.ts",
        "src/logs/format.ts",
        "package.json",
        "docs/distribution.md",
        "build.gradle",
        "src/target.py",
        "tmpl.html",
        "templates/tmp/page.html",
        ".env",
        "login.py",
        "catalog",
    ],
)
def test_what_people_edit_is_watched(name: str) -> None:
    assert WatchFilter(ROOT).watches(ROOT / name)


@pytest.mark.parametrize(
    "name",
    [
        # the folders of the documentation, wherever they lie
        "node_modules/x/index.js",
        "packages/a/node_modules/x/index.js",
        ".git/index",
        "dist/server.js",
        "packages/a/dist/deep/server.js",
        "coverage/lcov.info",
        # build caches
        "__pycache__/server.cpython-312.pyc",
        ".pytest_cache/v",
        ".mypy_cache/3.12/x.json",
        ".ruff_cache/x",
        ".venv/lib/x.py",
        "build/lib/x.py",
        "target/debug/x",
        ".next/trace",
        ".turbo/x",
        ".cache/x",
        "server.egg-info/PKG-INFO",
        "tsconfig.tsbuildinfo",
        # logs, swap and temporary files
        "server.log",
        "server.log.1",
        "npm-debug.log",
        ".server.py.swp",
        "src/.server.py.swx",
        "4913",
        "server.py~",
        ".#server.py",
        "#server.py#",
        "x.tmp",
        "tmpab12_xyz",
        "data.db-journal",
        ".DS_Store",
    ],
)
def test_what_tools_write_is_not_watched(name: str) -> None:
    assert not WatchFilter(ROOT).watches(ROOT / name)


def test_the_folders_above_do_not_count() -> None:
    inside = ROOT / "node_modules" / "mine"
    assert WatchFilter(inside).watches(inside / "server.js")
    assert not WatchFilter(inside).watches(ROOT / "server.js")


def test_a_file_that_the_command_names_is_watched_wherever_it_lies(tmp_path: Path) -> None:
    built, other = tmp_path / "dist" / "server.js", tmp_path / "dist" / "other.js"
    built.parent.mkdir()
    built.touch()
    other.touch()
    named = named_files(("node", "./dist/server.js", "--port=1", "a\0b", "x" * 5000), tmp_path, tmp_path)
    kept = WatchFilter(tmp_path, named=named)
    assert named == {built}
    assert (kept.watches(built), kept.watches(other), kept.hidden) == (True, False, (built,))
    assert named_files(("node", "server.js"), tmp_path / "dist", tmp_path) == {built}
    assert named_files((sys.executable,), tmp_path, tmp_path) == frozenset()


def test_what_the_run_writes_is_not_watched(tmp_path: Path) -> None:
    files = report_files((f"html={tmp_path / 'report.html'}",), tmp_path / ".." / tmp_path.name / "badge.svg")
    options = RunOptions(StdioTarget(("node", "server.js")))
    kept = watch.watch_filter(options, Presentation("terminal", files, Path("evidence.json")), tmp_path)
    for name in ("report.html", ".report.html.ab12", "badge.svg", "evidence.json"):
        assert not kept.watches(tmp_path / name)
    assert kept.watches(tmp_path / "other.html")


def test_a_file_that_changes_during_three_runs_in_a_row_is_the_servers_own() -> None:
    echoes, data, source = watch.Echoes(), Path("/data.db"), Path("/a.py")
    assert echoes.after(frozenset({data, source})) == frozenset()
    assert echoes.after(frozenset({data})) == frozenset()
    assert echoes.after(frozenset({data, source})) == {data}
    assert echoes.own == {data}
    assert echoes.after(frozenset({data, source})) == frozenset()
    # not in a row: the second run after that is left alone by source
    echoes.after(frozenset())
    assert echoes.after(frozenset({source})) == frozenset()


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., list[str]]:
    """The loop over scripted changes. Returns what was done, ``run`` for a run and the names of changes."""
    monkeypatch.chdir(tmp_path)

    def play(*batches: str) -> list[str]:
        done: list[str] = []
        seeds: set[int | None] = set()

        def changes(kept: WatchFilter) -> Iterator[frozenset[Path]]:
            yield frozenset()
            for batch in batches:
                done.append(batch)
                yield frozenset(Path.cwd() / name for name in batch.split())
            raise KeyboardInterrupt

        def run(options: RunOptions, gates: Gates, shown: Presentation) -> int:
            assert gates == Gates()
            seeds.add(options.seed)
            done.append("run")
            return 0

        monkeypatch.setattr(watch, "_changes", changes)
        monkeypatch.setattr(watch, "run", run)
        with pytest.raises(KeyboardInterrupt):
            watch.watch_and_run(RunOptions(target=StdioTarget(("server",))), Presentation("terminal"))
        assert len(seeds - {None}) == 1  # the same values in every run
        return done

    return play


def test_a_change_during_a_run_is_followed_by_one_more(
    played: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    # nothing changed; then a.py while waiting; during that run a.py and b.py, so a third one follows at once
    assert played("", "", "a.py", "a.py b.py", "") == ["run", "", "", "a.py", "run", "a.py b.py", "run", ""]
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("====")]
    assert [line[19:] for line in said] == [
        "run 1 ========",
        "run 2: a.py changed ========",
        "run 3: a.py and 1 more changed ========",
    ]


def test_a_file_that_is_gone_again_is_not_what_was_edited(
    played: Callable[..., list[str]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "server.py").touch()
    played("", "sedAb12 server.py", "")
    assert "run 2: server.py and 1 more changed" in capsys.readouterr().err


def test_a_server_that_writes_a_file_does_not_run_for_ever(
    played: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    done = played("data.db", "data.db", "data.db", "")
    assert done == ["run", "data.db", "run", "data.db", "run", "data.db", ""]
    assert "data.db changed during 3 runs in a row, so the server seems to write it" in capsys.readouterr().err


def test_a_folder_that_cannot_be_watched_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"--watch: .*gone cannot be watched"):
        next(watch._changes(WatchFilter(tmp_path / "gone")))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("http://127.0.0.1:9/mcp", "--watch goes with a command"),
        ("--format json server", "choose one of terminal, markdown, html"),
        ("--format ndjson server", "choose one of"),
        ("--format sarif server", "choose one of"),
        ("--format github server", "choose one of"),
        ("--format junit server", "choose one of"),
    ],
)
def test_only_commands_and_formats_for_people_are_watched(
    run: Run, suite: ScriptedSuite, words: str, said: str
) -> None:
    ended = run("test", "--watch", *words.split())
    assert ended.code == 2
    assert said in ended.err
    assert suite.seen == []


@pytest.mark.parametrize("form", ["terminal", "markdown", "html"])
def test_demands_do_not_apply(run: Run, suite: ScriptedSuite, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    monkeypatch.setattr(watch, "watch_and_run", lambda options, shown: 0)
    ended = run("test", "--watch", "--strict", "--min-grade", "A", "--fail-on", "any", "--format", form, "server")
    assert ended.code == 0
    assert "--watch ends with no verdict, so --strict, --min-grade, --fail-on changes nothing" in ended.err


OPTIONS = (
    "test --watch --strict --only lifecycle-init --spec-version 2025-11-25 --format markdown "
    "--report json=report.json --output badge.svg"
)
SERVER = """
import os, pathlib, sys
pathlib.Path(sys.argv[1], str(os.getpid())).touch()
from mcp_compliance.reference.command import serve
sys.exit(serve(["--stdio"], name="server"))
"""


@pytest.mark.skipif(os.name == "nt", reason="Ctrl+C cannot be sent to one process alone")
def test_a_real_process_runs_again_and_leaves_no_child(tmp_path: Path) -> None:
    project, pids = tmp_path / "project", tmp_path / "pids"
    (project / "dist").mkdir(parents=True)
    pids.mkdir()
    (project / "dist" / "server.py").write_text(SERVER, encoding="utf-8")
    source = project / "source.ts"
    with (project / "report.md").open("w", encoding="utf-8") as report:  # inside: must not cause a run either
        process = subprocess.Popen(
            [TOOL, *OPTIONS.split(), "--", sys.executable, "dist/server.py", str(pids)],
            cwd=project,
            stdout=report,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
    assert process.stderr is not None
    lines: queue.Queue[str] = queue.Queue()
    reader = threading.Thread(target=lambda stream: [lines.put(line) for line in stream], args=(process.stderr,))
    reader.start()
    said: list[str] = []

    def until(part: str) -> None:
        while True:
            said.append(lines.get(timeout=PATIENCE))
            if part in said[-1]:
                return

    try:
        until("waiting for a change")
        # neither of these; the one after them is the reason that is named
        (project / "dist" / "other.js").touch()
        (project / "server.log").touch()
        source.touch()
        until("waiting for a change")
        (project / "dist" / "server.py").touch()
        until("waiting for a change")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
    finally:
        process.kill()
        process.wait()
        reader.join(PATIENCE)
    runs = [line.split("  ", 1)[1].strip() for line in said if line.startswith("====")]
    assert runs == ["run 1 ========", "run 2: source.ts changed ========", "run 3: dist/server.py changed ========"]
    assert any("--strict changes nothing" in line for line in said)
    assert any("except for dist/server.py, which the command names" in line for line in said)
    assert lines.get(timeout=PATIENCE) == "Interrupted.\n"
    assert (project / "report.md").read_text(encoding="utf-8").count("MCP compliance: A, 100/100") == 3
    children = [int(path.name) for path in pids.iterdir()]
    assert len(children) == 3
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)
