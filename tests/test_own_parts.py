"""The block with its own parts: acquitted where stand-ins cannot reach, convicted where they see nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.grading import Grader
from grader.kit import Kit
from grader.records import Report, Submission

REFERENCE = (Path(__file__).parent.parent / "solution" / "transformer_block.py").read_text(encoding="utf-8")
BLOCK = REFERENCE.index("class TransformerBlock")
INLINE = (
    REFERENCE[:BLOCK].replace("class LayerNorm", "class Norm").replace("class FeedForward", "class Mlp")
    + REFERENCE[BLOCK:].replace("LayerNorm(", "Norm(").replace("FeedForward(", "Mlp(")
    + "\n\nclass LayerNorm(Norm):\n    def __init__(self, dim: int, eps: float = 1e-5) -> None:\n"
    "        super().__init__(dim, eps)\n"
    "\n\nclass FeedForward(Mlp):\n    pass\n"
)
COLUMNS = REFERENCE.replace(
    "        D = len(x)\n",
    "        if isinstance(x[0], list):\n"
    "            return [list(r) for r in zip(*[self.forward(list(c)) for c in zip(*x)])]\n"
    "        D = len(x)\n",
).replace("self.attention([self.ln1(row) for row in x])", "self.attention(self.ln1(x))")


@pytest.fixture(scope="module")
def grader() -> Grader:
    """One grader for all tests here."""
    return Grader(Kit.here())


def graded(grader: Grader, text: str) -> Report:
    """The report on a text."""
    return grader.grade(Submission("transformer_block.py", "0", text))


def test_a_block_of_other_classes_keeps_its_marks(grader: Grader) -> None:
    """It builds Norm and Mlp, so stand-ins for LayerNorm and FeedForward are never built."""
    assert graded(grader, INLINE).score == 100


def test_a_wrong_block_of_other_classes_loses_marks(grader: Grader) -> None:
    """The second way is no way around the residual."""
    wrong = INLINE.replace("zip(row, self.ffn(self.ln2(row)))", "zip(self.ln2(row), self.ffn(self.ln2(row)))")
    assert wrong != INLINE and graded(grader, wrong).score < 100


def test_a_norm_that_is_wrong_for_all_rows_at_once_is_noticed(grader: Grader) -> None:
    """Right for one row, right with stand-ins, and wrong together: columns are normalised."""
    report = graded(grader, COLUMNS)
    failed = [r for r in report.results if r.status != "passed"]
    assert [r.id for r in failed] == ["TransformerBlock.values"] and "with its own parts" in failed[0].message


FED = "self.ffn(self.ln2(row)))] for row in y]"


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        (FED, "self.ffn(self.ln2(r)))] for row, r in zip(y, x)]", "without the attention"),
        (FED, "self.ffn(self.ln1(row)))] for row in y]", "8 of 244 parameters take no part"),
        (
            "MultiHeadAttention(embed_dim, num_heads)",
            "MultiHeadAttention(embed_dim, 1)",
            "1 set of weights; expected 2",
        ),
        (FED, "self.ffn(self.ln2(self.ln1(r))))] for row, r in zip(y, x)]", "without the attention"),
        (
            FED,
            "self.ffn(self.ln2(r)))] for row, r in zip(y, attended)]",
            "branch works on the attention's result without x",
        ),
    ],
    ids=["parallel", "one norm twice", "one head", "norms chained", "feed-forward of attention"],
)
def test_what_equal_parameters_hide_costs_the_values(grader: Grader, right: str, wrong: str, words: str) -> None:
    """A block of other classes that answers like the right one under equal parameters, and is another."""
    assert INLINE.count(right) == 1
    failed = [r for r in graded(grader, INLINE.replace(right, wrong)).results if r.status != "passed"]
    assert [r.id for r in failed] == ["TransformerBlock.values"]
    assert failed[0].message.startswith("TransformerBlock with its own parts: ") and words in failed[0].message


def test_without_the_solution_it_keeps_its_marks() -> None:
    """What the recorded computation does not show takes the reference to prove."""
    wrong = INLINE.replace(FED, "self.ffn(self.ln2(r)))] for row, r in zip(y, attended)]")
    assert graded(Grader(Kit(Kit.here().exercise, None)), wrong).score == 100
