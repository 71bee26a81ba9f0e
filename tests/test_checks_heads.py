"""Heads in the recorded graph: sets of weights behind the scores, and what each weighting is used for."""

from __future__ import annotations

from dataclasses import replace

from grader.checks.heads import attend_apart
from grader.records import Graph
from tests.observing import X, answered, evidence, graph, judged, probe

ASKED = probe("MultiHeadAttention", 2, 2, graph=True)
Nodes = dict[str, tuple[str, ...]]

# Two heads on one input: scores s, exponentials e, values v, each head's output h, their sum.
LEAVES: Nodes = dict.fromkeys(("x", "q0", "q1", "w0", "w1", "c"), ("",))
SCORES: Nodes = {"s0": ("*", "x", "q0"), "s1": ("*", "x", "q1"), "e0": ("exp", "s0"), "e1": ("exp", "s1")}
VALUES: Nodes = {"v0": ("*", "x", "w0"), "v1": ("*", "x", "w1")}
OUT: Nodes = {"h0": ("*", "e0", "v0"), "h1": ("*", "e1", "v1"), "y": ("+", "h0", "h1")}


def graph_of(**changed: tuple[str, ...]) -> Graph:
    """The right computation with some nodes changed."""
    return graph({**LEAVES, **SCORES, **VALUES, **OUT, **changed}, "x", "q0 q1 w0 w1", "y")


def test_two_heads_with_weights_of_their_own_pass() -> None:
    """Each head has its own scores, used for its own values."""
    assert judged(attend_apart, ASKED, graph=graph_of()) is None


def test_the_order_of_factors_does_not_matter() -> None:
    """Value times weight is as good as weight times value."""
    assert judged(attend_apart, ASKED, graph=graph_of(h0=("*", "v0", "e0"))) is None


def test_one_set_of_scores_for_both_heads_fails() -> None:
    """num_heads was ignored: one set of weights where two were asked for."""
    said = judged(attend_apart, ASKED, graph=graph_of(s1=("*", "x", "q0")))
    assert said == (
        "MultiHeadAttention(2, 2): the attention scores come from 1 set of weights; "
        "expected 2 separate sets, one per head."
    )


def test_more_sets_than_heads_fail() -> None:
    """One head was asked for and two attend."""
    said = judged(attend_apart, probe("MultiHeadAttention", 2, 1, graph=True), graph=graph_of())
    assert said is not None and "2 sets of weights; expected 1 separate sets" in said


def test_heads_that_share_weights_fail() -> None:
    """Two sets, but the second holds the first."""
    shared = graph({**LEAVES, "both": ("+", "q0", "q1"), **SCORES, "s1": ("*", "x", "both"), **VALUES, **OUT},
                   "x", "q0 q1 w0 w1", "y")  # fmt: skip
    said = judged(attend_apart, ASKED, graph=shared)
    assert said is not None and "2 sets of weights that share weights" in said


def test_values_weighted_by_a_mix_of_heads_fail() -> None:
    """The heads' weights are added up before they meet the values."""
    nodes = {**LEAVES, **SCORES, **VALUES, "m": ("+", "e0", "e1"), **OUT, "h0": ("*", "m", "v0")}
    said = judged(attend_apart, ASKED, graph=graph(nodes, "x", "q0 q1 w0 w1", "y"))
    assert said is not None and "a mix of several heads' attention; expected each head to use its own" in said


def test_exponentials_above_scores_are_no_scores() -> None:
    """An exp of attended values (or of a normaliser) opens no further set."""
    heads = {"h0": OUT["h0"], "h1": OUT["h1"]}
    nodes = {**LEAVES, **SCORES, **VALUES, **heads, "late": ("exp", "h0"), "y": ("+", "late", "h1")}
    assert judged(attend_apart, ASKED, graph=graph(nodes, "x", "q0 q1 w0 w1", "y")) is None


def test_an_exponential_of_a_plain_number_is_no_score() -> None:
    """A masked position that is a constant has no weights behind it."""
    nodes = {**LEAVES, **SCORES, "ec": ("exp", "c"), **VALUES, **OUT}
    assert judged(attend_apart, ASKED, graph=graph(nodes, "x", "q0 q1 w0 w1", "y")) is None


def test_operations_of_its_own_are_left_to_other_checks() -> None:
    """A hand-in that names its operations otherwise loses nothing here, where its gradients are exact."""
    nodes = {**LEAVES, **SCORES, **VALUES, **OUT, "e0": ("Exp", "s0"), "e1": ("Exp", "s1")}
    seen = answered(X, graph=graph(nodes, "x", "q0 q1 w0 w1", "y"))
    assert attend_apart(replace(evidence({ASKED: seen}), exact=frozenset({"MultiHeadAttention"})), [ASKED]) is None
    assert attend_apart(evidence({ASKED: seen}), [ASKED]) is not None


def test_no_graph_is_left_to_other_checks() -> None:
    """Without a graph there is nothing to rule on."""
    assert judged(attend_apart, ASKED) is None
