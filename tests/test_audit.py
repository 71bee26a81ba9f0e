"""`grader audit`: what it finds in a small corpus, how it says so, and the exit status it ends with."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import figures
from tests.hand_ins import ROOT, environment, run

CORPUS = ROOT / "tests" / "submissions"
SCALE, CENTRE, IDENTITY = "ada_scale_embed_dim", "ada_ln_no_centering", "ada_identity"
pytestmark = pytest.mark.timeout(180)  # one command grades a dozen times
NAMES = {SCALE: "attention-scale-embed-dim", CENTRE: "norm-not-centred"}


def corpus(folder: Path, right: str, wrong: tuple[str, ...], names: dict[str, str]) -> Path:
    """A corpus in this folder, of hand-ins of the kit's own."""
    for kind, stems in (("right", (right,)), ("wrong", wrong)):
        (folder / kind).mkdir(parents=True)
        for stem in stems:
            shutil.copy(CORPUS / kind / f"{stem}.py", folder / kind)
    (folder / "named.json").write_text(json.dumps(names), encoding="utf-8")
    return folder


def audit(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """`python -m grader audit ...` as a process of its own."""
    return run(sys.executable, "-m", "grader", "audit", "--jobs", "2", *arguments, env=environment())


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """An audit of two seeds in which all is well, as JSON."""
    folder = corpus(tmp_path_factory.mktemp("clean"), "ada_fused_blocked", (SCALE, CENTRE, IDENTITY), NAMES)
    return audit("--corpus", folder, "--seeds", "2", "--oracle", "--format", "json")


@pytest.fixture(scope="module")
def unclean(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """An audit in words of a corpus that tells lies: right and wrong exchanged, a name for another, too few faults."""
    folder = corpus(tmp_path_factory.mktemp("unclean"), "ada_fused_blocked", (SCALE, CENTRE), {SCALE: NAMES[CENTRE]})
    shutil.copy(CORPUS / "wrong" / "ada_ffn_no_activation.py", folder / "right")
    fine = (CORPUS / "right" / "dan_head_class_listcomp.py").read_text(encoding="utf-8")
    (folder / "wrong" / "fine.py").write_text(f"# wrong: nothing. Fails: LayerNorm.values\n{fine}", encoding="utf-8")
    path = folder / "wrong" / f"{CENTRE}.py"
    text = path.read_text(encoding="utf-8").replace("Fails: LayerNorm.values", "Fails: FeedForward.values", 1)
    path.write_text(text, encoding="utf-8")
    return audit("--corpus", folder, "--seeds", "1")


def found(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The findings of an audit as JSON."""
    findings: dict[str, Any] = json.loads(done.stdout)["findings"]
    return findings


def test_a_clean_audit_ends_with_0(clean: subprocess.CompletedProcess[str]) -> None:
    """Exit status 0, and the figures say that they are clean."""
    assert (clean.returncode, json.loads(clean.stdout)["clean"]) == (0, True), clean.stderr


def test_a_clean_audit_counts_everything(clean: subprocess.CompletedProcess[str]) -> None:
    """The reference and the stub under each seed, each hand-in once for all seeds."""
    findings = found(clean)
    kinds = ("reference", "stub", "right", "caught", "fitting", "named", "confirmed", "equal")
    assert findings["seeds"] == [0, 1]
    assert {key: tuple(findings[key].values()) for key in kinds} == {
        "reference": (2, 2), "stub": (2, 2), "right": (1, 1), "caught": (3, 3), "fitting": (3, 3), "named": (2, 2),
        "confirmed": (1, 1), "equal": (0, 3),
    }  # fmt: skip


def test_checks_are_counted(clean: subprocess.CompletedProcess[str]) -> None:
    """Each check has the number of faults it catches; none catches alone what others catch too."""
    checks = {row["check"]: (row["faults"], row["alone"]) for row in found(clean)["checks"]}
    assert checks["MultiHeadAttention.values.causal"][0] == 1
    assert all(alone <= faults for faults, alone in checks.values())


def test_progress_is_told_on_stderr(clean: subprocess.CompletedProcess[str]) -> None:
    """Count, rate and time left, down to the last."""
    assert re.search(r"^12 of 12, [\d.]+ a second, 0:00 left$", clean.stderr, re.MULTILINE)


def test_an_unclean_audit_ends_with_1(unclean: subprocess.CompletedProcess[str]) -> None:
    """Exit status 1, and the last line says why."""
    assert unclean.returncode == 1 and unclean.stdout.endswith("The audit is NOT clean.\n")


@pytest.mark.parametrize(
    ("title", "row"),
    [
        ("Faults that keep full marks (1):", "fine, seed 0: LayerNorm.values"),
        ("Right hand-ins that lose marks (1):", "ada_ffn_no_activation, seed 0: "),
        ("Faults that cost no points in the fitting component and property (1):", f"{CENTRE}, seed 0: FeedForward"),
        ("Marks lost in a component that the fault cannot reach (1):", f"{CENTRE}, seed 0: LayerNorm loses "),
        ("Faults of the library that got no name, or another (1):", f"{SCALE}, seed 0: {NAMES[CENTRE]}"),
    ],
)
def test_troubles_are_listed_before_the_figures(
    unclean: subprocess.CompletedProcess[str], title: str, row: str
) -> None:
    """Each kind of trouble has its title and the hand-ins below it."""
    troubles = unclean.stdout.partition("graded with")[0]
    assert f"{title}\n  {row}" in troubles


def test_false_names_are_counted(unclean: subprocess.CompletedProcess[str]) -> None:
    """A name that the table has for nobody, or another, is false: of the right one's, and of both wrong ones'."""
    block = unclean.stdout.partition("False names (3):\n")[2].partition("\n\n")[0]
    assert [line.partition(",")[0].strip() for line in block.splitlines()] == ["ada_ffn_no_activation", CENTRE, SCALE]


@pytest.mark.parametrize("option", [(), ("--long",)], ids=["short", "long"])
def test_no_corpus_is_wrong_usage(tmp_path: Path, option: tuple[str, ...]) -> None:
    """Exit status 2 and one line that says what is missing and what to do."""
    done = audit("--corpus", tmp_path, *option)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"grader: there is no corpus at {tmp_path}") and "--corpus" in done.stderr


def test_long_mode_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """A second run over more seeds grades what is new, and counts what was noted, but for a line cut short."""
    folder = corpus(tmp_path / "corpus", "ada_fused_blocked", (SCALE,), {})
    notes = tmp_path / "notes.jsonl"
    options = ("--corpus", folder, "--long", "--notes", notes)
    assert audit(*options, "--grades", "4").stdout.startswith("4 grades of 1 right hand-ins: no flakes")
    with notes.open("a", encoding="utf-8") as file:
        file.write('{"name": "ada_fu\n')
    done = audit(*options, "--grades", "8", "--format", "json")
    assert (done.returncode, json.loads(done.stdout)) == (
        0, {"schema": 1, "grades": 8, "hand_ins": 1, "flakes": []}
    )  # fmt: skip
    assert "1 of 1" in done.stderr


def test_the_readme_has_the_recorded_figures() -> None:
    """Between its markers the README says what the records say."""
    readme = figures.README.read_text(encoding="utf-8")
    assert figures.PART.findall(readme) == [figures.part(figures.read(figures.AUDIT), figures.read(figures.MUTANTS))]


def test_the_recorded_audit_is_clean() -> None:
    """What is recorded is worth showing."""
    assert figures.read(figures.AUDIT)["clean"] is True


def test_every_name_is_of_the_library() -> None:
    """named.json names wrong hand-ins that exist, by misconceptions that exist, in a component that fails."""
    table = json.loads((CORPUS / "named.json").read_text(encoding="utf-8"))
    for stem, name in table.items():
        code = ROOT / "solution" / "misconceptions" / f"{name.replace('-', '_')}.py"
        component = code.read_text(encoding="utf-8").split("\n")[0].removeprefix("# component: ")
        assert f"{component}." in (CORPUS / "wrong" / f"{stem}.py").read_bytes().split(b"\n")[0].decode("utf-8-sig")
