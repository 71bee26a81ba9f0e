"""Quick code in the place of given code: the same answers, and never there where a hand-in could tell."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.checks.operations import unfolded
from grader.forms import from_form, to_form
from grader.pasted import pasted
from grader.records import Graph
from grader.rubric import plan
from grader.sandbox import given_code
from grader.submission import read
from tests.hand_ins import REFERENCE, ROOT, whole_text
from tests.test_quick_graphs import close

GIVEN = given_code(ROOT / "exercise")
RIGHT = sorted((ROOT / "tests" / "submissions" / "right").glob("*.py"))
PLAIN = "\n(lambda v: v._backward)\n"  # naming it is enough to keep the given code
TEXT = REFERENCE.read_text(encoding="utf-8")
UNUSUAL = {
    "names an inner attribute": "def f(v): return v._prev",
    "names one in a string": "def f(v): return getattr(v, '_backward')",
    "gives Values other operators": "Value.__rsub__ = Value.__add__",
    "adds a method": "Value.sqrt = lambda v: v**0.5",
    "derives": "class Mine(Value): pass",
    "derives under another name": "from engine import Value as V\nclass Mine(V): pass",
    "rebinds": "class Mine: pass\nValue = Mine",
    "rebinds the engine's": "import engine\nengine.Value = None",
    "gives a second name": "Scalar = Value",
    "copies": "import copy",
    "evaluates text": "eval('1')",
    "inspects": "def f(v): return vars(v)",
    "sets by name": "setattr(Value, 'sqrt', None)",
}


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """Imports the worker's modules by name, and forgets them and all that they load."""
    before = dict(sys.modules)
    monkeypatch.syspath_prepend(ROOT / "grader" / "worker")
    yield __import__
    for name in sys.modules.keys() - before.keys():
        del sys.modules[name]
    sys.modules.update(before)


def loaded(worker: Callable[[str], ModuleType], text: str) -> tuple[Any, bool]:
    """The hand-in as the worker loads it, and whether its Value is the quick one."""
    hand_in, fault = worker("loading").load("transformer_block.py", text, GIVEN, pasted(text, GIVEN))
    assert fault is None
    return hand_in, hasattr(hand_in.Value, "_dot")


def answers(worker: Callable[[str], ModuleType], text: str) -> list[dict[str, Any]]:
    """What a hand-in answers to every question of the rubric."""
    hand_in, _ = loaded(worker, text)
    probes = dict.fromkeys(probe for probes in plan(0).values() for probe in probes)
    gc.disable()  # as the worker does
    try:
        found = [worker("asking").answer(hand_in, to_form(probe)) for probe in probes]
    finally:
        gc.enable()
    return [{name: value for name, value in form.items() if name != "seconds"} for form in found]


def graph_of(form: dict[str, Any] | None) -> Any:
    """A recorded graph, unfolded, without the order in which it was walked: per output, the whole tree's digest."""
    if form is None:
        return None
    graph = unfolded(from_form(Graph, form))
    digests: list[int] = []
    leaves = {i: ("x", k) for k, i in enumerate(graph.inputs)} | {i: ("p", k) for k, i in enumerate(graph.parameters)}
    for i, (op, data, children) in enumerate(zip(graph.ops, graph.data, graph.children)):
        digests.append(hash((op, data, leaves.get(i), tuple(sorted(digests[child] for child in {*children})))))
    return len(digests), sorted(digests), [digests[i] for i in graph.outputs]


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_right_hand_ins_answer_the_same(path: Path, worker: Callable[[str], ModuleType]) -> None:
    """Every number of every forward bit for bit, every gradient to 1e-12, every recorded graph."""
    text = read(path).text or ""
    quick, plain = answers(worker, text), answers(worker, text + PLAIN)
    for one, other in zip(quick, plain):
        assert graph_of(one.pop("graph")) == graph_of(other.pop("graph"))
        assert close(one.pop("gradients"), other.pop("gradients"))
        assert one == other


def test_most_right_hand_ins_are_quick(worker: Callable[[str], ModuleType]) -> None:
    """Imported or pasted, as most hand-ins have it; one that wrote a better Value keeps its own."""
    slow = {path.stem for path in RIGHT if not loaded(worker, read(path).text or "")[1]}
    assert "bo_pasted_better_value" in slow and len(slow) < len(RIGHT) / 10


def test_pasted_text_is_quick_with_either_backward(worker: Callable[[str], ModuleType]) -> None:
    """The text's walk by recursion, or the given one without: both are known."""
    text = read(ROOT / "tests" / "submissions" / "right" / "bo_pasted_plain.py").text or ""
    assert "build_topo" in text
    assert loaded(worker, text)[1] and loaded(worker, whole_text())[1]


CHANGES = {
    "1.0 if self.data > 0": "1.0 if self.data >= 0",
    '_op: str = ""': '_op: str = "leaf"',
    "    def exp(": "    def sqrt(self):\n        return self**0.5\n\n    def exp(",
    "class Value:": "class Value(object):",
    "    def __neg__": "    __rsub__ = __mul__\n\n    def __neg__",
}


@pytest.mark.parametrize("change", CHANGES.items())
def test_a_changed_value_stays(change: tuple[str, str], worker: Callable[[str], ModuleType]) -> None:
    """One changed method, default, base or extra name, and the hand-in's own class runs."""
    text = whole_text()
    assert change[0] in text
    assert not loaded(worker, text.replace(*change))[1]


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_hand_ins_keep_the_given_code(name: str, worker: Callable[[str], ModuleType]) -> None:
    """Whoever looks inside Values, changes or copies them finds exactly what is given."""
    assert loaded(worker, TEXT)[1]
    assert not loaded(worker, f"{TEXT}\n\nfrom engine import Value\n{UNUSUAL[name]}\n")[1]
