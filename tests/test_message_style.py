"""The style that messages are held to: each way to break it is found, and a good message has none."""

from __future__ import annotations

import pytest

from grader.records import Environment, Report, Result, Status, Submission
from tests.message_style import troubles

GOOD = "LayerNorm(5) called with 5 numbers as constructed: output[0] is 1; expected 2."
RAISED = "LayerNorm(5) raised KeyError: 'q', at line 1: `open('/etc/motd/x')`."


def said(message: str, status: Status = "failed", hint: str = "Where is the mean?") -> list[str]:
    """What is found in a report with this one lost line."""
    line = Result("LayerNorm.values", "LayerNorm", "values", "claim", status, 0, 3, message, hint, 0.0)
    here = Environment("1", "3.12", "linux", ())
    return troubles(Report(Submission("a.py", "0", "open('/etc/motd/x')"), 0, (line,), here, 0.0))


@pytest.mark.parametrize(("message", "status"), [(GOOD, "failed"), (RAISED, "raised"), ("Waits for x.", "blocked")])
def test_a_good_message_has_no_trouble(message: str, status: Status) -> None:
    """What was done, seen and expected; an exception with the student's own line; what it waits for."""
    assert said(message, status) == []


@pytest.mark.parametrize(
    ("message", "status", "trouble"),
    [
        ("Output[0] is 1; expected 2.", "failed", "what was done"),
        (GOOD.replace("expected", "not"), "failed", "what was expected"),
        (GOOD.rstrip("."), "failed", "not one readable paragraph"),
        (GOOD.replace("; ", ";\n"), "failed", "not one readable paragraph"),
        (GOOD.replace("is 1", "is 1" * 300), "failed", "not one readable paragraph"),
        (GOOD + " See /home/x/nn.py.", "failed", "a path or a traceback"),
        (GOOD + " Traceback (most recent call last).", "failed", "a path or a traceback"),
        (RAISED.replace("'q'", "/home/x/nn.py"), "raised", "a path or a traceback"),
        (RAISED.replace("raised", "gave"), "raised", "what was raised"),
        (GOOD + " rsqrt = (variance + self.eps) ** -0.5.", "failed", "a line of the solution"),
    ],
)
def test_each_way_to_break_the_style_is_found(message: str, status: Status, trouble: str) -> None:
    """One trouble for each."""
    (found,) = said(message, status)
    assert trouble in found


def test_a_message_needs_a_hint() -> None:
    """A sentence or a question."""
    assert "no hint" in said(GOOD, hint="")[0]
