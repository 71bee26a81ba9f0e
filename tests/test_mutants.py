"""Mutants: what is changed, what the oracle makes of it, and that the grader catches what the oracle calls wrong."""

from __future__ import annotations

import json
import sys
import tokenize
from collections import Counter
from typing import Any

import pytest

from tests.hand_ins import environment, run
from tests.mutant_oracle import Verdict, rule
from tests.mutants import RECORD
from tests.mutating import Mutant, mutants, readable
from tests.oracle.loading import RIGHT

SAMPLE, SEED = 24, 20
FILES = {path.stem: path for path in RIGHT}
KINDS = {
    "argument dropped", "arguments swapped", "branch taken always", "comparison", "condition negated", "constant",
    "cut from the graph", "index", "loop bound", "operands swapped", "operator", "statement dropped",
}  # fmt: skip


def text_of(stem: str) -> str:
    """The text of a right hand-in."""
    with tokenize.open(FILES[stem]) as file:
        return file.read()


def ruled(stem: str, old: str, new: str, component: str | None = None) -> Verdict:
    """The oracle's verdict on a right hand-in with these words in place of those."""
    text = text_of(stem)
    assert text.count(old) == 1
    return rule(stem, text.replace(old, new), component)


@pytest.fixture(scope="module")
def every() -> list[Mutant]:
    """All mutants of all right hand-ins."""
    return [mutant for path in RIGHT for mutant in mutants(path)]


def test_every_right_hand_in_is_changed_in_many_ways(every: list[Mutant]) -> None:
    """Each right hand-in has a hundred mutants and more, and every kind of change occurs."""
    counts = Counter(mutant.hand_in for mutant in every)
    assert counts.keys() == FILES.keys() and min(counts.values()) >= 100
    assert {mutant.kind for mutant in every} == KINDS


def test_given_code_stays_as_it_is(every: list[Mutant]) -> None:
    """No mutant of a file with the whole text in it changes a line of the given classes."""
    lines = text_of("bo_pasted_plain").split("\n")
    own = min(i for i, line in enumerate(lines, 1) if line.startswith(("class MultiHead", "class LayerNorm")))
    assert min(mutant.line for mutant in every if mutant.hand_in == "bo_pasted_plain") >= own


@pytest.mark.parametrize("stem", ["eva_tabs_crlf", "eva_latin1", "eva_bom_unicode", "ada_fused_blocked"])
def test_a_mutant_differs_in_one_place(stem: str) -> None:
    """The lines before the change are the original's; texts beyond ASCII and tabs do not shift the place."""
    lines = text_of(stem).split("\n")
    for mutant in mutants(FILES[stem]):
        assert mutant.text.split("\n")[: mutant.line - 1] == lines[: mutant.line - 1], mutant.name


def test_nearly_every_mutant_can_be_read() -> None:
    """A change is put in such that Python reads what comes out."""
    made = [readable(mutant.text) for path in RIGHT[:4] for mutant in mutants(path)]
    assert sum(made) > 0.98 * len(made)


@pytest.mark.parametrize("stem", ["ada_fused_blocked", "eva_latin1", "bo_pasted_plain"])
def test_the_unchanged_hand_in_is_right(stem: str) -> None:
    """Through its layout map it equals the plain floats."""
    assert rule(stem, text_of(stem), None).verdict == "right"


def test_a_wrong_change_is_proven_wrong() -> None:
    """The verdict comes with evidence."""
    found = ruled("ada_project_then_split", "embed_dim % num_heads == 0", "True", "MultiHeadAttention")
    assert found.verdict == "wrong" and "accepted though" in found.why


def test_a_renaming_is_right() -> None:
    """Queries for keys is another layout, not another function."""
    old, new = "attention_scores(q, k, self.head_dim)", "attention_scores(k, q, self.head_dim)"
    assert ruled("dan_head_class_listcomp", old, new) == Verdict("right", "equal to the plain floats")


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The record of a random sample, made by the command."""
    record = tmp_path_factory.mktemp("mutants") / "mutants.json"
    options = ("--sample", str(SAMPLE), "--seed", str(SEED), "--jobs", "2", "--record", record)
    done = run(sys.executable, "-m", "tests.mutants", *options, env=environment())
    assert done.returncode in (0, 1), done.stderr
    table: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))
    return table


@pytest.mark.timeout(180)
def test_a_sample_of_wrong_mutants_is_killed(sampled: dict[str, Any]) -> None:
    """What the oracle proves wrong loses marks, or somebody has said why not."""
    assert [one for one in sampled["survivors"] if not one["explained"]] == []


@pytest.mark.timeout(180)
def test_a_sample_of_right_mutants_keeps_full_marks(sampled: dict[str, Any]) -> None:
    """What the oracle proves right loses nothing, and most mutants are decided."""
    assert sampled["right_that_lose"] == []
    assert sampled["wrong"] > SAMPLE / 2 and sampled["tried"] <= SAMPLE


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    """The recorded run, of many more."""
    table: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return table


def test_the_record_has_every_survivor_explained(recorded: dict[str, Any]) -> None:
    """No wrong mutant survives without a reason."""
    assert recorded["wrong"] >= 100
    assert recorded["killed"] + recorded["explained"] == recorded["wrong"]


def test_the_record_has_no_right_mutant_that_loses(recorded: dict[str, Any]) -> None:
    """No right answer fails, not even one that nobody would write."""
    assert recorded["right_that_lose"] == []
