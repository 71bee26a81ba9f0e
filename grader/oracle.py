"""The random-parameter oracle: a hand-in equals the reference on the same numbers, in some order of its parameters.

Equal parameters leave the layout out of the question; here every parameter differs, and layouts are tried instead.
The reference is asked once per reading for its computation, which is done again here with the numbers in each order.
A fit confirms the values of a component; a list that fits nothing tried here says nothing, and never costs a mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from random import Random

from grader.checks.contract import fitting
from grader.checks.draws import row, rows
from grader.checks.recomputation import Replay
from grader.compare import close, flat
from grader.expectations import Expectations
from grader.layouts import Attention, Cells, feedforward_orders, norm_orders
from grader.readings import Reading
from grader.records import COMPONENTS, Call, Component, Graph, Observation, Probe, Row, Setting

D, H = 6, 3
MOST = 600  # numbers: more than any right hand-in of these sizes has parameters
USUAL = 200  # layouts that are tried under every reading before the rest of them
PARTS: tuple[tuple[str, Component], ...] = (
    ("norm", "LayerNorm"), ("attention", "MultiHeadAttention"), ("norm", "LayerNorm"), ("feedforward", "FeedForward"),
)  # fmt: skip


@dataclass(frozen=True)
class Fit:
    """The reading and the order of the parameters under which a component equals the reference."""

    reading: Reading
    cells: Cells


def questions(seed: int) -> dict[Component, Probe]:
    """One probe per component, with no two parameters alike; attention is called without the mask too."""
    rng = Random(f"oracle {seed}")
    values = Setting("set", tuple(rng.uniform(0.2, 0.8) * rng.choice((-1.0, 1.0)) for _ in range(MOST)))
    one, x = rows(rng, 1, D), rows(rng, 3, D)  # a single row tells most layouts apart, and is soon worked out
    vectors = Call(row(rng, D)), Call(row(rng, D))
    return {
        "MultiHeadAttention": Probe("MultiHeadAttention", (D, H), (Call(one), Call(x), Call(x, False)), setting=values),
        "LayerNorm": Probe("LayerNorm", (D, 0.1), vectors, setting=values),
        "FeedForward": Probe("FeedForward", (D,), vectors, setting=values),
        "TransformerBlock": Probe("TransformerBlock", (D, H), (Call(one), Call(x)), setting=values),
    }


class Oracle:
    """Holds hand-ins against one reference; what it worked out for one hand-in serves the next.

    ``probes`` are its questions and, for the counts of parameters alone, attention of other sizes.
    """

    def __init__(self, seed: int, expectations: Expectations) -> None:
        self.questions = questions(seed)
        rng = Random(f"oracle sizes {seed}")
        sizes = (Probe("MultiHeadAttention", size, (Call(rows(rng, 1, size[0])),)) for size in ((4, 1), (4, 2), (4, 4)))
        self.probes = (*self.questions.values(), *sizes)
        self._expectations = expectations
        self._tried: dict[Reading, Candidates] = {}

    def fits(self, seen: Mapping[Probe, Observation]) -> dict[Component, Fit]:
        """The components that equal the reference, each with a layout under which it does; the block comes last."""
        found: dict[Component, Fit] = {}
        for component in COMPONENTS:
            probe = self.questions[component]
            readings = _blocks(found) if component == "TransformerBlock" else fitting(component, seen)
            fit = self._fit(probe, seen[probe], readings, found)
            if fit:
                found[component] = fit
        return found

    def mistake(self, seen: Mapping[Probe, Observation]) -> str:
        """The sentence of the misconception that the block is, number for number; nothing where none fits."""
        parts, probe = self.fits(seen), self.questions["TransformerBlock"]
        known = [m for m in self._expectations.library if m.component == "TransformerBlock"]
        for reading in () if "TransformerBlock" in parts else _blocks(parts):
            for one in known if _count(seen[probe]) == reading.count(D, H) else ():
                graphs = _graphs(self._expectations.mistaken(one, reading, _with_graph(probe)))
                if len(graphs) == len(probe.calls):
                    candidates = Candidates(probe.setting.values, graphs, *_block_orders(reading, parts))
                    if candidates.equal_to(_said(seen[probe]), None):
                        return one.sentence
        return ""

    def _fit(
        self, probe: Probe, seen: Observation, readings: Sequence[Reading], parts: Mapping[Component, Fit]
    ) -> Fit | None:
        counted = [r for r in readings if r.count(D, H) == _count(seen)]
        said = _said(seen) if counted else ()
        for most in (USUAL, None) if said else ():
            for reading in counted:
                cells = self._candidates(probe, reading, parts).equal_to(said, most)
                if cells:
                    return Fit(reading, cells)
        return None

    def _candidates(self, probe: Probe, reading: Reading, parts: Mapping[Component, Fit]) -> Candidates:
        known = self._tried.get(reading)
        if known:
            return known
        block = probe.component == "TransformerBlock"
        asked = _with_graph(probe)
        seen = self._expectations.expect((one, reading) for one in asked)
        graphs = _graphs([seen[one, reading] for one in asked])
        orders = _block_orders(reading, parts) if block else _orders(reading)
        found = Candidates(probe.setting.values, graphs, *orders)
        if not block:  # a block's layouts are those of this hand-in's parts
            self._tried[reading] = found
        return found


class Candidates:
    """The reference's answers under one layout after another, each worked out when it is first looked at."""

    def __init__(self, values: Row, graphs: Sequence[Graph], reference: Cells, orders: Iterator[Cells]) -> None:
        self._values, self._reference, self._orders = values, reference, orders
        self._replays = [Replay(graph) for graph in graphs]
        self._known: list[tuple[Cells, float]] = []  # with the first number of the first answer

    def equal_to(self, said: Sequence[float], most: int | None) -> Cells | None:
        """A layout, among the first so many, under which the reference says this."""
        for cells, first in islice(self._all(), most):
            if close(first, said[0]):
                numbers = self._numbers(cells)
                want = [v for replay in self._replays for v in replay.outputs(numbers)]
                if len(want) == len(said) and all(map(close, said, want)):
                    return cells
        return None

    def _all(self) -> Iterator[tuple[Cells, float]]:
        yield from self._known
        for cells in self._orders:
            self._known.append((cells, self._replays[0].outputs(self._numbers(cells), first=True)[0]))
            yield self._known[-1]

    def _numbers(self, cells: Cells) -> list[float]:
        """The reference's parameters when the hand-in's list means these cells."""
        place = dict(zip(cells, self._values))
        return [place[cell] for cell in self._reference]


def _count(seen: Observation) -> int | None:
    return seen.census.before if seen.outcome == "answered" and seen.census else None


def _said(seen: Observation) -> Row:
    """Every number of every answer, none where one answer has none."""
    numbers = [answer.numbers for answer in seen.answers]
    return () if None in numbers else tuple(v for one in numbers if one is not None for v in flat(one))


def _with_graph(probe: Probe) -> list[Probe]:
    return [Probe(probe.component, probe.args, (call,), setting=probe.setting, graph=True) for call in probe.calls]


def _graphs(seen: Iterable[Observation]) -> list[Graph]:
    return [one.graph for one in seen if one.graph]


def _orders(reading: Reading) -> tuple[Cells, Iterator[Cells]]:
    """The reference's own order of one component's parameters, and those that are tried."""
    if reading.component == "MultiHeadAttention":
        attention = Attention(D, H, reading)
        return attention.reference(), attention.orders()
    if reading.component == "LayerNorm":
        return next(norm_orders(D)), norm_orders(D)
    options = dict(reading.options)
    return next(feedforward_orders(D, 4 * D, options)), feedforward_orders(D, 4 * D, options)


def _blocks(parts: Mapping[Component, Fit]) -> list[Reading]:
    """The block made of the parts that fitted, if all three did."""
    if any(name not in parts for _, name in PARTS):
        return []
    return [Reading("TransformerBlock", tuple({key: parts[name].reading.options for key, name in PARTS}.items()))]


def _block_orders(reading: Reading, parts: Mapping[Component, Fit]) -> tuple[Cells, Iterator[Cells]]:
    """Four parts in any order, each laid out as the component alone."""
    own = [_tagged(n, _orders(parts[name].reading)[0]) for n, (_, name) in enumerate(PARTS)]
    laid = [_tagged(n, parts[name].cells) for n, (_, name) in enumerate(PARTS)]
    return _joined(own), (_joined(laid[n] for n in order) for order in permutations(range(len(PARTS))))


def _tagged(part: int, cells: Cells) -> Cells:
    return tuple((part, *cell) for cell in cells)


def _joined(parts: Iterable[Cells]) -> Cells:
    return tuple(cell for cells in parts for cell in cells)
