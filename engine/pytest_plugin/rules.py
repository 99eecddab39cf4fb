"""The run as pytest sees it: which rules there are, the one run behind them, and the line at the end."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

import pytest

from mcp_compliance.api.run import run_compliance_suite
from mcp_compliance.catalog.index import IndexEntry, load_index
from mcp_compliance.interpreter.gates import UNREACHABLE
from mcp_compliance.model.result import Report, Result
from mcp_compliance.pytest_plugin.items import TREE, RuleItem, RuleTree
from mcp_compliance.pytest_plugin.outcomes import Outcome, Outcomes
from mcp_compliance.pytest_plugin.settings import Settings, in_our_words
from mcp_compliance.suite.filters import select

SENT = "mcp_compliance"
"""Key under which xdist's controller hands the outcomes of its run to the workers."""


UNREACHED = IndexEntry(
    id="server",
    title="The server can be tested",
    category="server",
    level="required",
    capability=None,
    transports=(),
    spec="",
)
"""Stands for all rules where the server cannot be tested: one failure says so better than one for each rule."""


class Rules:
    """Registered as a plugin when there is a target."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._config = config
        self._settings = settings
        self._outcomes: Outcomes | None = None
        self._made = 0
        self._selected: tuple[str, ...] = ()
        sent = getattr(config, "workerinput", {}).get(SENT)
        if sent is not None:
            self._outcomes = Outcomes.from_data(sent)
        for line in (
            "mcp: a rule of the MCP specification, from --mcp-target",
            "mcp_required: a rule that is required of every server, or of those that declare a capability",
            "mcp_optional: a rule that is required of nobody",
        ):
            config.addinivalue_line("markers", line)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: object) -> None:
        """xdist: the controller runs the suite, once, before its first worker collects."""
        if self._outcomes is None:
            self._outcomes = Outcomes.of(self._run(self._settings.options.only))
        node.workerinput[SENT] = self._outcomes.as_data()  # type: ignore[attr-defined]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Puts the rules behind the tests of the session, in time for -k and -m."""
        if self._asked_for():
            tree = RuleTree.from_parent(session, name=TREE, nodeid=TREE, make=self._items)
            items.extend(session.genitems(tree))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._selected = tuple(item.name for item in session.items if isinstance(item, RuleItem))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if isinstance(item, RuleItem) and call.when == "call" and item.result is not None:
            report.duration = item.result.seconds
            if report.skipped and not hasattr(report, "wasxfail"):
                report.longrepr = (TREE, None, f"Skipped: {item.result.message}")  # type: ignore[assignment]
        return report

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        found = self._outcomes
        if found is None or found.error is not None:
            return
        terminalreporter.section("MCP compliance")
        terminalreporter.line(found.headline)
        for warning in found.warnings:
            terminalreporter.line(f"warning: {in_our_words(warning)}")

    def _asked_for(self) -> bool:
        """A target of an ini file is not meant where single files or tests were asked for."""
        single = self._config.args_source is pytest.Config.ArgsSource.ARGS
        return self._settings.on_command_line or not single

    def _items(self, tree: RuleTree) -> list[RuleItem]:
        revision = self._revision()
        options = self._settings.options
        entries = select(load_index(revision).entries, options.only, options.skip, self._settings.target.transport).kept
        if self._outcomes is not None and self._outcomes.nothing_tested:
            entries = (UNREACHED,)
        self._made = len(entries)
        for category in dict.fromkeys(entry.category for entry in entries):
            self._config.addinivalue_line("markers", f"mcp_{category}: a rule of the category {category}")
        return [self._item(tree, entry) for entry in entries]

    def _item(self, tree: RuleTree, entry: IndexEntry) -> RuleItem:
        item: RuleItem = RuleItem.from_parent(tree, name=entry.id, entry=entry, outcome=self._outcome)
        return item

    def _revision(self) -> str:
        """The revision that will be graded; the server is asked where nothing else tells."""
        if self._outcomes is not None:
            return self._outcomes.spec_version
        pinned = self._settings.options.spec_version
        if pinned not in (None, "auto"):
            return str(pinned)
        planned: list[str] = []

        def stop(result: Result) -> None:
            if result.cause != UNREACHABLE:
                raise _Answers

        try:
            report = run_compliance_suite(
                self._settings.target,
                self._settings.options,
                on_planned=lambda total, spec_version: planned.append(spec_version),
                on_test_complete=stop,
            )
        except _Answers:
            return planned[0]
        self._outcomes = Outcomes.of(report)  # without a test, or without a server: there is nothing to wait for
        return report.spec_version

    def _outcome(self, item: RuleItem) -> Outcome:
        if self._outcomes is None:
            chosen = self._selected if len(self._selected) < self._made else self._settings.options.only
            self._outcomes = Outcomes.of(self._run(chosen))
        run = self._outcomes
        found = run.by_id.get(item.name)
        if run.error is not None and run.untested(item.name):
            head = next(name for name in self._selected if run.untested(name))
            if item.name == head:
                return Outcome("failed", run.error, run.error)
            return Outcome("skipped", f"not tested: {run.error}")
        if found is None:
            text = f"it did not run: the server was graded as MCP {run.spec_version} this time"
            return Outcome("failed", text, text)
        if found.kind == "failed" and not found.required and self._settings.required_only:
            return replace(found, kind="xfailed")
        return found

    def _run(self, only: Sequence[str]) -> Report:
        return run_compliance_suite(self._settings.target, self._settings.options, only=only)


class _Answers(Exception):
    """Ends a run as soon as its revision is known, and that there is a server."""
