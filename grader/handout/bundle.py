"""The student's bundle: the exercise and a grader that needs nothing else, as a folder and a zip."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.handout import Order
from grader.handout.allowed import EXERCISE, content, files
from grader.handout.archive import Files, make_folder, replace_folder, unzipped, zipped
from grader.handout.proof import prove
from grader.handout.trial import try_bundle
from grader.kit import Kit
from grader.writing import write_whole

NAME = "transformer-block"
STUB = "exercise/transformer_block.py"
OWN = Path(__file__).parent / "student"


def bundle(kit: Kit) -> Files:
    """Every file of the bundle by its path in it: the list in files.ini and nothing else."""
    return {
        **files("student"),
        **{f"exercise/{name}": content(kit.exercise / name) for name in EXERCISE},
        **{name: content(OWN / name) for name in ("README.md", "Makefile")},
    }


def build(kit: Kit, order: Order) -> Sequence[str]:
    """Prove the bundle, then write the folder and the zip. Raises UsageError when they cannot be written."""
    packed = zipped(bundle(kit), NAME)
    made = unzipped(packed, NAME)  # what is proved is what the zip holds
    solution = prove(kit, made)
    try_bundle(made, STUB, content(solution / "transformer_block.py"))
    make_folder(order.into)
    replace_folder(order.into / NAME, made, STUB)
    write_whole(order.into / f"{NAME}.zip", packed)
    return (
        f"The student's bundle is in {order.into / NAME} and {order.into / f'{NAME}.zip'}",
        "  nothing of solution/ is in it; with it the stub scores 0 and the reference 100",
    )
