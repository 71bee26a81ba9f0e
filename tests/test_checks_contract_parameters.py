"""parameters(): how many, each once, the same before and after; and what a block is made of."""

from __future__ import annotations

from typing import Any

import pytest

from grader.checks.contract import counted, lists_parameters, stands_in
from grader.records import Census, Parts
from tests.observing import answered, census, judged, probe, reading, ruling

ATTENTION = probe("MultiHeadAttention", 6, 2)
WIDE = probe("MultiHeadAttention", 4, 1)
NORM = probe("LayerNorm", 5)
FED = probe("FeedForward", 5)
BLOCK = probe("TransformerBlock", 4, 2)
WHOLE = Parts(attention=1, norms=2, feedforward=1, norm_calls=(3, 3))


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({"reach": "all", "inner": False, "out_bias": "one", "q_bias": True, "k_bias": True, "v_bias": True}, 168),
        ({"reach": "all", "inner": False, "out_bias": "none", "q_bias": False, "k_bias": False, "v_bias": False}, 144),
        ({"reach": "slice", "inner": True, "inner_bias": True, "out_bias": "one", "q_bias": True, "v_bias": True}, 138),
        ({"reach": "all", "inner": False, "out_bias": "each", "q_bias": True, "k_bias": True, "v_bias": True}, 174),
    ],
    ids=["full, biases", "full, none", "narrow SelfAttention", "a bias per head"],
)
def test_attention_is_counted_by_hand(options: dict[str, Any], count: int) -> None:
    """D = 6, H = 2, d = 3: 4 * 36 + 24; 4 * 36; 2 * (4 * 9 + 12) + 42; 4 * 36 + 18 + 12."""
    assert counted(reading("MultiHeadAttention", **options), ATTENTION) == count


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        (FED, 2 * 5 * 20 + 20 + 5),
        (probe("FeedForward", 5, 7), 2 * 5 * 7 + 7 + 5),
        (probe("FeedForward", 5, kwargs=(("hidden_dim", 7),)), 2 * 5 * 7 + 7 + 5),
    ],
)
def test_hidden_width_is_counted_as_given(asked: Any, count: int) -> None:
    """4 * D by default, else what hidden_dim says, by position or by name."""
    assert counted(reading("FeedForward", bias1=True, bias2=True), asked) == count


def test_an_accepted_count_at_every_size_passes() -> None:
    """Full projections with biases at D = 6 and at D = 4."""
    sizes = (ATTENTION, answered(census=census(168))), (WIDE, answered(census=census(80)))
    assert ruling(lists_parameters, *sizes) is None


def test_a_count_that_fits_nothing_names_the_usual_one() -> None:
    """How many there are, how many are expected, and between which counts the accepted layouts lie."""
    said = ruling(lists_parameters, (ATTENTION, answered(census=census(3))))
    assert said is not None and said.startswith("parameters() of MultiHeadAttention(6, 2) lists 3 Values; expected 168")


def test_a_count_without_choice_is_told_plainly() -> None:
    """A LayerNorm has 2 D parameters and no other layout."""
    said = ruling(lists_parameters, (NORM, answered(census=census(5))))
    assert said == "parameters() of LayerNorm(5) lists 5 Values; expected 10."


def test_counts_of_two_layouts_do_not_mix() -> None:
    """With biases at one size and without at another is no layout."""
    sizes = (ATTENTION, answered(census=census(168))), (WIDE, answered(census=census(64)))
    said = ruling(lists_parameters, *sizes)
    assert said is not None and "fit no one layout; expected the same layout at every size" in said


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"unique": 8}, "lists 10 Values, but only 8 different ones (2 repeated); expected each weight once"),
    ({"after": 12}, "lists 10 Values before the first call and 12 after it; expected the same from construction on"),
    ({"same": False}, "lists other Value objects after a call than before; expected the same objects"),
    ({"kept": False}, "a call of forward changed them; expected forward to leave them alone"),
]


@pytest.mark.parametrize(("wrong", "words"), FAULTS)
def test_a_faulty_list_is_named_by_its_fault(wrong: dict[str, Any], words: str) -> None:
    """Repeated, created in forward, replaced, or overwritten: each has its own sentence."""
    said = ruling(lists_parameters, (NORM, answered(census=census(10, **wrong))))
    assert said is not None and said.startswith("parameters() of LayerNorm(5) ") and words in said


def test_a_block_of_its_four_parts_passes() -> None:
    """One attention, two norms, one feed-forward part, two numbers each."""
    assert judged(stands_in, BLOCK, census=census(8), parts=WHOLE) is None


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        (Parts(0, 2, 1, (3, 3)), "builds 0 MultiHeadAttention; expected 1"),
        (Parts(2, 2, 1, (3, 3)), "builds 2 MultiHeadAttention; expected 1"),
        (Parts(1, 1, 1, (6,)), "builds 1 LayerNorm; expected 2"),
        (Parts(1, 3, 1, (3, 3, 3)), "builds 3 LayerNorm; expected 2"),
        (Parts(1, 2, 0, (3, 3)), "builds 0 FeedForward; expected 1"),
        (Parts(1, 2, 1, (6, 0)), "builds two LayerNorms but only calls one of them"),
        (Parts(1, 2, 1, (0, 6)), "builds two LayerNorms but only calls one of them"),
    ],
)
def test_a_block_of_other_parts_is_told_which(parts: Parts, words: str) -> None:
    """A missing, additional or unused part is named with its number."""
    said = judged(stands_in, BLOCK, census=census(8), parts=parts)
    assert said is not None and said.startswith("TransformerBlock(4, 2) ") and words in said


def test_a_block_that_calls_no_norm_is_not_told_that_it_calls_one() -> None:
    """The sentence is true when both norms are forgotten too."""
    said = judged(stands_in, BLOCK, census=census(8), parts=Parts(1, 2, 1, (0, 0)))
    assert said is not None and "only calls one" not in said


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (census(6), "fewer Values than its parts have (with plain parts of 2 Values each: 6, expected 8)"),
        (census(9), "Values beside those of its parts (with plain parts of 2 Values each: 9, expected 8)"),
        (census(10, unique=8), "only 8 different ones (2 repeated)"),
    ],
)
def test_a_block_with_other_parameters_is_told_so(counts: Census, words: str) -> None:
    """An unregistered part, weights of the block's own, a part registered twice."""
    said = judged(stands_in, BLOCK, census=counts, parts=WHOLE)
    assert said is not None and "parameters() of TransformerBlock(4, 2)" in said and words in said
