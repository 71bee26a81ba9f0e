"""Pairs of hand-ins that share more of their own code than is usual in this class, from their fingerprints.

What many have counts little: a print that k of N different hand-ins hold weighs log2((N + 1) / k), since a class that
solves one exercise converges. Pairs are looked for among the rarest prints first and under a fixed budget, so that a
large class costs no more than COMPARISONS steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log2
from typing import TypeAlias

from grader.fingerprints import Span

# Nobody copied in tests/submissions/right: of its 1,326 pairs two score more than this (0.58 and 0.51), nearly all less
# than 0.3. A copy with other names, order and comments has 1.0; about 0.6 when every fourth statement was changed too.
SCORE = 0.5
ENOUGH = 15  # prints in common: about one method
COMPARISONS = 2_000_000
PASSAGES = 8

Prints: TypeAlias = Mapping[int, Span]


@dataclass(frozen=True)
class Passage:
    """Lines of the one and of the other that hold the same code, and their weight in bits."""

    one: Span
    other: Span
    weight: float


@dataclass(frozen=True)
class Pair:
    """Two hand-ins by number. ``score``: the share, by weight, of the lesser one's own code that is in the other too.

    ``shared`` prints they have in common, ``alone`` of these are in no third hand-in; each is in ``holders`` of those
    that differ, on average. Heaviest passages first.
    """

    one: int
    other: int
    score: float
    shared: int
    alone: int
    holders: float
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Similarity:
    """``same``: hand-ins whose own code is the same throughout; a pair names only the first of such a group.

    ``compared`` is how many steps the search took, ``kinds`` how many hand-ins differ.
    """

    same: tuple[tuple[int, ...], ...]
    pairs: tuple[Pair, ...]
    compared: int
    kinds: int


def similar(hand_ins: Sequence[Prints]) -> Similarity:
    """Every pair of at least SCORE, highest first, of one percentage the most unusual first.

    Hand-ins with fewer than ENOUGH prints are left out.
    """
    groups: dict[frozenset[int], list[int]] = {}
    for number, prints in enumerate(hand_ins):
        if len(prints) >= ENOUGH:
            groups.setdefault(frozenset(prints), []).append(number)
    kinds = {members[0]: hand_ins[members[0]] for members in groups.values()}
    spread = Counter(mark for prints in kinds.values() for mark in prints)
    weights = {mark: log2((len(kinds) + 1) / count) for mark, count in spread.items()}
    candidates, compared = _candidates(kinds, spread)
    found = (_pair(one, other, kinds, weights, spread) for one, other in candidates)
    pairs = sorted((pair for pair in found if pair.score >= SCORE), key=_order)
    same = sorted((tuple(members) for members in groups.values() if len(members) > 1), key=lambda m: (-len(m), m))
    return Similarity(tuple(same), tuple(pairs), compared, len(kinds))


def _order(pair: Pair) -> tuple[int, int, int, int, int]:
    return -int(100 * pair.score + 1e-9), -pair.alone, -pair.shared, pair.one, pair.other


def _candidates(kinds: Mapping[int, Prints], spread: Mapping[int, int]) -> tuple[list[tuple[int, int]], int]:
    """Pairs that have ENOUGH in common among the rarest prints, and the steps it took to find them."""
    holders: dict[int, list[int]] = {mark: [] for mark, count in spread.items() if count > 1}
    for number, prints in kinds.items():
        for mark in prints.keys() & holders.keys():
            holders[mark].append(number)
    common: Counter[tuple[int, int]] = Counter()
    compared = 0
    for _, mark in sorted((len(numbers), mark) for mark, numbers in holders.items()):
        compared += len(holders[mark]) * (len(holders[mark]) - 1) // 2
        if compared > COMPARISONS:
            compared -= len(holders[mark]) * (len(holders[mark]) - 1) // 2
            break
        common.update(combinations(holders[mark], 2))
    return sorted(pair for pair, count in common.items() if count >= ENOUGH), compared


def _pair(
    one: int, other: int, kinds: Mapping[int, Prints], weights: Mapping[int, float], spread: Mapping[int, int]
) -> Pair:
    a, b = kinds[one], kinds[other]
    shared = a.keys() & b.keys()
    least = min(_weight(a, weights), _weight(b, weights))
    score = _weight(shared, weights) / least
    alone = sum(spread[mark] == 2 for mark in shared)
    passages = _passages(a, b, shared, weights) if score >= SCORE else ()
    holders = sum(spread[mark] for mark in shared) / len(shared)
    return Pair(one, other, score, len(shared), alone, holders, passages)


def _weight(marks: Iterable[int], weights: Mapping[int, float]) -> float:
    """Summed in one order, so that the last bit is the same in every run."""
    return sum(sorted(weights[mark] for mark in marks))


def _passages(a: Prints, b: Prints, shared: Iterable[int], weights: Mapping[int, float]) -> tuple[Passage, ...]:
    """Prints that follow each other in both are one passage."""
    found: list[Passage] = []
    for one, other, mark in sorted((a[mark], b[mark], mark) for mark in shared):
        last = found[-1] if found else None
        if last and _goes_on(last.one, one) and _goes_on(last.other, other):
            found[-1] = Passage(_both(last.one, one), _both(last.other, other), last.weight + weights[mark])
        else:
            found.append(Passage(one, other, weights[mark]))
    return tuple(sorted(found, key=lambda p: (-p.weight, p.one, p.other))[:PASSAGES])


def _goes_on(before: Span, after: Span) -> bool:
    return before[0] - 1 <= after[1] and after[0] <= before[1] + 2  # a blank line or a comment may stand between


def _both(before: Span, after: Span) -> Span:
    return min(before[0], after[0]), max(before[1], after[1])
