"""Ways to lay out the parameters of a right hand-in: in which order its list names the weights of the reference.

A cell is one weight by its role and place. A layout is the reference's cells in the order of the hand-in's list;
usual ones come first. None of this decides on marks: a list that fits nothing here may be as right as any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from typing import Any, TypeAlias

from grader.readings import Reading

Cell: TypeAlias = tuple[Any, ...]
Cells: TypeAlias = tuple[Cell, ...]
AXES = tuple(permutations(range(3)))
CUTS = ((1, 1, 1), (3,), (1, 2), (2, 1))  # three layers of their own, one for all, queries and a layer for two, ...


# How weights are stored, and where biases stand: (turned to [in][out] or not, place).
STYLES = ((False, "after"), (True, "after"), (False, "last"), (True, "last"), (False, "beside"))


@dataclass(frozen=True)
class Layer:
    """One linear layer: for each output a row of weights, and its bias or nothing."""

    rows: tuple[tuple[Cells, Cells], ...]

    def weights(self, turned: bool) -> Cells:
        rows = [weights for weights, _ in self.rows]
        return tuple([cell for row in (zip(*rows) if turned else rows) for cell in row])

    def biases(self) -> Cells:
        return tuple([cell for _, bias in self.rows for cell in bias])


Layers: TypeAlias = tuple[Layer, ...]


def listed(layers: Layers, turned: bool = False, place: str = "after") -> Cells:
    """The cells of layers: biases after their layer, after everything, or each beside its row of weights."""
    if place == "beside":
        return tuple([cell for layer in layers for both in layer.rows for cells in both for cell in cells])
    biases = [layer.biases() for layer in layers]
    weights = [layer.weights(turned) for layer in layers]
    parts = [*weights, *biases] if place == "last" else [cells for both in zip(weights, biases) for cells in both]
    return tuple([cell for cells in parts for cell in cells])


def norm_orders(D: int) -> Iterator[Cells]:
    """Scale and shift, shift and scale, or channel by channel."""
    scale, shift = ([(name, c) for c in range(D)] for name in ("scale", "shift"))
    yield from ((*scale, *shift), (*shift, *scale), tuple(c for both in zip(scale, shift) for c in both))


def feedforward_orders(D: int, hidden: int, options: dict[str, Any]) -> Iterator[Cells]:
    """Two layers, either first; the reference's own order comes first."""
    sizes = (("one", hidden, D, options["bias1"]), ("two", D, hidden, options["bias2"]))
    layers = tuple(
        Layer(tuple((tuple((name, o, i) for i in range(width)), ((name, o),) * bias) for o in range(outs)))
        for name, outs, width, bias in sizes
    )
    for order, style in product((layers, layers[::-1]), STYLES):
        yield listed(order, *style)


@dataclass(frozen=True)
class Attention:
    """The cells of multi-head attention under one reading."""

    D: int
    H: int
    reading: Reading

    @cached_property
    def options(self) -> dict[str, Any]:
        return dict(self.reading.options)

    @cached_property
    def places(self) -> range:
        """The channels of a head."""
        return range(self.D // self.H)

    def reference(self) -> Cells:
        """In the order of the reference: biases of per-head output layers, heads, inner layers, output layer."""
        heads = [self.fused(self._outs(role, [h], AXES[0])) for h in range(self.H) for role in "qkv"]
        each = (
            [cell for layer in self.pieces() for cell in layer.biases()] if self.options["out_bias"] == "each" else []
        )
        return (*each, *listed((*heads, *self.inner(), *self.whole(False))))

    def fused(self, outs: Sequence[Cell]) -> Layer:
        """One layer with these outputs, each a role, a head and a channel."""
        width = range(self.D) if self.options["reach"] == "all" else self.places
        return Layer(tuple((tuple((*o, i) for i in width), (o,) * self.options[f"{o[0]}_bias"]) for o in outs))

    def inner(self) -> Layers:
        """The output layers within the heads."""
        bias = self.options["inner_bias"]
        return tuple(
            Layer(
                tuple((tuple(("inner", h, o, i) for i in self.places), (("inner", h, o),) * bias) for o in self.places)
            )
            for h in range(self.H if self.options["inner"] else 0)
        )

    def whole(self, strided: bool) -> Layers:
        """The output projection as one layer; heads side by side, or channel by channel when ``strided``."""
        columns = [(h, i) for h in range(self.H) for i in self.places]
        columns.sort(key=lambda column: column[::-1] if strided else column)
        bias = self.options["out_bias"] == "one"
        rows = ((tuple(("out", c, *column) for column in columns), (("out", c),) * bias) for c in range(self.D))
        return (Layer(tuple(rows)),)

    def pieces(self) -> Layers:
        """The output projection as a sum of one layer per head; a single bias goes with the last."""

        def bias(h: int, c: int) -> Cells:
            single = (("out", c),) if h == self.H - 1 else ()
            return {"none": (), "one": single, "each": (("out bias", h, c),)}[self.options["out_bias"]]

        return tuple(
            Layer(tuple((tuple(("out", c, h, i) for i in self.places), bias(h, c)) for c in range(self.D)))
            for h in range(self.H)
        )

    def orders(self) -> Iterator[Cells]:
        """Every layout that is tried, each once."""
        seen: set[int] = set()
        for layers in self._layers():
            for style in STYLES:
                cells = listed(layers, *style)
                if hash(cells) not in seen:
                    seen.add(hash(cells))
                    yield cells

    def _layers(self) -> Iterator[Layers]:
        single = self.options["out_bias"] != "each"
        outs = [self.pieces(), *((self.whole(False), self.whole(True)) if single else ())]
        for groups in _groups():
            ways = (*self._together(groups), *self._by_head(groups), *self._by_group(groups))
            for projections, out in product(dict.fromkeys(ways), outs[::-1]):
                yield (*projections, *self.inner(), *out)
                yield (*out, *projections, *self.inner())
            for heads in self._by_head(groups, self.pieces()):
                yield (*heads, *self.inner())
            for heads in self._by_head(groups, self.inner()) if single and self.inner() else ():
                yield (*heads, *self.whole(False))
                yield (*self.whole(False), *heads)

    def _by_head(self, groups: Sequence[str], last: Layers = ()) -> Iterator[Layers]:
        """Heads that each have their layers, and their share of ``last``."""
        for order in AXES:
            heads = [
                (*(self.fused(self._outs(g, [h], order)) for g in groups), *last[h : h + 1]) for h in range(self.H)
            ]
            yield tuple(layer for head in heads for layer in head)

    def _by_group(self, groups: Sequence[str]) -> Iterator[Layers]:
        """Lists with a layer for each head."""
        for order in AXES:
            yield tuple(self.fused(self._outs(g, [h], order)) for g in groups for h in range(self.H))

    def _together(self, groups: Sequence[str]) -> Iterator[Layers]:
        """Layers that span all heads."""
        for order in AXES if self.options["reach"] == "all" else ():
            yield tuple(self.fused(self._outs(g, range(self.H), order)) for g in groups)

    def _outs(self, roles: str, heads: Iterable[int], order: tuple[int, ...]) -> list[Cell]:
        """The outputs of one layer: which of role, head and channel changes slowest, which fastest."""
        axes: tuple[Sequence[Any], ...] = (roles, list(heads), self.places)
        found = product(*(axes[n] for n in order))
        return [tuple(out[order.index(n)] for n in range(3)) for out in found]


def _groups() -> Iterator[tuple[str, ...]]:
    """Queries, keys and values in any order, as separate layers or joined."""
    for roles, cut in product(permutations("qkv"), CUTS):
        text = "".join(roles)
        yield tuple(text[sum(cut[:n]) : sum(cut[: n + 1])] for n in range(len(cut)))
