"""Who wrote alike: a covered-up copy is found, independent authors are left alone, common code counts for nothing."""

from __future__ import annotations

import random

import pytest

from grader.fingerprints import fingerprints, given_in
from grader.similarity import COMPARISONS, ENOUGH, Prints, similar
from grader.submission import from_bytes
from tests.class_runs import CORPUS
from tests.disguising import GIVEN, STUB, disguised
from tests.hand_ins import whole_text

EVERYONE = given_in({**GIVEN, "stub": STUB})
RIGHT = sorted((CORPUS / "right").glob("*.py"))
TEXTS = [from_bytes(path.name, path.read_bytes()).text or "" for path in RIGHT]
COPIED = next(k for k, path in enumerate(RIGHT) if path.stem == "cleo_matmul_helpers")


def prints(text: str) -> Prints:
    """The fingerprints of what can be read."""
    found = fingerprints(text, EVERYONE)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def corpus() -> list[Prints]:
    """Right hand-ins that nobody copied from another."""
    return [prints(text) for text in TEXTS]


def test_independent_authors_are_left_alone(corpus: list[Prints]) -> None:
    """Of 1,326 pairs of right hand-ins at most three are worth a look."""
    found = similar(corpus)
    assert found.kinds == 52 and found.same == () and len(found.pairs) <= 3


def test_a_covered_up_copy_is_the_same_code(corpus: list[Prints]) -> None:
    """Names, order of methods, comments, types and layout make no difference at all."""
    copy = disguised(TEXTS[COPIED])
    assert copy != TEXTS[COPIED] and similar([*corpus, prints(copy)]).same == ((COPIED, len(corpus)),)


def test_a_copy_with_edits_is_at_the_top(corpus: list[Prints]) -> None:
    """Every fourth statement has another one in front of it; the lines are named in both."""
    text = disguised(TEXTS[COPIED], edits=0.25)
    found = similar([*corpus, prints(text)])
    first = found.pairs[0]
    assert (first.one, first.other) == (COPIED, len(corpus)) and first.score > 0.6
    assert first.alone > first.shared / 2 and first.holders < 10
    (a, b), (c, d) = first.passages[0].one, first.passages[0].other
    assert 0 < a < b <= TEXTS[COPIED].count("\n") + 1 and 0 < c < d <= text.count("\n") + 1


def test_a_part_that_was_copied_is_found_at_its_lines(corpus: list[Prints]) -> None:
    """What stands around it does not hide it."""
    odd = "def odd(a, b):\n" + "".join(f"    a = [b[{k}] * a for b in ({k}, a, [b, a, {k}])]\n" for k in range(20))
    other = f"import math\n\n\n{odd.replace('b', 'renamed')}"
    (pair,) = [
        pair
        for pair in similar([prints(odd + TEXTS[0]), *corpus[1:], prints(other)]).pairs
        if pair.other == len(corpus)
    ]
    assert (pair.one, pair.score) == (0, 1.0)
    assert (pair.passages[0].one, pair.passages[0].other) == ((1, 21), (4, 24))


@pytest.mark.parametrize("text", [STUB, *GIVEN.values(), whole_text().split("class MultiHeadAttention")[0]])
def test_what_was_given_has_no_prints(text: str) -> None:
    """The stub, the given modules, and the exercise's text pasted."""
    assert prints(text) == {}


def test_what_everyone_writes_counts_for_nothing() -> None:
    """One half is the same in the whole class, the other half is everyone's own."""
    common = dict.fromkeys(range(100), (1, 9))
    assert similar([{**common, **{1000 * k + n: (n, n) for n in range(100)}} for k in range(1, 30)]).pairs == ()


def test_little_code_is_no_match() -> None:
    """One short method alike is chance."""
    few = dict.fromkeys(range(ENOUGH - 1), (1, 9))
    assert similar([few, few]).same == ()


def test_a_thousand_hand_ins_are_compared_within_the_budget() -> None:
    """Steps are counted, not seconds; a pair that shares what is rare is found nevertheless."""
    chance = random.Random(1)
    everyone = [dict.fromkeys((chance.randrange(2_000) for _ in range(300)), (1, 2)) for _ in range(1_000)]
    rare = dict.fromkeys(range(5_000, 5_400), (3, 4))
    everyone[7], everyone[500] = {**everyone[7], **rare}, {**everyone[500], **rare}
    found = similar(everyone)
    assert found.compared <= COMPARISONS < 1_000 * 999 / 2 * 300
    assert [(pair.one, pair.other) for pair in found.pairs] == [(7, 500)]


@pytest.mark.parametrize("text", ["def f(:\n", "\0", "(" * 5_000])
def test_what_is_no_python_has_no_prints(text: str) -> None:
    """Said, not guessed."""
    assert fingerprints(text, EVERYONE) is None


def test_a_huge_hand_in_is_read_to_a_bound() -> None:
    """A quarter of a million characters of numbers."""
    found = fingerprints("x = [" + "1, 22, " * 35_000 + "]", EVERYONE)
    assert found is not None and len(found) < 100
