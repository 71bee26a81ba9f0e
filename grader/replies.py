"""What a reply must be beyond its form: an answer to the question that was asked, with parts that fit together.

Everything that judges observations indexes calls by answers, nodes by children and parameters by gradients. A reply
that a hand-in forged may be of the right form and still have these at odds, so it is looked at here, once.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.compare import flat, shape
from grader.forms import BadForm, from_form
from grader.records import Answer, Census, Fault, Gradients, Graph, Observation, Parts, Probe

BY_ROWS = ("MultiHeadAttention", "TransformerBlock")
OUTCOMES = ("answered", "todo", "raised", "memory")  # the others are the parent's to say
STAGES = ("construct", "parameters", "forward", "backward", "graph")
MAX_KEPT = 20_000  # parameters whose first numbers the worker tells
MAX_SAID = 4_000  # characters of a text; the worker cuts its own far below
MAX_SECONDS = 1e6


def observation_in(reply: object, probe: Probe) -> Observation:
    """The observation in a reply to ``probe``. Raises BadForm where it is none, or answers another question."""
    seen = from_form(Observation, reply)
    _need(seen.outcome in OUTCOMES and 0.0 <= seen.seconds <= MAX_SECONDS, "outcome")
    answered = seen.outcome == "answered"
    _need((seen.fault is None) == answered and (seen.census is not None or not answered), "fault")
    _need(len(seen.answers) == len(probe.calls) or (not answered and len(seen.answers) < len(probe.calls)), "answers")
    for told, asked in (
        (seen.gradients is not None, probe.slope is not None),
        (seen.graph is not None, probe.graph),
    ):
        _need(told == asked if answered else told <= asked, "as asked")
    _need((seen.parts is not None) == (probe.stand_ins is not None), "parts")
    _need(len(seen.composed) in ((0, 2) if probe.composed else (0,)), "composed")
    _need(all(_is_answer(answer, probe.component in BY_ROWS) for answer in seen.answers), "answers")
    _need(seen.fault is None or _is_fault(seen.fault, len(probe.calls)), "fault")
    _need(seen.census is None or _is_census(seen.census, probe), "census")
    _need(seen.parts is None or _is_parts(seen.parts), "parts")
    _need(seen.gradients is None or _are_gradients(seen.gradients, probe, seen.census), "gradients")
    _need(seen.graph is None or _is_graph(seen.graph, probe, seen), "graph")
    return seen


def text_of(line: bytes, seen: Observation) -> str | None:
    """The observation's own JSON within the line that brought it, to be kept as it came; None for an unusual line.

    With as many colons as there are fields no field is there twice, so nothing is in it but what was looked at.
    """
    text, _, count = line.rpartition(b', "printed": ')
    records = (seen, seen.fault, seen.census, *seen.answers, seen.gradients, seen.graph, seen.parts)
    fields = sum(len(one.__dataclass_fields__) for one in records if one is not None) + 1
    usual = count.endswith(b"}\n") and count[:-2].isdigit() and line.isascii() and line.count(b":") == fields
    return f"{text.decode('ascii')}}}" if usual else None


def _need(holds: bool, where: str) -> None:
    if not holds:
        raise BadForm(f"Observation.{where}: does not fit the question")


def _is_answer(answer: Answer, by_rows: bool) -> bool:
    numbers = answer.numbers
    if len(answer.said) > MAX_SAID:
        return False
    return numbers is None or (
        bool(numbers) and all((isinstance(row, tuple) and bool(row)) == by_rows for row in numbers)
    )


def _is_fault(fault: Fault, calls: int) -> bool:
    short = max(len(fault.type), len(fault.text)) <= MAX_SAID
    placed = fault.call is None or 0 <= fault.call < calls
    return short and placed and fault.stage in STAGES and (fault.line is None or fault.line >= 0)


def _is_census(census: Census, probe: Probe) -> bool:
    counts = 0 <= census.unique <= census.before and census.after >= 0
    told = min(census.before, MAX_KEPT) if probe.setting.how == "fresh" else 0
    return counts and len(census.initial) == told


def _is_parts(parts: Parts) -> bool:
    counts = (parts.attention, parts.norms, parts.feedforward, *parts.norm_calls)
    return min(counts) >= 0 and len(parts.norm_calls) == parts.norms


def _are_gradients(gradients: Gradients, probe: Probe, census: Census | None) -> bool:
    same = shape(gradients.inputs) == shape(probe.calls[0].x)
    return same and census is not None and len(gradients.parameters) == census.before


def _is_graph(graph: Graph, probe: Probe, seen: Observation) -> bool:
    count, census = len(graph.ops), seen.census
    if not len(graph.data) == len(graph.children) == count or census is None or not seen.answers:
        return False
    output = seen.answers[0].numbers
    return (
        graph.unlisted >= 0
        and all(len(op) <= MAX_SAID for op in {*graph.ops})
        and all(not below or (min(below) >= 0 and max(below) < node) for node, below in enumerate(graph.children))
        and all(_all_below(count, nodes) for nodes in (graph.inputs, graph.parameters, graph.outputs))
        and len(graph.inputs) == len(flat(probe.calls[0].x))
        and len(graph.parameters) == census.before
        and (output is None or len(graph.outputs) == len(flat(output)))
    )


def _all_below(count: int, nodes: Sequence[int]) -> bool:
    return not nodes or (min(nodes) >= 0 and max(nodes) < count)
