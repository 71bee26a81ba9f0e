"""Hostile hand-ins gain no point that is not theirs, touch nothing, leave nothing behind, and get a whole report."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

import pytest

from tests.attack_range import NOBODY, Range, interpreter
from tests.attacks import Attack, attacks

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the layers above process are Linux's"),
    pytest.mark.timeout(150),  # a hand-in may use all of its time, and a loaded machine a multiple of it
]
ATTACKS = attacks()
# What one file can try; the rest of the catalogue is about archives, repositories and workflows.
TRIED = {
    "A": (1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14),
    "B": (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19),
    "C": range(1, 16),
    "D": (1, 2, 3, 5, 9),
    "E": range(1, 25),
    "F": range(1, 9),
}
# What a level below full promises, and what it does not: there these attacks are seen to do what they say.
HELD = {
    "process": ("b01", "b08", "c02", "c06", "c10_", "c13", "e17", "e19", "e21"),
    "limits": ("a14", "c03", "c09b", "e05", "e06", "e07", "e09"),
    "files": ("a01", "a06", "a07", "a09", "c05", "d01", "d02", "e10", "f04"),
}
THROUGH = {
    "process": ("a01_", "a06", "a07_", "a08_", "a09", "a13", "c05", "c09", "d01", "d02", "e05", "e07", "e10", "e22"),
    "limits": ("a02", "a08_", "c05", "c09_"),
}
ORDINARY = ("a01_", "a06", "a07", "a09", "a14", "c09", "d02", "e05", "e07", "e22")


@pytest.fixture(scope="module")
def ground() -> Iterator[Range]:
    """A range of whoever runs the tests."""
    with Range() as entered:
        yield entered


def _gained(ground: Range, attack: Attack, level: str) -> list[str]:
    outcome = ground.attempt(attack.path, level)
    unearned = attack.unearned(outcome)
    return [*([f"{unearned} points"] if unearned else []), *outcome.effects]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.path.stem)
def test_nothing_is_gained_at_level_full(ground: Range, attack: Attack) -> None:
    """At level full an attack earns no point, has no side effect, and its report is whole and says what happened."""
    outcome = ground.attempt(attack.path, "full")
    assert outcome.effects == ()
    assert attack.unearned(outcome) == 0, {name: n for name, n in outcome.facts["points"].items() if n}
    assert not attack.verdict_differs(outcome), outcome.status_of(attack.component)
    assert outcome.facts["whole"] and outcome.facts["silent"] == []
    assert attack.path.suffix != ".py" or re.match(r"full |$", outcome.facts["isolation"])


@pytest.mark.parametrize("level", HELD)
def test_lower_levels_hold_what_they_promise(ground: Range, level: str) -> None:
    """Each level holds its own share of the attacks."""
    gained = {attack.path.stem: _gained(ground, attack, level) for attack in attacks(HELD[level])}
    assert len(gained) >= len(HELD[level]) and not {name: what for name, what in gained.items() if what}


@pytest.mark.parametrize("level", THROUGH)
def test_attacks_are_real(ground: Range, level: str) -> None:
    """Where no layer stops them the same files do what they say, and the range sees it."""
    gained = {attack.path.stem: _gained(ground, attack, level) for attack in attacks(THROUGH[level])}
    assert len(gained) >= len(THROUGH[level]) and [name for name, what in gained.items() if not what] == []


def test_an_ordinary_user_is_held_as_well() -> None:
    """Level full needs no root: a grader that runs as nobody stops the same attacks."""
    user = NOBODY if os.geteuid() == 0 else None
    if interpreter(user) is None:
        pytest.skip("no Python 3.10 here is open to other users")
    with Range(user) as ground:
        gained = {attack.path.stem: _gained(ground, attack, "full") for attack in attacks(ORDINARY)}
    assert len(gained) >= len(ORDINARY) and not {name: what for name, what in gained.items() if what}


def test_the_catalogue_is_covered() -> None:
    """Every attack of the catalogue that one file can try is tried, and each has a name of its own."""
    names = [attack.id for attack in ATTACKS]
    assert len(names) == len(set(names))
    assert {f"{letter}{number:02}" for letter, numbers in TRIED.items() for number in numbers} - set(names) == set()


def test_an_attack_says_what_it_is() -> None:
    """The first lines of a hostile file say what it tries, what it could do and what it may score."""
    assert {attack.path.stem.partition("_")[0] for attack in ATTACKS} == {attack.id.lower() for attack in ATTACKS}
    assert [attack.id for attack in ATTACKS if not (attack.sentence and attack.side_effect and attack.most < 100)] == []
