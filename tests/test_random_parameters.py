"""The random-parameter oracle: right hand-ins equal the reference in some layout, wrong numbers fit none."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from grader.checks.recomputation import Replay
from grader.grading import Grader
from grader.kit import Kit
from grader.layouts import Attention, feedforward_orders, norm_orders
from grader.notices import confirmations
from grader.readings import EVERY
from grader.records import COMPONENTS, Component, Graph
from grader.submission import read

CORPUS = Path(__file__).parent / "submissions"
ATTENTION = EVERY["MultiHeadAttention"]


@cache
def grader() -> Grader:
    """One for all: what is worked out for one hand-in serves the next."""
    return Grader(Kit.here())


def confirmed(name: str) -> list[Component]:
    """What the oracle confirms of one hand-in of the corpus."""
    return list(grader().confirmed(read(CORPUS / f"{name}.py")))


@pytest.mark.parametrize("reading", [ATTENTION[k] for k in (0, 7, 16, 31, 80, 140, 215)], ids=lambda r: str(r.options))
def test_every_layout_names_each_weight_once(reading: object) -> None:
    """A layout is the reference's cells in another order, and no two layouts are the same."""
    attention = Attention(4, 2, reading)  # type: ignore[arg-type]  # a Reading
    tried = list(islice(attention.orders(), 500))
    assert {frozenset(cells) for cells in tried} == {frozenset(attention.reference())}
    assert {len(cells) for cells in tried} == {attention.reading.count(4, 2)} and len(set(tried)) == len(tried)


def test_the_references_own_order_is_tried() -> None:
    """In every reading, or the reference itself would not fit."""
    assert [
        r for r in ATTENTION if r.options[3] != ("out_bias", "each") and not _own_order_is_tried(Attention(4, 2, r))
    ] == []


def _own_order_is_tried(attention: Attention) -> bool:
    return attention.reference() in attention.orders()


def test_layouts_of_the_small_parts() -> None:
    """Scale before shift and the other way round, either layer first, and each weight once."""
    assert [cells[0] for cells in norm_orders(3)] == [("scale", 0), ("shift", 0), ("scale", 0)]
    for reading in EVERY["FeedForward"]:
        tried = list(feedforward_orders(3, 5, dict(reading.options)))
        assert {len(set(cells)) for cells in tried} == {reading.count(3, hidden_dim=5)}


def test_a_replay_takes_other_parameters() -> None:
    """(a + b) * a with a = 3, b = 4 instead of 1 and 2; outputs that are not wanted are not worked out."""
    graph = Graph(("", "", "+", "*"), (1.0, 2.0, 3.0, 3.0), ((), (), (0, 1), (2, 0)), (), (0, 1), (2, 3), False)
    assert Replay(graph).outputs((3.0, 4.0)) == [7.0, 21.0]
    assert Replay(graph).outputs((3.0, 4.0), first=True) == [7.0]


@pytest.mark.parametrize(
    "name",
    [
        "ada_fused_blocked", "ada_ffn_sequential", "bo_interleaved_heads", "bo_raw_in_out", "bo_triu_skip",
        "cleo_fused_kv", "cleo_gamma_offset", "dan_augmented_heads", "dan_narrow_strided_qkv",
        "dan_sum_of_head_outputs", "eva_ln_names_exchanged",
    ],
)  # fmt: skip
def test_right_hand_ins_are_confirmed(name: str) -> None:
    """Fused, raw, turned, interleaved, narrow, summed: all four components equal the reference."""
    assert confirmed(f"right/{name}") == list(COMPONENTS)


@pytest.mark.parametrize(
    ("name", "component"),
    [
        ("bo_v_uses_k_projection", "MultiHeadAttention"),
        ("bo_scale_num_heads", "MultiHeadAttention"),
        ("eva_heads_same_slice", "MultiHeadAttention"),
        ("ada_ln_eps_ignored", "LayerNorm"),
        ("dan_ffn_gelu", "FeedForward"),
        ("ada_block_parallel", "TransformerBlock"),
    ],
)
def test_wrong_numbers_fit_no_layout(name: str, component: Component) -> None:
    """Also where equal parameters would hide it; the other parts are confirmed, but for a block that holds it."""
    assert set(COMPONENTS) - set(confirmed(f"wrong/{name}")) == {component, "TransformerBlock"}


def test_the_stub_is_not_confirmed() -> None:
    """What is not written yet equals nothing."""
    assert grader().confirmed(read(Kit.here().stub)) == ()


def test_the_oracle_does_not_see_fresh_weights_or_gradients() -> None:
    """A scale that starts at 0, a variance that is cut from the graph: set and asked forward, both are right."""
    assert "LayerNorm" in confirmed("wrong/dan_ln_gamma_zero") and "LayerNorm" in confirmed(
        "wrong/cleo_ln_stats_detached"
    )


def test_what_the_oracle_says() -> None:
    """One notice on what it confirms; one on what kept its marks and fits no layout; nothing on what lost marks."""
    report = grader().grade(read(CORPUS / "wrong" / "dan_ln_gamma_zero.py"))
    one, other = (n.text for n in confirmations(report, ("FeedForward", "TransformerBlock")))
    assert one.endswith(": FeedForward, TransformerBlock.") and re.search(
        r": MultiHeadAttention\. .*costs nothing", other
    )


def test_a_block_of_parts_that_are_not_confirmed_is_not_spoken_of() -> None:
    """Attention lost marks and is not confirmed, so nothing can be said of the block that holds it."""
    report = grader().grade(read(CORPUS / "wrong" / "eva_heads_same_slice.py"))
    (only,) = confirmations(report, ("LayerNorm", "FeedForward"))
    assert only.text.endswith(": LayerNorm, FeedForward.")
    assert [n.text for n in confirmations(report, COMPONENTS[:3])][1].startswith(
        "Not confirmed with all parameters different: TransformerBlock."
    )
