"""Work spread over processes: every result, how far it has got, and what is raised."""

from __future__ import annotations

import os
import signal

import pytest

from grader.progress import Progress
from grader.records import GraderFault
from grader.spread import spread


def third(number: int) -> float:
    """A third of a number that is not zero; a negative one ends its process."""
    if number < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return 1.0 / number / 3.0


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_result_comes_with_how_far_it_has_got(jobs: int) -> None:
    """In the order of completion, counted from one."""
    found = list(spread(third, [1, 2, 4, 5], jobs))
    assert sorted(result for result, _ in found) == sorted(map(third, [1, 2, 4, 5]))
    assert [(progress.done, progress.total) for _, progress in found] == [(k, 4) for k in (1, 2, 3, 4)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_the_work_raises_is_raised(jobs: int) -> None:
    """As if it had not been done elsewhere."""
    with pytest.raises(ZeroDivisionError):
        list(spread(third, [0, 1], jobs))


def test_a_process_that_dies_twice_is_a_fault() -> None:
    """Nothing is left out without a word."""
    with pytest.raises(GraderFault, match="died twice"):
        list(spread(third, [-1, 1], 2))


def test_a_bar_has_room_or_is_left_out() -> None:
    """In a wide terminal a bar and the words, in a narrow one the words, never more than the width."""
    progress = Progress(412, 1000, 20.6)
    assert progress.line(90).rstrip() == "[#########...............] 412 of 1000, 20.0 a second, 0:29 left"
    assert progress.line(50) == "412 of 1000, 20.0 a second, 0:29 left".ljust(50)
    assert progress.line(10) == "412 of 100"


def test_nothing_is_divided_by_zero() -> None:
    """Before the first is done, and where there is nothing to do."""
    assert Progress(0, 3, 0.0).words == "0 of 3, 0.0 a second, 0:00 left" and "[" in Progress(0, 0, 0.0).line(80)
