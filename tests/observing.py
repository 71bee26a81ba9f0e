"""Observations by hand: plain numbers come in, the records that a judge rules on go out; no process anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.checks.evidence import Evidence, Judge, Ruling
from grader.checks.operations import result as performed
from grader.compare import flat
from grader.readings import EVERY, Reading
from grader.records import (
    Answer,
    Call,
    Census,
    Component,
    Environment,
    Fault,
    Gradients,
    Graph,
    Numbers,
    Observation,
    Probe,
    Report,
    Result,
    Row,
    Rows,
    Sides,
    Slope,
    Status,
    Submission,
)

X: Rows = ((1.0, -2.0), (0.5, 3.0), (-1.5, 0.25))
HAND_IN = Submission("transformer_block.py", "0" * 64, "first = 1\nsecond = 2\n    third = 3\n")


def probe(component: Component, *args: float, calls: Sequence[Numbers | Call] = (X,), **rest: Any) -> Probe:
    """A question; plain numbers in ``calls`` are called in the default way."""
    asked = tuple(call if isinstance(call, Call) else Call(call) for call in calls)
    return Probe(component, args, asked, **rest)


def answer(numbers: Numbers | None, said: str = "what it said", **rest: bool) -> Answer:
    """One answer; lists, and an untouched input, unless told otherwise."""
    return Answer(numbers, said, **{"tuples": False, "untouched": True, **rest})


def census(count: int, **rest: Any) -> Census:
    """``count`` parameters without fault; ``rest`` changes single fields."""
    right = Census(count, count, count, same=True, kept=True, initial=tuple(0.1 + i / 7 for i in range(count)))
    return replace(right, **rest)


def reading(component: Component, **options: Any) -> Reading:
    """The first accepted reading that has these options."""
    return next(r for r in EVERY[component] if options.items() <= dict(r.options).items())


def answered(*answers: Numbers | Answer, **rest: Any) -> Observation:
    """An observation with these answers, given as numbers or whole."""
    return Observation("answered", answers=tuple(a if isinstance(a, Answer) else answer(a) for a in answers), **rest)


def fault(kind: str, text: str = "", stage: str = "forward", line: int | None = None, call: int | None = 0) -> Fault:
    """An exception of the hand-in."""
    return Fault(stage, kind, text, line, call)


def raised(kind: str, text: str = "", stage: str = "forward", line: int | None = None) -> Observation:
    """An observation that ended in an exception."""
    return Observation("raised", fault(kind, text, stage, line, None if stage == "construct" else 0))


def evidence(
    observed: Mapping[Probe, Observation],
    expected: Mapping[tuple[Probe, Reading], Observation] | None = None,
    readings: Mapping[Component, tuple[Reading, ...]] | None = None,
) -> Evidence:
    """What a judge rules on."""
    return Evidence(observed, expected or {}, readings or EVERY)


def ruling(judge: Judge, *pairs: tuple[Probe, Observation]) -> Ruling:
    """What a judge says about these questions and answers."""
    return judge(evidence(dict(pairs)), [asked for asked, _ in pairs])


def judged(judge: Judge, asked: Probe, *answers: Numbers | Answer, **rest: Any) -> Ruling:
    """What a judge says about one question with these answers."""
    return ruling(judge, (asked, answered(*answers, **rest)))


def sloped(by_input: Row, by_parameter: Row, slope: Slope, rough: float = 0.0, **wrong: float) -> Gradients:
    """Gradients of a linear function, and the values it really has a step, and half a step, to either side.

    ``inputs`` and ``parameters`` add to a real slope; ``rough`` adds to both slopes as half a step measures them.
    """

    def sides(gradient: Row, direction: Row, extra: float) -> Sides:
        cycle = [direction[i % len(direction)] for i in range(len(gradient))]
        length = sum(u * u for u in cycle) ** 0.5 or 1.0
        rise = sum(g * u for g, u in zip(gradient, cycle)) / length + extra
        far, near = slope.step * rise, slope.step / 2 * (rise + rough)
        return 1.0 + far, 1.0 - far, 1.0 + near, 1.0 - near

    return Gradients(
        inputs=by_input,
        parameters=by_parameter,
        along_inputs=sides(by_input, flat(slope.inputs), wrong.get("inputs", 0.0)),
        along_parameters=sides(by_parameter, slope.parameters, wrong.get("parameters", 0.0)),
    )


def graph(nodes: Mapping[str, tuple[str, ...]], inputs: str, parameters: str, outputs: str) -> Graph:
    """A computation by names: each node is (operation, child, child); children stand before their parents.

    Every leaf is 0.5, every other node what its operation makes of its children, or 0 where nobody knows it.
    """
    place = {name: i for i, name in enumerate(nodes)}
    data: dict[str, float] = {}
    for name, (op, *below) in nodes.items():
        data[name] = (performed(op, [data[child] for child in below]) or 0.0) if below else 0.5

    def places(names: Sequence[str]) -> tuple[int, ...]:
        return tuple(place[name] for name in names)

    return Graph(
        ops=tuple(op for op, *_ in nodes.values()),
        data=tuple(data.values()),
        children=tuple(places(children) for _, *children in nodes.values()),
        inputs=places(inputs.split()),
        parameters=places(parameters.split()),
        outputs=places(outputs.split()),
        unlisted=0,
    )


def result(name: str = "LayerNorm.shape", status: Status = "passed", points: int = 2, **rest: Any) -> Result:
    """One line of a report: full points when passed, none otherwise."""
    component, _, _ = name.partition(".")
    line: dict[str, Any] = {
        "id": name, "component": component, "property": "shape", "claim": "a vector in, a vector out",
        "status": status, "points": points if status == "passed" else 0, "max_points": points,
        "message": "" if status == "passed" else f"{name} says why.",
        "hint": "" if status == "passed" else "Look at it again.", "seconds": 0.25,
    }  # fmt: skip
    return Result(**{**line, **rest})


def report(*results: Result, **rest: Any) -> Report:
    """A report of these lines."""
    environment = Environment("0.1.0", "3.12.0", "Linux", ("process",))
    return Report(rest.pop("submission", HAND_IN), 3, results, environment, 0.75, **rest)
