"""In CI every test runs: a skipped one counts as a failure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

collect_ignore = ["submissions"]  # hand-ins, not tests


def _skipped(config: pytest.Config) -> list[pytest.TestReport | pytest.CollectReport]:
    """The reports of skipped tests and modules, if this run allows none."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") != "true" or terminal is None:
        return []
    return list(terminal.stats.get("skipped", []))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Turn a run that passed with skipped tests into a failed one."""
    if session.exitstatus == pytest.ExitCode.OK and _skipped(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why the run failed, when only skipped tests failed it."""
    reports = _skipped(terminalreporter.config)
    if reports:
        names = ", ".join(sorted({report.nodeid or Path(report.fspath).name for report in reports}))
        terminalreporter.section("skipped tests are not allowed in CI", red=True)
        terminalreporter.line(f"{len(reports)} skipped, and CI=true allows none: {names}")
