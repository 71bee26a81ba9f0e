"""Gradescope's autograder: a zip with setup.sh and run_autograder at its root, a grader, and no solution."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.autograder import Settings
from grader.expectations import PRIVATE, PRIVATE_BLOCKS, PUBLIC_SEED
from grader.forms import to_form
from grader.handout import Order
from grader.handout.allowed import EXERCISE, content, files
from grader.handout.archive import Files, make_folder, unzipped, zipped
from grader.handout.proof import prove
from grader.handout.trial import try_autograder
from grader.kit import Kit
from grader.recording import packed, record_blocks, record_private
from grader.records import COMPONENTS, UsageError
from grader.render.gradescope import placeholder
from grader.rubric import RUBRIC
from grader.seeds import Seeds
from grader.writing import write_whole

NAME = "gradescope.zip"
OWN = Path(__file__).parent / "autograder"


def autograder(kit: Kit, order: Order) -> Files:
    """Every file of the zip by its path in it. With a key, the numbers expected under its seed are recorded now."""
    seed = Seeds.from_file(order.key).of(NAME) if order.key else PUBLIC_SEED
    _refuse_unknown(name for name, _ in order.tiers)
    settings = Settings(seed, order.tiers, order.require)
    private = {PRIVATE: record_private, PRIVATE_BLOCKS: record_blocks} if order.key else {}
    return {
        **files("student"),
        **files("gradescope"),
        **{f"grader/{path.name}": packed(record(kit, seed)) for path, record in private.items()},
        **{f"exercise/{name}": content(kit.exercise / name) for name in EXERCISE},
        **{name: content(OWN / name) for name in ("setup.sh", "run_autograder")},
        "placeholder.json": placeholder().encode(),
        "settings.json": json.dumps(to_form(settings), indent=1).encode(),
    }


def build(kit: Kit, order: Order) -> Sequence[str]:
    """Prove the autograder, then write it. Raises UsageError when it cannot be written."""
    if kit.solution is None:
        raise UsageError("an autograder is made from the full kit: there is no solution/ here")
    archive = zipped(autograder(kit, order))
    made = unzipped(archive)  # what is proved is what the zip holds
    solution = prove(kit, made)
    try_autograder(made, content(kit.stub), content(solution / "transformer_block.py"))
    make_folder(order.into)
    write_whole(order.into / NAME, archive)
    seed = "a private seed" if order.key else "the public seed, which students have too; for marks give --key-file"
    return (
        f"Gradescope's autograder is in {order.into / NAME}",
        "  nothing of solution/ is in it; with it the stub scores 0 and the reference 100",
        f"  it asks with {seed}",
        "  give the assignment 100 autograder points",
    )


def _refuse_unknown(named: Iterable[str]) -> None:
    """Raises UsageError for what the rubric does not know."""
    names = {name for check in RUBRIC for name in (check.id, check.property)} | set(COMPONENTS)
    for name in named:
        if name not in names:
            raise UsageError(f"nothing in the rubric is called {name}; give a component, a property or a line's id")
