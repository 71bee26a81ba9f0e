"""What is drawn from observations: made by hand, and for attention weights those of real hand-ins' graphs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

import pytest

from grader.attention_map import heads
from grader.checks.ask_attention import attention_causal, attention_graph
from grader.checks.ask_block import block_causal
from grader.checks.ask_rows import feedforward_slopes, norm_fresh, norm_slopes
from grader.compare import flat
from grader.pictures import pictures
from grader.records import Numbers, Observation, Picture, Probe, Rows
from grader.render import json_form
from grader.sandbox import given_code, observe
from grader.submission import read
from tests.hand_ins import REFERENCE, ROOT
from tests.observing import answer, answered, evidence, report, result, sloped

RIGHT = sorted((ROOT / "tests" / "submissions" / "right").glob("*.py"))
WRONG = ROOT / "tests" / "submissions" / "wrong"


def drawn(observed: Mapping[Probe, Observation], seed: int = 0) -> tuple[Picture, ...]:
    """The pictures of these observations."""
    return pictures(seed, evidence(observed))


def averages(x: Numbers, ahead: int = 0) -> Rows:
    """Each row the mean of the rows up to itself, or of some ahead: what attention with equal weights would give."""
    rows: Rows = x  # type: ignore[assignment]
    return tuple(tuple(sum(c) / len(c) for c in zip(*rows[: i + 1 + ahead])) for i in range(len(rows)))


@cache
def graph_of(path: Path) -> Observation:
    """A real hand-in's answer to the question after its graph."""
    (probe,) = attention_graph(0)
    asked = partial(observe, given=given_code(ROOT / "exercise"), require="process", apply="process")
    return asked(read(path), (probe,)).observations[probe]


def attention(path: Path) -> tuple[Picture, ...]:
    """The pictures of a real hand-in's attention weights."""
    return drawn({attention_graph(0)[0]: graph_of(path)})


def test_without_observations_there_is_nothing_to_draw() -> None:
    """One component may be graded alone, or nothing be written yet."""
    assert drawn({}) == () and drawn(dict.fromkeys(attention_causal(0), Observation("todo"))) == ()


@pytest.mark.parametrize("probe", [attention_causal(0)[0], block_causal(0)[0]], ids=lambda probe: str(probe.component))
def test_causal_rows_move_below_the_diagonal(probe: Probe) -> None:
    """Nothing is wrong, and nothing above the diagonal moves."""
    (picture,) = drawn({probe: answered(*(averages(call.x) for call in probe.calls))})
    assert picture.kind == "heat" and picture.component == probe.component and picture.wrong == ()
    assert all((value == 0.0) == (j > i) for i, row in enumerate(picture.rows) for j, value in enumerate(row))


def test_a_look_ahead_is_marked() -> None:
    """Each row moved by the next one."""
    probe = attention_causal(0)[0]
    (picture,) = drawn({probe: answered(*(averages(call.x, ahead=1) for call in probe.calls))})
    assert picture.wrong == ((0, 1), (1, 2), (2, 3))


def test_a_row_that_sees_nothing_is_marked() -> None:
    """Zeros and the identity are no attention."""
    probe = attention_causal(0)[0]
    (picture,) = drawn({probe: answered(*(call.x for call in probe.calls))})
    assert picture.wrong == ((1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2))


@pytest.mark.parametrize("numbers", [None, ((1.0,),), (1.0, 2.0)])
def test_answers_of_another_shape_are_not_drawn(numbers: Numbers | None) -> None:
    """The shape check has said so already."""
    probe = attention_causal(0)[0]
    assert drawn({probe: answered(*(answer(numbers) for _ in probe.calls))}) == ()


def test_enormous_numbers_are_bounded() -> None:
    """The difference of two finite numbers may not be finite."""
    probe = attention_causal(0)[0]
    outs = [tuple(tuple(1e308 * (-1) ** k for _ in row) for row in call.x) for k, call in enumerate(probe.calls)]  # type: ignore[union-attr]
    (picture,) = drawn({probe: answered(*outs)})
    assert max(flat(picture.rows)) == 1e300


def test_slopes_that_agree() -> None:
    """Two bars of one length, for inputs and weights at each point."""
    probes = norm_slopes(0)
    seen = {p: answered(gradients=sloped((1.0, -2.0, 0.5, 0.0, 3.0), (0.5, 1.0), p.slope)) for p in probes if p.slope}
    (picture,) = drawn(seen)
    assert picture.labels == ("inputs, point 1", "weights, point 1", "inputs, point 2", "weights, point 2")
    assert picture.wrong == () and all(abs(a - b) < 1e-6 for a, b in picture.rows)


def test_slopes_that_differ_are_marked() -> None:
    """The gradient of the weights says something else than the outputs do."""
    probe = feedforward_slopes(0)[0]
    assert probe.slope
    seen = answered(gradients=sloped((1.0, -2.0, 0.5, 0.0, 3.0), (0.5, 1.0), probe.slope, parameters=0.25))
    (picture,) = drawn({probe: seen})
    assert picture.wrong == ((1, 0),) and picture.rows[1][1] - picture.rows[1][0] == pytest.approx(0.25)


def test_statistics_of_a_norm() -> None:
    """Mean 0 and spread 1 are as expected; the input itself is not."""
    probe = norm_fresh(0)[0]

    def normal(x: Numbers) -> Numbers:
        row = flat(x)
        mean = sum(row) / len(row)
        spread = (sum((v - mean) ** 2 for v in row) / len(row) + 1e-5) ** 0.5
        return tuple((v - mean) / spread for v in row)

    (right,) = drawn({probe: answered(*(normal(call.x) for call in probe.calls))})
    (wrong,) = drawn({probe: answered(*(call.x for call in probe.calls))})
    assert right.wrong == () and len(right.rows) == 6 and len(wrong.wrong) == 6


def test_the_reference_s_attention_is_read_off_its_graph() -> None:
    """Three heads, each row a share that sums to 1, equal to the softmax over its own q and k."""
    found = attention(REFERENCE)
    assert [picture.title for picture in found] == [f"Attention weights, head {h}" for h in range(3)]
    for picture in found:
        assert picture.wrong == () and picture.expected
        assert all(
            sum(row) == pytest.approx(1.0) and row[i + 1 :] == (0.0,) * (2 - i) for i, row in enumerate(picture.rows)
        )


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_no_right_hand_in_is_drawn_as_wrong(path: Path) -> None:
    """Whatever its layout: fused, narrow, interleaved, scaled on q, divided late. It may at most not be drawn."""
    assert [picture.title for picture in attention(path) if picture.wrong] == []


@pytest.mark.parametrize("name", ["ada_scale_embed_dim", "ada_mask_first_head_only", "ada_mask_skipped_by_default"])
def test_wrong_weights_are_marked(name: str) -> None:
    """Beside what they should be."""
    assert [picture for picture in attention(WRONG / f"{name}.py") if picture.wrong and picture.expected]


def test_a_graph_that_is_no_attention_is_not_drawn() -> None:
    """The identity has no heads."""
    graph = graph_of(WRONG / "ada_identity.py").graph
    assert graph is not None and heads(graph, 3, 2) == ()


def test_pictures_are_not_in_the_json() -> None:
    """The contract's keys are fixed."""
    probe = attention_causal(0)[0]
    shown = drawn({probe: answered(*(averages(call.x) for call in probe.calls))})
    assert json_form.form(report(result(), pictures=shown)) == json_form.form(report(result()))
