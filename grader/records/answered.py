"""What is answered: one observation per probe, and the transcript of them all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from grader.records.asked import Numbers, Probe, Row, Rows

GARBLED = "Garbled"  # the type of the fault where a reply is not of the agreed form

Sides = tuple[float, float, float, float]


@dataclass(frozen=True)
class Fault:
    """An exception of the student's code: where in the file, at which stage, in which call."""

    stage: str
    type: str
    text: str
    line: int | None
    call: int | None


@dataclass(frozen=True)
class Answer:
    """What one call returned. ``numbers`` is None unless it was rows (or a row) of finite Values.

    ``said`` describes what came back in words ("a list of 3 floats"); ``tuples`` is true when a tuple stood
    where the text has a list; ``untouched`` is false when the caller's input was changed by the call.
    """

    numbers: Numbers | None
    said: str
    tuples: bool
    untouched: bool


@dataclass(frozen=True)
class Census:
    """Counts of ``parameters()`` before the first call and after the last one.

    ``initial``: their values as constructed, where these were left as they are.
    """

    before: int
    unique: int
    after: int
    same: bool
    kept: bool
    initial: Row


@dataclass(frozen=True)
class Gradients:
    """The student's gradients, and the weighted output moved along each direction.

    ``along_*``: a step forward, a step back, half a step forward, half a step back.
    """

    inputs: Numbers
    parameters: Row
    along_inputs: Sides
    along_parameters: Sides


@dataclass(frozen=True)
class Graph:
    """The recorded computation: per node its operation, number and children; which nodes are what.

    ``unlisted``: where it was asked, how many Values an instance computes with in every call that are neither inputs
    nor parameters nor shared with other instances.
    """

    ops: tuple[str, ...]
    data: Row
    children: tuple[tuple[int, ...], ...]
    inputs: tuple[int, ...]
    parameters: tuple[int, ...]
    outputs: tuple[int, ...]
    unlisted: int


@dataclass(frozen=True)
class Parts:
    """How many stand-ins the block built, and how often each was called in the first call."""

    attention: int
    norms: int
    feedforward: int
    norm_calls: tuple[int, ...]


@dataclass(frozen=True)
class Observation:
    """One answer to one probe: an outcome, and as much of the rest as was reached before a fault.

    ``composed``: a block's formulas over its own parts in call 0, with either of its norms first; empty where its
    parts cannot be told.
    """

    outcome: Literal["answered", "todo", "raised", "timeout", "memory", "died", "unloadable", "blocked"]
    fault: Fault | None = None
    census: Census | None = None
    answers: tuple[Answer, ...] = ()
    gradients: Gradients | None = None
    graph: Graph | None = None
    parts: Parts | None = None
    composed: tuple[Rows, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class Transcript:
    """All that was observed of one submission: answers by probe, what it printed, which layers were on.

    ``texts``: the JSON of answers that can be kept as they came.
    """

    observations: Mapping[Probe, Observation]
    printed: int = 0
    isolation: tuple[str, ...] = ()
    seconds: float = 0.0
    texts: Mapping[Probe, str] = field(default_factory=dict)
