"""The recorded numbers are those of today's questions and today's solution, and hold no line of it."""

from __future__ import annotations

import gzip
import json
from functools import partial

import pytest

from grader.compare import flat
from grader.expectations import BLOCKS, PUBLIC_SEED, RECORDED, Expectations, blocks_digest, compared, plan_digest
from grader.grading import Grader
from grader.kit import Kit
from grader.own_parts import ask, matched
from grader.readings import EVERY, blocks
from grader.records import COMPONENTS, Component
from grader.sandbox import given_code, observe
from grader.submission import from_bytes, read

KIT = Kit.here()
TEXT = gzip.decompress(RECORDED.read_bytes()).decode("ascii")


def test_the_recording_answers_todays_questions() -> None:
    """After a change of probes or readings: `python -m grader.recording`."""
    assert json.loads(TEXT)["plan"] == plan_digest(PUBLIC_SEED)


@pytest.mark.parametrize("component", COMPONENTS)
def test_recorded_numbers_are_those_of_the_solution(component: Component) -> None:
    """The first and the last reading, asked anew, give what is recorded to twelve digits."""
    observing = partial(observe, given=given_code(KIT.exercise), require="process", apply="process")
    fresh = Expectations(KIT.solution, PUBLIC_SEED, observing, recorded=False)
    kept = Expectations(KIT.solution, PUBLIC_SEED, observing)
    pairs = [(p, r) for p in compared(PUBLIC_SEED)[component] for r in (EVERY[component][0], EVERY[component][-1])]
    asked = fresh.expect(pairs)
    for pair in pairs:
        for one, other in zip(asked[pair].answers, kept.expected[pair].answers):
            assert one.numbers is not None and other.numbers is not None
            assert flat(other.numbers) == pytest.approx(flat(one.numbers), rel=1e-10)


def test_recorded_blocks_are_those_of_the_solution() -> None:
    """Blocks with parts of their own: today's questions, and some readings asked anew give what is recorded."""
    assert json.loads(gzip.decompress(BLOCKS.read_bytes()))["plan"] == blocks_digest(PUBLIC_SEED)
    observing = partial(observe, given=given_code(KIT.exercise), require="process", apply="process")
    fresh = Expectations(KIT.solution, PUBLIC_SEED, observing, recorded=False)
    kept = Expectations(None, PUBLIC_SEED, observing)
    pairs = [(p, r) for p in matched(ask(PUBLIC_SEED)) for r in blocks()[::431]]
    asked, known = fresh.expect(pairs), kept.expect(pairs)
    for pair in pairs:
        for one, other in zip(asked[pair].answers, known[pair].answers):
            assert one.numbers is not None and other.numbers is not None
            assert flat(other.numbers) == pytest.approx(flat(one.numbers), rel=1e-10)


def test_a_block_with_parts_of_its_own_needs_no_solution() -> None:
    """A right block that builds its parts from other classes keeps its marks where there is no solution to ask."""
    assert KIT.solution is not None
    text = (KIT.solution / "transformer_block.py").read_text(encoding="utf-8")
    parts, start, block = text.partition("class TransformerBlock")
    parts += parts[parts.index("class MultiHeadAttention") :].replace("(Module):", "Own(Module):")
    for name in ("LayerNorm", "MultiHeadAttention", "FeedForward"):
        block = block.replace(f" {name}(", f" {name}Own(")
    assert Grader(Kit(KIT.exercise, None)).grade(from_bytes("own.py", (parts + start + block).encode())).score == 100


def test_the_recording_gives_no_code_away() -> None:
    """Numbers, names, sentences and hints: no definition, no call of the solution."""
    assert KIT.solution is not None
    assert [word for word in ("def ", "class Head", "self.W", "Linear(") if word in TEXT] == []


def test_the_public_seed_needs_no_solution() -> None:
    """What a student bundle has is enough to grade the reference, and to name a mistake."""
    assert KIT.solution is not None
    grader = Grader(Kit(KIT.exercise, None))
    assert grader.grade(read(KIT.solution / "transformer_block.py")).score == 100
    wrong = KIT.solution.parent / "tests" / "submissions" / "wrong" / "ada_scale_embed_dim.py"
    assert [d.misconception for d in grader.grade(read(wrong)).diagnoses] == ["attention-scale-embed-dim"]
