"""The named misconceptions: each is the reference with one fault, and its answers tell it from every other."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from grader.checks import ask_attention, ask_block, ask_rows
from grader.checks.draws import CYCLE, constant, level, row, rows
from grader.compare import same
from grader.readings import EVERY
from grader.records import COMPONENTS, Call, Component, Observation, Probe, Setting, Slope, Submission
from grader.sandbox import given_code, observe

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "solution" / "misconceptions").glob("*.py"))
KEYS = ("component", "sentence", "hint", "read")
SEED = 0

every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
every_component = pytest.mark.parametrize("component", COMPONENTS)

# Equal weights hide which weights a number came from: of these, the answers are the reference's, the weights'
# gradients (sorted, so that the layout drops out) or their number are not.
ONLY_IN_WEIGHTS = {
    "attention_heads_share_layers",
    "attention_heads_share_weights",
    "attention_heads_summed",
    "attention_keys_are_queries",
    "attention_one_projection_for_all",
    "attention_values_are_keys",
    "attention_values_of_first_head",
}


def header(path: Path) -> dict[str, str]:
    """The first lines of a file, as key and text."""
    lines = path.read_text(encoding="utf-8").splitlines()[: len(KEYS)]
    return dict(line.removeprefix("# ").split(": ", 1) for line in lines)


def of(component: Component) -> list[Path | None]:
    """The files of one component."""
    return [path for path in FILES if header(path)["component"] == component]


def _sloped(component: Component, args: tuple[float, ...], T: int, D: int, *settings: Setting) -> tuple[Probe, ...]:
    """The gradients at one point under each setting; T = 0 asks for a single row."""
    rng = Random(f"{component} fingerprint {SEED}")
    draw = partial(rows, rng, T, D) if T else partial(row, rng, D)
    x, slope = draw(), Slope(draw(), draw(), row(rng, CYCLE))
    return tuple(Probe(component, args, (Call(x),), setting=setting, slope=slope) for setting in settings)


def probes(component: Component) -> tuple[Probe, ...]:
    """What does not depend on the layout of the weights."""
    if component == "MultiHeadAttention":
        plain = (ask_attention.attention_values, ask_attention.attention_unmasked, ask_attention.attention_zero)
        return (*_asked(*plain), ask_attention.attention_strong(SEED)[0], *_sloped(component, (6, 2), 4, 6, constant()))
    if component == "LayerNorm":
        plain = (ask_rows.norm_fresh, ask_rows.norm_eps, ask_rows.norm_affine)
        return (*_asked(*plain), *_sloped(component, (5,), 0, 5, constant(), Setting()))
    if component == "FeedForward":
        plain = (ask_rows.feedforward_sides, ask_rows.feedforward_values, ask_rows.feedforward_zero)
        (slope,) = _sloped(component, (5,), 0, 5, constant())
        on, off = (replace(slope, calls=(Call(level(total, 5)),)) for total in (3.0, -3.0))  # a ReLU has two sides
        return (*_asked(*plain), on, off)
    return _asked(*(ask for name, ask in sorted(vars(ask_block).items()) if name.startswith("block_")))


def _asked(*asks: Callable[[int], tuple[Probe, ...]]) -> tuple[Probe, ...]:
    return tuple(dict.fromkeys(probe for ask in asks for probe in ask(SEED)))


def answers(path: Path | None, asked: tuple[Probe, ...]) -> list[Observation]:
    """What the readings' text, with the file at ``path`` appended, answers."""
    texts = [file.read_text(encoding="utf-8") for file in (ROOT / "solution" / "readings.py", path) if file]
    submission = Submission("readings.py", "", "\n\n".join(texts))
    seen = observe(submission, asked, given_code(ROOT / "exercise")).observations
    return [seen[probe] for probe in asked]


def all_answers(paths: list[Path | None], asked: tuple[Probe, ...]) -> dict[str, list[Observation]]:
    """The answers with each file appended, by its name; "" is the name of the reference, where no file is."""
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(partial(answers, asked=asked), paths)
        return dict(zip([path.stem if path else "" for path in paths], found))


@cache
def fingerprints(component: Component) -> dict[str, list[Observation]]:
    """What the reference and every misconception of one component answer, by name."""
    return all_answers([None, *of(component)], probes(component))


def differences(one: list[Observation], other: list[Observation]) -> set[str]:
    """Where two fingerprints differ: in "outcome", "count", "numbers", "inputs" (gradients), "weights" (gradients)."""
    found = set()
    for a, b in zip(one, other):
        if a.outcome != b.outcome:
            found.add("outcome")
        if a.census and b.census and a.census.unique != b.census.unique:
            found.add("count")
        pairs = [(u.numbers, v.numbers) for u, v in zip(a.answers, b.answers)]
        if any(u is not None and v is not None and not same(u, v) for u, v in pairs):
            found.add("numbers")
        if a.gradients and b.gradients:
            if not same(a.gradients.inputs, b.gradients.inputs):
                found.add("inputs")
            if not same(tuple(sorted(a.gradients.parameters)), tuple(sorted(b.gradients.parameters)), 1e-8):
                found.add("weights")
    return found


@every_file
def test_a_file_has_its_header(path: Path) -> None:
    """Component, sentence, hint and reading come first, one line each, and then code without imports."""
    head = header(path)
    assert tuple(head) == KEYS
    assert head["component"] in COMPONENTS
    assert len(head["sentence"]) <= 170
    text = path.read_text(encoding="utf-8")
    assert text.splitlines()[len(KEYS)] == ""
    assert not re.search(r"^\s*(import|from) ", text, re.MULTILINE)


@every_file
def test_the_sentence_speaks_to_the_student(path: Path) -> None:
    """It says "your" or "you" in its first clause and ends with a full stop."""
    sentence = header(path)["sentence"]
    assert re.match(r"(Your|You|All your|Both your|Each of your)\b", sentence)
    assert sentence.endswith(".")


@every_file
def test_the_hint_does_not_give_the_code_away(path: Path) -> None:
    """It is a question or a nudge in words: no assignment, attribute, call of a step or comprehension."""
    hint = header(path)["hint"]
    assert hint.endswith(("?", "."))
    assert not re.search(
        r"self\.| = |\*\*|\bfor \w+ in\b|(softmax|attention_scores|causal_mask|apply_attention)\(", hint
    )


@every_file
def test_the_reading_is_a_section_of_the_handout(path: Path) -> None:
    """Where to read is the title of a section of exercise/README.md."""
    handout = (ROOT / "exercise" / "README.md").read_text(encoding="utf-8")
    assert header(path)["read"] in re.findall(r"^## (.+)$", handout, re.MULTILINE)


def test_sentences_are_told_apart() -> None:
    """No two misconceptions of one component say the same, and there are enough of each."""
    said = [(header(path)["component"], header(path)["sentence"]) for path in FILES]
    assert len(set(said)) == len(said)
    least = {"MultiHeadAttention": 22, "LayerNorm": 12, "FeedForward": 8, "TransformerBlock": 12}
    assert {component: len(of(component)) >= least[component] for component in least} == dict.fromkeys(least, True)


@every_component
def test_every_misconception_loads_and_answers(component: Component) -> None:
    """Nothing raises at load, and every one gives numbers to some probe."""
    for name, seen in fingerprints(component).items():
        assert not [o.fault for o in seen if o.outcome not in ("answered", "raised")], name
        assert any(answer.numbers is not None for o in seen for answer in o.answers), name


@every_component
def test_every_misconception_differs_from_the_reference(component: Component) -> None:
    """In numbers, counts or gradients; an exception alone has too many causes to be a name."""
    found = fingerprints(component)
    for name in found.keys() - {""}:
        seen = differences(found[""], found[name]) - {"outcome"}
        assert seen, name
        assert (seen <= {"weights", "count"} and component == "MultiHeadAttention") == (name in ONLY_IN_WEIGHTS), name


@every_component
def test_no_two_misconceptions_answer_alike(component: Component) -> None:
    """In outcome, counts, numbers or input gradients; where these are the reference's, in the weights' gradients."""
    found, alike = fingerprints(component), []
    for pair in combinations(sorted(found.keys() - {""}), 2):
        unseen = set() if ONLY_IN_WEIGHTS.issuperset(pair) else {"weights"}
        alike += [] if differences(*(found[name] for name in pair)) - unseen else [pair]
    assert not alike


@pytest.mark.parametrize("k", [31, 138, 215])
def test_misconceptions_take_the_options_of_a_reading(k: int) -> None:
    """A misconception answers under every reading of the text, as the hand-ins that make the mistake do."""
    asked = tuple(EVERY["MultiHeadAttention"][k].asked(probe) for probe in ask_attention.attention_unmasked(SEED))
    for path, seen in all_answers(of("MultiHeadAttention"), asked).items():
        assert [(o.outcome, o.fault) for o in seen] == [("answered", None)] * len(asked), path
