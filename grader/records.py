"""The nouns of the flow as frozen records: what is asked, what is answered, what is reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Component = Literal["MultiHeadAttention", "LayerNorm", "FeedForward", "TransformerBlock"]
Property = Literal["contract", "shape", "residual", "causality", "values", "gradient"]
Status = Literal["passed", "failed", "todo", "raised", "timeout", "memory", "died", "unloadable", "blocked"]

COMPONENTS: tuple[Component, ...] = ("MultiHeadAttention", "LayerNorm", "FeedForward", "TransformerBlock")

Row = tuple[float, ...]
Rows = tuple[Row, ...]
Sides = tuple[float, float, float, float]
Numbers: TypeAlias = Row | Rows  # one vector for LayerNorm and FeedForward, T rows for the other two


@dataclass(frozen=True)
class Submission:
    """One student's file as text. ``trouble`` says in words why there is no text to run."""

    name: str
    sha256: str
    text: str | None
    trouble: str | None = None


@dataclass(frozen=True)
class Call:
    """One call of ``forward``. ``causal``: None leaves the argument out, else how and with what it is passed."""

    x: Numbers
    causal: bool | None = None
    positional: bool = False


@dataclass(frozen=True)
class Setting:
    """What the parameters are before the first call; ``values`` are used in turn, again from the start if too few.

    ``fresh`` leaves them as constructed, ``set`` replaces every one, ``add`` moves every one.
    """

    how: Literal["fresh", "set", "add"] = "fresh"
    values: Row = ()


@dataclass(frozen=True)
class StandIns:
    """Plain parts in place of the student's own, with two numbers each; norms in the order they are constructed."""

    attention: tuple[float, float]
    feedforward: tuple[float, float]
    norms: tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True)
class Slope:
    """Ask for the gradient of sum(weights * output of call 0), and for its change along fixed directions.

    ``inputs`` is a direction over x, ``parameters`` one over all parameters (used in turn); both are scaled
    to length 1 by whoever uses them. ``step`` is the length of the move to either side.
    """

    weights: Numbers
    inputs: Numbers
    parameters: Row
    step: float = 1e-5


@dataclass(frozen=True)
class Probe:
    """One question, complete in itself: build the component, set its parameters, call it."""

    component: Component
    args: tuple[float, ...]
    calls: tuple[Call, ...] = ()
    kwargs: tuple[tuple[str, Any], ...] = ()
    setting: Setting = Setting()
    slope: Slope | None = None
    stand_ins: StandIns | None = None
    graph: bool = False
    composed: bool = False
    seed: int = 0

    def __hash__(self) -> int:
        """Taken once: a probe is long, and a key in many dictionaries."""
        known: int | None = self.__dict__.get("_hash")
        if known is None:
            known = hash(tuple(getattr(self, name) for name in self.__dataclass_fields__))
            object.__setattr__(self, "_hash", known)
        return known

    def __getstate__(self) -> dict[str, Any]:
        """Without the hash: it is another one in another process."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


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
    """Counts of ``parameters()`` before the first call and after the last one, and their values as constructed."""

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

    value: float
    inputs: Numbers
    parameters: Row
    along_inputs: Sides
    along_parameters: Sides


@dataclass(frozen=True)
class Graph:
    """The recorded computation: per node its operation, number and children; which nodes are what."""

    ops: tuple[str, ...]
    data: Row
    children: tuple[tuple[int, ...], ...]
    inputs: tuple[int, ...]
    parameters: tuple[int, ...]
    outputs: tuple[int, ...]


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
    """All that was observed of one submission: answers by probe, what it printed, which layers were on."""

    observations: Mapping[Probe, Observation]
    printed: int = 0
    isolation: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class Result:
    """One line of the report."""

    id: str
    component: Component
    property: Property
    claim: str
    status: Status
    points: int
    max_points: int
    message: str
    hint: str
    seconds: float


@dataclass(frozen=True)
class Diagnosis:
    """A named misconception whose numbers equal the student's."""

    component: Component
    misconception: str
    sentence: str
    hint: str


@dataclass(frozen=True)
class Notice:
    """Something a student should know that costs no points."""

    component: Component | None
    text: str


@dataclass(frozen=True)
class Picture:
    """Numbers that people would rather look at than read.

    ``heat``: a cell per number, ``rows`` by ``columns``, beside ``expected`` where that is known (else empty).
    ``pairs``: a bar per number, two to a row, named in ``columns``.
    ``wrong`` are the places (row, column) that are at odds with a right answer.
    """

    kind: Literal["heat", "pairs"]
    component: Component
    title: str
    caption: str
    rows: Rows
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    expected: Rows = ()
    wrong: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Environment:
    """What graded, on what, and which isolation layers were on."""

    grader: str
    python: str
    platform: str
    isolation: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """All lines, totals, seed and environment of one graded submission."""

    submission: Submission
    seed: int
    results: tuple[Result, ...]
    environment: Environment
    seconds: float
    diagnoses: tuple[Diagnosis, ...] = ()
    notices: tuple[Notice, ...] = field(default=())
    pictures: tuple[Picture, ...] = ()

    @property
    def score(self) -> int:
        return sum(result.points for result in self.results)

    @property
    def max_score(self) -> int:
        return sum(result.max_points for result in self.results)

    def of(self, component: Component) -> tuple[Result, ...]:
        """The lines of one component, in rubric order."""
        return tuple(result for result in self.results if result.component == component)


class GraderFault(Exception):
    """The grader or its environment is broken: no verdict, no score, exit status 3."""


class UsageError(Exception):
    """The command was called in a way that cannot work: one line for the user, exit status 2."""
