"""Forked workers are as good as fresh ones: the same answers, the same walls, the same deaths, and nothing shared."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from grader.forking import ForkServer
from grader.isolation import LEVELS, Level
from grader.process import Process
from grader.records import Observation, Probe, Transcript
from grader.rubric import plan
from grader.sandbox import observe
from grader.submission import read
from tests.hand_ins import REFERENCE
from tests.misbehaving import DEADLY, GIVEN, PROBES, SHORT, asked, faults, tripled

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux alone")
RUBRIC = tuple(dict.fromkeys(probe for probes in plan(0).values() for probe in probes))
# What a file could leave behind for the next one, if there were a way.
SPOILS = """
import builtins, engine, gc, json, math, nn, os, random, sys
math.exp = builtins.sum = json.dumps = json.loads = os._exit = lambda *_, **__: 0
engine.Value.__add__ = nn.Linear.forward = nn.Module.parameters = None
frame = sys._getframe()
while frame:
    frame.f_globals.clear()
    frame = frame.f_back
"""
# Says in an exception how many descriptors are open.
COUNTS = """
import os
count = 0
for descriptor in range(256):
    try:
        os.fstat(descriptor)
        count += 1
    except OSError:
        pass
raise ValueError(f"{count} are open")
"""


@pytest.fixture
def server() -> Iterator[ForkServer]:
    """A server that is ended after the test."""
    made = ForkServer(GIVEN)
    yield made
    made.close()


def timeless(transcript: Transcript) -> dict[Probe, Observation]:
    """Every observation without its time."""
    return {probe: replace(seen, seconds=0.0) for probe, seen in transcript.observations.items()}


def test_a_forked_worker_answers_as_a_fresh_one(server: ForkServer) -> None:
    """Every question of the rubric, twice in the order the server knows and once in another."""
    fresh = observe(read(REFERENCE), RUBRIC, GIVEN)
    for probes in (RUBRIC, RUBRIC, RUBRIC[::-1]):
        forked = observe(read(REFERENCE), probes, GIVEN, server=server)
        assert _random_apart(forked) == _random_apart(fresh)
        assert forked.isolation[0] == fresh.isolation[0]


def _random_apart(transcript: Transcript) -> dict[Probe, object]:
    """What does not depend on the order in which sets of nodes are walked."""
    return {probe: replace(seen, graph=None) for probe, seen in timeless(transcript).items()}


def test_nothing_that_a_file_spoils_reaches_the_next(server: ForkServer, tmp_path: Path) -> None:
    """Given code, library and the worker itself are as before."""
    asked(tmp_path, top=SPOILS, server=server)
    before = server.pid
    assert tripled(asked(tmp_path, server=server)) and server.pid == before


@pytest.mark.parametrize(("line", "how"), DEADLY.items())
def test_death_is_told_as_that_of_a_fresh_one(server: ForkServer, tmp_path: Path, line: str, how: str) -> None:
    """Exit statuses and signals come by way of the server."""
    forked = asked(tmp_path, body=line, server=server)
    fault = forked.observations[PROBES[0]].fault
    assert tripled(forked) and fault is not None and how in fault.text
    assert faults(forked) == faults(asked(tmp_path, body=line))


def test_a_hanging_fork_is_killed(server: ForkServer, tmp_path: Path) -> None:
    """It costs its own time, and the next is forked by the same server."""
    assert faults(asked(tmp_path, body="while True: pass", limits=SHORT, server=server))[0] == ("timeout", "Timeout")
    before = server.pid
    assert tripled(asked(tmp_path, server=server)) and server.pid == before


def test_a_killed_server_is_replaced(server: ForkServer, tmp_path: Path) -> None:
    """The next hand-in is asked all the same."""
    assert tripled(asked(tmp_path, server=server))
    before = server.pid
    os.kill(before, signal.SIGKILL)
    assert tripled(asked(tmp_path, server=server)) and server.pid != before


def test_while_a_fork_is_under_way_workers_start_fresh(server: ForkServer, tmp_path: Path) -> None:
    """A server forks one at a time, and threads need not wait for each other."""
    fork = partial(server.fork, asked=b"[]")
    with Process(str(tmp_path), "full", 60, fork) as one, Process(str(tmp_path), "full", 60, fork) as other:
        assert one.forked is not None and other.forked is None
        assert one.start(GIVEN, 30) and other.start(GIVEN, 30)


@pytest.mark.parametrize("level", LEVELS)
def test_a_fork_holds_what_a_fresh_worker_holds(server: ForkServer, tmp_path: Path, level: Level) -> None:
    """No descriptor of the server, of its socket or of its rules is open in a hand-in."""
    told = []
    for how in (server, None):
        seen = asked(tmp_path, top=COUNTS, apply=level, require="process", server=how).observations[PROBES[0]]
        assert seen.fault is not None
        told.append(seen.fault.text)
    assert told[0] == told[1]
