"""Processes side by side: every task has one answer, whoever dies or hangs."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from grader.pool import Gone, Pool


def work(message: bytes) -> bytes:
    """Answers with its process's number, or dies, or hangs, as the message says."""
    if message == b"die":
        os.kill(os.getpid(), signal.SIGKILL)
    if message.startswith(b"once "):
        mark = Path(message[5:].decode())
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    if message == b"hang":
        time.sleep(600)
    return b"%d" % os.getpid()


def ran(tasks: list[tuple[int, str]], jobs: int = 2, budget: float = 60.0) -> dict[tuple[int, str], bytes | Gone]:
    """Every task's answer; a task is its group and its message."""

    def message(task: tuple[int, str]) -> bytes | Gone:
        return Gone("no message") if task[1] == "none" else task[1].encode()

    pool = Pool(work, message, lambda task: task[0], jobs, budget)
    answers = list(pool.run(tasks))
    assert len(answers) == len(tasks)
    return dict(answers)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_every_task_is_answered_once(jobs: int) -> None:
    """By one of as many processes as were asked for."""
    answers = ran([(0, str(n)) for n in range(20)], jobs)
    assert len(answers) == 20 and 1 <= len(set(answers.values())) <= jobs


def test_no_task_no_process() -> None:
    """Nothing to do is done at once."""
    assert ran([]) == {}


def test_a_group_stays_with_one_process_while_there_are_others() -> None:
    """What a process keeps for a group is asked for once."""
    answers = ran([(n % 2, str(n)) for n in range(20)])
    at = [{answer for (group, _), answer in answers.items() if group == g} for g in (0, 1)]
    assert min(len(one) for one in at) == 1


def test_a_task_that_kills_its_process_is_given_up_after_two() -> None:
    """The others have their answers."""
    answers = ran([(0, "a"), (0, "die"), (0, "b"), (1, "c")])
    assert answers[0, "die"] == Gone("the grading process died twice")
    assert all(isinstance(answers[key], bytes) for key in answers if key[1] != "die")


def test_a_process_that_dies_once_costs_nothing(tmp_path: Path) -> None:
    """Its task is tried again in a fresh one."""
    assert all(isinstance(answer, bytes) for answer in ran([(0, "a"), (0, f"once {tmp_path}/mark"), (0, "b")]).values())


def test_a_task_over_its_budget_is_given_up() -> None:
    """It costs its own budget; the others have their answers."""
    answers = ran([(0, "hang"), *((0, str(n)) for n in range(5))], budget=8.0)
    assert answers[0, "hang"] == Gone("grading took longer than 8 s and was stopped")
    assert sum(isinstance(answer, bytes) for answer in answers.values()) == 5


def test_a_task_without_a_message_is_answered_with_why() -> None:
    """It never reaches a process."""
    assert ran([(0, "none"), (0, "a")])[0, "none"] == Gone("no message")
