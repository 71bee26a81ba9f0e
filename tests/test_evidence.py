"""Every wrong hand-in is proven wrong in just the components its first line names, no right one anywhere."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.oracle.evidence import CHECKS, RECORD, Evidence, evidence
from tests.oracle.loading import KIT, RIGHT, WRONG

every_right = pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
every_wrong = pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)


ALONE = "PYTEST_XDIST_WORKER" not in os.environ  # else another worker asks about the next hand-in


class Proofs:
    """The evidence of each hand-in, sought for the next one too while a test waits for the first."""

    def __init__(self, pool: ThreadPoolExecutor, paths: list[Path]) -> None:
        self.pool = pool
        self.paths = paths
        self.sought: dict[Path, Future[list[Evidence]]] = {}

    def of(self, path: Path) -> list[Evidence]:
        """The evidence against this hand-in."""
        here = self.paths.index(path)
        for following in self.paths[here : here + 1 + ALONE]:
            if following not in self.sought:
                self.sought[following] = self.pool.submit(evidence, following)
        return self.sought[path].result()


@pytest.fixture(scope="session")
def proofs(request: pytest.FixtureRequest) -> Iterator[Proofs]:
    """The evidence of the hand-ins this run asks for, in its order."""
    asking = [item for item in request.session.items if "proofs" in getattr(item, "fixturenames", ())]
    paths = list(dict.fromkeys(getattr(item, "callspec").params["path"] for item in asking))  # noqa: B009 -- untyped
    with ThreadPoolExecutor(2) as pool:
        yield Proofs(pool, paths)


@pytest.fixture(scope="module")
def recorded() -> dict[str, list[dict[str, str]]]:
    """The recorded evidence by file name."""
    table: dict[str, list[dict[str, str]]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return table


def named(path: Path) -> set[str]:
    """The components in the first line of a wrong hand-in."""
    first = path.read_bytes().splitlines()[0].decode("utf-8", errors="replace")
    return set(re.findall(r"(\w+)\.\w+", first.split("Fails:")[1]))


@every_right
def test_no_right_hand_in_is_proven_wrong(path: Path, proofs: Proofs) -> None:
    """The questions are sound: nothing a right hand-in does counts as evidence."""
    assert proofs.of(path) == []


@every_wrong
def test_every_wrong_hand_in_is_proven_wrong(
    path: Path, proofs: Proofs, recorded: dict[str, list[dict[str, str]]]
) -> None:
    """There is evidence against just the components that its first line names, and the record has its kind."""
    found = proofs.of(path)
    assert {one.component for one in found} == named(path), found
    assert [(one["component"], one["kind"]) for one in recorded[path.name]] == [(o.component, o.kind) for o in found]


def test_the_stub_is_proven_wrong_and_the_solution_is_not() -> None:
    """Where nothing is written yet there is evidence against every component, where all is right against none."""
    stub = evidence(KIT / "exercise" / "transformer_block.py")
    assert [one.component for one in stub] == list(CHECKS)
    assert all("NotImplementedError" in one.sentence for one in stub)
    assert evidence(KIT / "solution" / "transformer_block.py") == []


def test_the_record_covers_the_folder(recorded: dict[str, list[dict[str, str]]]) -> None:
    """The record has every wrong hand-in and nothing else, in words, about components that exist."""
    assert sorted(recorded) == [path.name for path in WRONG]
    said = [one for proof in recorded.values() for one in proof]
    assert {one["component"] for one in said} == set(CHECKS)
    assert all(one["sentence"] for one in said)
