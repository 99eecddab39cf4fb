"""One test for each rule: what is collected, how each ends, and what pytest shows of it."""

from __future__ import annotations

import pytest

from mcp_compliance import HttpTarget, StdioTarget

from .conftest import URL, ScriptedSuite

OLD = ("--mcp-target", URL, "--mcp-spec-version", "2025-11-25")
RULES_OVER_HTTP = 85
AUTO = ("--mcp-target", URL)


def test_without_a_target_nothing_is_there(inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    inner.runpytest().assert_outcomes(passed=1)
    assert not suite.seen


def test_each_rule_is_a_test_beside_the_others(inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    done = inner.runpytest(*OLD, "-v")
    done.assert_outcomes(passed=RULES_OVER_HTTP + 1)
    done.stdout.fnmatch_lines(
        [
            "*collected 86 items",
            "test_own.py::test_own PASSED*",
            "mcp-compliance::transport-post PASSED*",
            "*= MCP compliance =*",
            f"grade A (100 of 100) as MCP 2025-11-25: {URL}",
            "warning: careful: --mcp-spec-version settles it",
        ]
    )
    assert len(suite.seen) == 1
    assert suite.seen[0].target == HttpTarget(URL)


def test_auto_asks_the_server_first_and_grades_it_once(inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    done = inner.runpytest(*AUTO)
    done.assert_outcomes(passed=99 + 1)
    done.stdout.fnmatch_lines(["grade A (100 of 100) as MCP 2026-07-28: *"])
    assert [options.spec_version for options in suite.seen] == [None, None]
    assert suite.finished == [99]  # the first one went no further than the first rule


def test_a_failure_tells_all_and_shows_no_traceback(inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    suite.verdicts = {"lifecycle-ping": "fail"}
    done = inner.runpytest(*OLD)
    done.assert_outcomes(passed=RULES_OVER_HTTP, failed=1)
    done.stdout.fnmatch_lines(
        [
            "*_ lifecycle-ping: * _*",
            "lifecycle-ping: it is fail",
            "sent      ping",
            "received  \\x1b[[]31mpong",
            "why       It matters.",
            "fix       Mend it.",
            "spec      https://modelcontextprotocol.io/specification/2025-11-25/*",
            "FAILED mcp-compliance::lifecycle-ping - lifecycle-ping: it is fail",
        ]
    )
    done.stdout.no_fnmatch_line("*Traceback*")
    done.stdout.no_fnmatch_line("*runtest*")


@pytest.mark.parametrize("verdict", ["fail", "not-evaluable", "broken"])
def test_what_is_no_pass_and_no_skip_fails(verdict: str, inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    suite.verdicts = {"lifecycle-ping": verdict}  # type: ignore[dict-item]
    inner.runpytest(*OLD).assert_outcomes(passed=RULES_OVER_HTTP, failed=1)


def test_a_skip_says_why(inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    suite.verdicts = {"lifecycle-ping": "skip"}
    done = inner.runpytest(*OLD, "-rs")
    done.assert_outcomes(passed=RULES_OVER_HTTP, skipped=1)
    done.stdout.fnmatch_lines(["SKIPPED [[]1[]] mcp-compliance: lifecycle-ping: it is skip"])


def test_optional_rules_can_be_kept_from_failing(inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    suite.verdicts = {"lifecycle-string-id": "fail", "lifecycle-init": "fail"}
    done = inner.runpytest(*OLD, "--mcp-required-only", "-rx")
    done.assert_outcomes(passed=RULES_OVER_HTTP - 1, failed=1, xfailed=1)
    done.stdout.fnmatch_lines(["XFAIL mcp-compliance::lifecycle-string-id - lifecycle-string-id: it is fail"])


def test_only_selected_rules_are_run(inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    done = inner.runpytest(*OLD, "-k", "tools-call or lifecycle-ping", "--strict-markers")
    done.assert_outcomes(passed=3, deselected=RULES_OVER_HTTP + 1 - 3)
    assert set(suite.seen[-1].only) == {"lifecycle-ping", "tools-call", "tools-call-unknown"}


def test_nothing_is_run_when_no_rule_is_selected(inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    inner.runpytest(*OLD, "-m", "not mcp").assert_outcomes(passed=1, deselected=RULES_OVER_HTTP)
    inner.runpytest(*OLD, "--collect-only")
    assert not suite.seen


@pytest.mark.parametrize(
    ("expression", "count"), [("mcp", 85), ("mcp_required", 20), ("mcp_optional", 65), ("mcp_prompts", 3)]
)
def test_markers_select(expression: str, count: int, inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    done = inner.runpytest(*OLD, "-m", expression, "--strict-markers", "-W", "error")
    done.assert_outcomes(passed=count, deselected=RULES_OVER_HTTP + 1 - count)


def test_last_failed_runs_that_rule_alone(inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    suite.verdicts = {"lifecycle-ping": "fail"}
    inner.runpytest(*OLD)
    inner.runpytest(*OLD, "--lf").assert_outcomes(failed=1, deselected=RULES_OVER_HTTP)
    assert tuple(suite.seen[-1].only) == ("lifecycle-ping",)


@pytest.mark.parametrize("startable", [True, False])
@pytest.mark.parametrize("options", [OLD, AUTO])
def test_a_server_that_cannot_be_tested_is_one_failure(
    options: tuple[str, ...], startable: bool, inner: pytest.Pytester, suite: ScriptedSuite
) -> None:
    suite.error, suite.startable = "nobody answers", startable
    done = inner.runpytest(*options, "-rsf")
    skipped = RULES_OVER_HTTP - 1 if options is OLD else 0
    done.assert_outcomes(passed=1, failed=1, skipped=skipped)
    done.stdout.fnmatch_lines(["nobody answers", "FAILED mcp-compliance::* - nobody answers"])
    assert sum("SKIPPED" in line for line in done.outlines) == min(skipped, 1)


def test_a_server_that_goes_away_fails_once_for_what_it_leaves(inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    suite.error, suite.gone_from = "it went away", "lifecycle-ping"
    entries = [entry.id for entry in _over_http()]
    done = inner.runpytest(*OLD)
    before = entries.index("lifecycle-ping")
    done.assert_outcomes(passed=1 + before, failed=1, skipped=len(entries) - before - 1)
    done.stdout.fnmatch_lines(["FAILED mcp-compliance::lifecycle-ping - it went away"])


def test_every_option_arrives(inner: pytest.Pytester, suite: ScriptedSuite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBOUR_TOKEN", "sesame-1234")
    words = [*OLD, "--mcp-header", "X-Key: ${HARBOUR_TOKEN}", "--mcp-auth", "Bearer t", "--mcp-timeout", "30000"]
    words += ["--mcp-retries", "2", "--mcp-only", "tools,lifecycle", "--mcp-skip", "tools-call", "--mcp-safe"]
    done = inner.runpytest(*words)
    (asked,) = suite.seen
    assert isinstance(asked.target, HttpTarget)
    assert asked.target.headers == (("X-Key", "sesame-1234"), ("Authorization", "Bearer t"))
    assert (asked.timeout, asked.retries, asked.tools.safe) == (30_000, 2, True)
    assert (tuple(asked.only), tuple(asked.skip)) == (("tools,lifecycle",), ("tools-call",))
    assert "sesame" not in done.stdout.str()


def test_a_command_gets_variables_and_a_folder(inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    (inner.path / "sub").mkdir()
    inner.runpytest("--mcp-target", "python 'a b.py' -v", "--mcp-env", "A=1", "--mcp-cwd", "sub", "-m", "mcp_tools")
    command = ("python", "a b.py", "-v")
    assert suite.seen[-1].target == StdioTarget(command, {"A": "1"}, inner.path / "sub")


def test_settings_of_the_ini_file(inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    inner.makepyprojecttoml(
        '[tool.pytest.ini_options]\nmcp_target = "python server.py"\nmcp_spec_version = "2025-11-25"\n'
        'mcp_env = ["A=1", "B=2"]\nmcp_only = ["prompts"]\nmcp_timeout = "5000"\nmcp_required_only = true\n'
    )
    suite.verdicts = {"prompts-pagination": "fail"}
    done = inner.runpytest()
    done.assert_outcomes(passed=3, xfailed=1)
    assert suite.seen[-1].target == StdioTarget(("python", "server.py"), {"A": "1", "B": "2"}, inner.path)
    assert (suite.seen[-1].timeout, suite.seen[-1].spec_version) == (5_000, "2025-11-25")
    # a single file means that file
    inner.runpytest("test_own.py").assert_outcomes(passed=1)
    inner.runpytest("test_own.py", "--mcp-target", "python other.py").assert_outcomes(passed=3, xfailed=1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--mcp-target", "localhost:3000/mcp"), "did you mean http://localhost:3000/mcp?"),
        (("--mcp-target", "python x.py", "--mcp-header", "A: b"), "--mcp-header applies to a URL"),
        (("--mcp-target", URL, "--mcp-env", "A=b"), "--mcp-env applies to a command"),
        (("--mcp-target", URL, "--mcp-header", "no colon"), "--mcp-header: expected 'Name: value'"),
        (
            ("--mcp-target", URL, "--mcp-header", "A: ${NOT_SET_HERE}"),
            "--mcp-header A: the environment variable NOT_SET",
        ),
        (("--mcp-target", URL, "--mcp-spec-version", "2025"), "choose one of 2025-11-25, 2026-07-28"),
        (("--mcp-target", URL, "--mcp-timeout", "soon"), "--mcp-timeout soon: expected a whole number"),
        (("--mcp-target", URL, "--mcp-timeout", "-5"), "timeout: -5 is less than 1"),
    ],
)
def test_a_mistake_is_a_usage_error_of_one_line(
    words: tuple[str, ...], said: str, inner: pytest.Pytester, suite: ScriptedSuite
) -> None:
    done = inner.runpytest(*words)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    (line,) = [line for line in done.errlines if line]
    assert line.startswith("ERROR: mcp-compliance: ")
    assert said in line
    assert not suite.seen


def test_durations_are_those_of_the_rules(inner: pytest.Pytester, suite: ScriptedSuite) -> None:
    inner.runpytest(*OLD, "--junit-xml=out.xml", "-k", "lifecycle-ping")
    assert 'classname="mcp-compliance" name="lifecycle-ping" time="0.25' in (inner.path / "out.xml").read_text()


def _over_http() -> list[object]:
    from mcp_compliance.catalog.index import load_index

    return [entry for entry in load_index("2025-11-25").entries if "http" in entry.transports]
