"""Grades a target with the tool in a process of its own and holds the run to what every run must keep.

    graded = grade("http://127.0.0.1:1/mcp", within=3)
    graded.code, graded.report, graded.seconds

Kept by every run, whatever the target does: it ends in time, leaves no process, shows no traceback and no secret, stays
below ``MOST_MIB``, and prints a report that fits the published schema, or nothing when it was interrupted.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jsonschema
import trio

from mcp_compliance.model import report_schema
from tests.replay.forked import run_words
from tests.replay.tool import Outcome, run_tool
from tests.wire.scripted_http import Script, Server, serving

TOOL = Path(sys.executable).with_name("mcp-compliance")
CHILD = (sys.executable, "-S", str(Path(__file__).with_name("child.py")))
MOST_MIB = 400
MARK = "HOSTILE_MARK"
PEM = "-----BEGIN KEY-----\nhostileFirstLineOfTheKey\nhostileSecondLineOfTheKey\n-----END KEY-----"
SECRETS = ('veiled-"bearer"-oneone', "veiled-key-twotwo", "veiled-\\token-threethree", "veiled-plain-fourfour")
SHOWN_NEVER = ("veiled", "oneone", "twotwo", "threethree", "fourfour", "hostileFirstLine", "hostileSecondLine")
FOR_URL = ("--auth", f"Bearer {SECRETS[0]}", "-H", f"X-Api-Key: {SECRETS[1]}")
FOR_COMMAND = ("-E", f"HOSTILE_TOKEN={SECRETS[2]}", "-E", f"HOSTILE_PLAIN={SECRETS[3]}", "-E", f"HOSTILE_PEM={PEM}")
SLACK = 12.0
"""Seconds that a run may take beside the waits that its budgets allow: two slow processors, shared with other tests."""
VALIDATOR = jsonschema.Draft202012Validator(report_schema.load())


@dataclass(frozen=True)
class Graded:
    """A finished run of the tool. ``report`` is None when nothing was printed."""

    code: int
    report: dict[str, Any] | None
    out: str
    err: str
    seconds: float

    @property
    def tests(self) -> list[dict[str, Any]]:
        assert self.report is not None
        return list(self.report["tests"])

    @property
    def causes(self) -> set[str | None]:
        return {test.get("cause") for test in self.tests}

    @property
    def warnings(self) -> str:
        assert self.report is not None
        return "\n".join(self.report["warnings"])

    @property
    def first_warning(self) -> str:
        assert self.report is not None
        return str(self.report["warnings"][0]) if self.report["warnings"] else ""

    @property
    def detection(self) -> tuple[str, str]:
        """How the revision was chosen, and why."""
        assert self.report is not None
        return self.report["detection"]["era"], self.report["detection"]["reason"]

    @property
    def spec_version(self) -> str:
        assert self.report is not None
        return str(self.report["specVersion"])

    def ids(self, *verdicts: str) -> set[str]:
        """The rules that came to one of these verdicts."""
        return {rule for rule, verdict in self.verdicts.items() if verdict in verdicts}

    @property
    def error(self) -> str:
        """The error of the report, empty when there is none."""
        return "" if self.report is None else self.report.get("error", "")

    @property
    def verdicts(self) -> dict[str, str]:
        return {test["id"]: test["verdict"] for test in self.tests}

    @property
    def counts(self) -> Counter[str]:
        return Counter(self.verdicts.values())

    def details(self, rule_id: str) -> str:
        return next(str(test["details"]) for test in self.tests if test["id"] == rule_id)


def patient(*words: str) -> tuple[str, ...]:
    """Options for a run in which nothing has to be waited for; the budgets only forgive slow processors."""
    return ("--timeout", "10000", "--startup-timeout", "10000", *words)


def hasty(*words: str) -> tuple[str, ...]:
    """Options for a server that never answers: 0.5 s, and once more 1 s."""
    return ("--timeout", "500", "--startup-timeout", "1000", *words)


def brisk(*words: str) -> tuple[str, ...]:
    """Options for a server that stops answering in mid-run: 0.7 s for each answer but the first."""
    return ("--timeout", "700", "--startup-timeout", "8000", "--preflight-timeout", "8000", *words)


def command(twist: str, argument: str | int = "", era: str = "") -> tuple[str, ...]:
    """The hostile child as a target."""
    return (*CHILD, twist, str(argument), era) if era else (*CHILD, twist, *([str(argument)] if argument != "" else []))


def grade(
    *words: str,
    within: float,
    env: Mapping[str, str] | None = None,
    form: str = "json",
    secrets: bool = True,
) -> Graded:
    """Run ``mcp-compliance test`` on the target that ``words`` name; see the module.

    ``within`` is the sum of the waits, in seconds, that the budgets allow for the run. Secrets are configured, of which
    a credential is one, unless the test is about a client that has none.
    """

    def run(words: Sequence[str], env: Mapping[str, str]) -> Outcome:
        return _forked(words, env, within + 2 * SLACK)

    return _held_to(run, words, within, env or {}, form, secrets=secrets)


def grade_installed(
    *words: str,
    within: float,
    env: Mapping[str, str] | None = None,
    started: Callable[[int], None] = lambda pid: None,
    form: str = "json",
    secrets: bool = True,
) -> Graded:
    """``grade`` with the console script as it is installed, from its first import to the end of the interpreter.

    ``started`` is told the id of its process.
    """

    def run(words: Sequence[str], env: Mapping[str, str]) -> Outcome:
        return _installed(words, env, within + 2 * SLACK, started)

    return _held_to(run, words, within, env or {}, form, secrets=secrets)


def _held_to(
    run: Callable[[Sequence[str], Mapping[str, str]], Outcome],
    words: Sequence[str],
    within: float,
    env: Mapping[str, str],
    form: str = "json",
    *,
    secrets: bool = True,
) -> Graded:
    """Run, and hold to what is kept by every run; see the module."""
    configured = FOR_URL if any(word.lower().startswith("http") for word in words) else FOR_COMMAND
    mark = uuid.uuid4().hex
    given = configured if secrets else ()
    outcome = run(["--format", form, *given, *words], {**os.environ, **env, MARK: mark})
    printed, said = outcome.stdout, outcome.stderr
    left = survivors(mark)
    for pid in left:
        os.kill(pid, 9)
    assert not left, f"left behind: {list(left.values())}"
    assert outcome.seconds < within + SLACK, f"took {outcome.seconds:.1f} s\n{said}"
    assert "Traceback" not in said, said
    for secret in SHOWN_NEVER:
        assert secret not in printed, f"{secret} in {printed}"
        assert secret not in said, f"{secret} in {said}"
    assert 0 < outcome.peak_mib < MOST_MIB
    report = json.loads(printed, parse_constant=_refuse) if form == "json" and printed else None
    if report is not None:
        VALIDATOR.validate(report)
    return Graded(outcome.exit, report, printed, said, outcome.seconds)


def _forked(words: Sequence[str], env: Mapping[str, str], cap_s: float) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        return _as_written(run_words(words, Path(folder), env, cap_s), Path(folder))


def _installed(words: Sequence[str], env: Mapping[str, str], cap_s: float, started: Callable[[int], None]) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        outcome = run_tool([str(TOOL), "test", *words], Path(folder), env, cap_s, started)
        return _as_written(outcome, Path(folder))


def _as_written(outcome: Outcome, folder: Path) -> Outcome:
    """With every byte of what was printed, all of which have to be UTF-8."""
    stdout, stderr = ((folder / name).read_bytes().decode() for name in ("stdout", "stderr"))
    return replace(outcome, stdout=stdout, stderr=stderr)


def grade_http(
    script: Script, *words: str, within: float, path: str = "/mcp", by: Callable[..., Graded] = grade, **more: Any
) -> tuple[Graded, Server]:
    """Grade a scripted server, ``by`` one of the two ways."""

    async def main() -> tuple[Graded, Server]:
        async with serving(script) as server:
            url = server.url.removesuffix("/mcp") + path
            graded = await trio.to_thread.run_sync(lambda: by(url, *words, within=within, **more))
            return graded, server

    return trio.run(main)


def survivors(mark: str) -> dict[int, str]:
    """Processes that carry the mark in their environment, with their command lines."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found[int(folder.name)] = line
        except OSError:
            continue
    return found


def _refuse(word: str) -> None:
    raise AssertionError(f"{word} is not JSON")
