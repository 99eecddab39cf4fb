"""Every case of the replay corpus against the checker; the baselines against one that is started as users start it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from .corpus_case import Case
from .corpus_files import baseline_case, load_cases
from .demands import meet
from .stage import Stage
from .tool import run_tool
from .verdicts import FREE, disagreements

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the played processes use POSIX signals")

CASES = load_cases()
PAIRS = sorted({(case.revision, case.transport) for case in CASES})
# With these demands a run may end as wrong usage, without any report.
MAY_BE_REFUSED = frozenset({"split-or-refused"})

THIS_MACHINE = frozenset({"127.0.0.1", "::1", "localhost"})

FailedByBaseline = Callable[[str, str], frozenset[str]]


@pytest.fixture(scope="session")
def failed_by_baseline(tmp_path_factory: pytest.TempPathFactory) -> FailedByBaseline:
    """The ids that fail for the unchanged baseline; measured when first asked, once for each revision and transport."""
    known: dict[tuple[str, str], frozenset[str]] = {}

    def look_up(revision: str, transport: str) -> frozenset[str]:
        if (revision, transport) not in known:
            folder = tmp_path_factory.mktemp(f"baseline-{transport}")
            with Stage(baseline_case(revision, transport), folder) as stage:
                known[revision, transport] = stage.rated.failed
        return known[revision, transport]

    return look_up


@pytest.mark.parametrize(("revision", "transport"), PAIRS)
def test_nothing_fails_for_the_baseline(revision: str, transport: str, tmp_path: Path) -> None:
    with Stage(baseline_case(revision, transport), tmp_path, run_tool) as stage:
        failed = {rule: stage.rated.rows[rule].details for rule in stage.rated.failed - FREE}
        assert failed == {}
        assert _wrong_in_every_case(stage) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case, tmp_path: Path, failed_by_baseline: FailedByBaseline) -> None:
    with Stage(case, tmp_path) as stage:
        stage.run()
        wrong = _wrong_in_every_case(stage)
        if stage.report is not None:
            found = disagreements(case.expect, stage.report)
            if found:
                found = disagreements(case.expect, stage.report, failed_by_baseline(case.revision, case.transport))
            wrong += found
        for demand in case.expect.demands:
            try:
                meet(demand, stage)
            except (AssertionError, KeyError) as problem:
                wrong.append(f"{demand.name}: {problem}")
        assert not wrong, "\n".join([f"{case.name}:", *wrong])


def _wrong_in_every_case(stage: Stage) -> list[str]:
    """What holds in every case: an end in time, no traceback, no process left, no connection to elsewhere, the revision
    of the folder, an exit code and a summary that agree.
    """
    outcome, case = stage.outcome, stage.case
    assert not outcome.hung, f"still running after {case.run.cap_s} s\n{outcome.printed[-3000:]}"
    wrong = []
    if "Traceback (most recent call last)" in outcome.stderr:
        wrong.append(f"a traceback: {outcome.stderr[-1500:]}")
    if left := stage.left_processes():
        wrong.append(f"processes left behind: {left}")
    if strangers := outcome.peers - THIS_MACHINE:
        wrong.append(f"connections to elsewhere: {sorted(strangers)}")
    report = stage.report
    if report is None:
        if not MAY_BE_REFUSED & {demand.name for demand in case.expect.demands}:
            wrong.append(f"no JSON on stdout, exit code {outcome.exit}: {outcome.printed[-1500:]}")
        return wrong
    if report.revision != case.revision:
        wrong.append(f"graded as {report.revision}")
    broken = any(row.verdict == "broken" for row in report.rows.values())
    gate = int("--strict" in case.run.options and report.overall == "fail")
    right = 2 if report.error or broken or not report.rows else gate
    if outcome.exit != right:
        wrong.append(f"exit code {outcome.exit}, but the report says {right}: {outcome.stderr[-500:]}")
    failed = sum(not row.passed for row in report.rows.values())
    counted = {"total": len(report.rows), "failed": failed, "passed": len(report.rows) - failed}
    if any(report.summary[name] != count for name, count in counted.items()):
        wrong.append(f"the summary says {report.summary}, the results {counted}")
    return wrong
