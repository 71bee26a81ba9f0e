"""The proof that a handout gives nothing away: every way to hide the solution in it that we could think of is found."""

from __future__ import annotations

import base64
import gzip
import json
import py_compile
import re
import shutil
import sys
import textwrap
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.handout import Order, build
from grader.handout.archive import zipped
from grader.handout.bundle import bundle
from grader.handout.hidden import Hidden, hidden
from grader.handout.proof import RECORDED, leaks, prove
from grader.kit import Kit
from grader.records import GraderFault, UsageError
from tests.hand_ins import MADE, REFERENCE, ROOT, class_of, run

KIT = Kit.here()
TEXT = REFERENCE.read_text(encoding="utf-8")
RIGHT = ROOT / "tests" / "submissions" / "right"
OWN = re.findall(
    r"\w+",
    """W_q W_k W_v W_o heads scores mask own concatenated fc1 fc2 mean hidden centred variance rsqrt scale shift ln1 ln2
    attention ffn attended _attend result x y h t Q K V D row rows embed_dim num_heads head_dim""",
)  # what a copy of the reference can rename


@pytest.fixture(scope="module")
def secret() -> Hidden:
    """What gives this kit's solution away."""
    assert KIT.solution is not None
    return hidden(KIT, KIT.solution)


def bare(text: str) -> str:
    """Code without docstrings."""
    return re.sub(r'"""[\s\S]*?"""\n?', "", text)


def disguised(text: str) -> str:
    """Code without docstrings, in which the attributes and variables have other names."""
    return re.sub(r"\b\w+\b", lambda found: f"q{OWN.index(found[0])}" if found[0] in OWN else found[0], bare(text))


def notebook(text: str) -> bytes:
    """A notebook with this text in a cell."""
    return json.dumps({"cells": [{"cell_type": "code", "source": text.splitlines(keepends=True)}]}).encode()


def compiled(text: str) -> bytes:
    """What Python writes into __pycache__ for this text."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "m.py")
        path.write_text(text, encoding="utf-8")
        return Path(py_compile.compile(str(path), cfile=str(path.with_suffix(".pyc")), doraise=True)).read_bytes()


def literal(data: bytes) -> bytes:
    """Data as base64 in a Python string over many lines."""
    lines = textwrap.wrap(base64.b64encode(data).decode(), 76)
    return b"DATA = (\n" + b"".join(f'    "{line}"\n'.encode() for line in lines) + b")\n"


WAYS: dict[str, Callable[[str], bytes]] = {
    "as it is": str.encode,
    "without docstrings": lambda text: bare(text).encode(),
    "with other names": lambda text: disguised(text).encode(),
    "laid out anew": lambda text: re.sub(r"[ \t]*\n\s*", "\n ", bare(text)).encode(),
    "in prose": lambda text: f"Look:\n\n```python\n{text}\n```\n".encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
    "zlib in base64": lambda text: literal(zlib.compress(text.encode())),
    "base64": lambda text: b"x = '" + base64.b64encode(text.encode()) + b"'",
    "base64 for addresses": lambda text: b"https://example.org/?code=" + base64.urlsafe_b64encode(text.encode()),
    "base64 in lines": lambda text: literal(text.encode()),
    "hexadecimal": lambda text: text.encode().hex().encode(),
    "zip in a zip": lambda text: zipped({"a.zip": zipped({"b.py": text.encode()})}),
    "notebook": notebook,
    "json": lambda text: json.dumps({"answer": text}).encode(),
    "bytecode": compiled,
}


@pytest.mark.parametrize("way", WAYS)
def test_reference_is_found(secret: Hidden, way: str) -> None:
    """The reference is found in every wrapping, under other names, and laid out anew."""
    assert leaks({"grader/some.py": WAYS[way](TEXT)}, secret)


@pytest.mark.parametrize("component", ["MultiHeadAttention", "LayerNorm", "FeedForward", "TransformerBlock"])
def test_one_class_with_other_names_is_found(secret: Hidden, component: str) -> None:
    """A single class of the reference, even the shortest, is found without its docstrings and names."""
    assert leaks({"a.py": disguised(class_of(REFERENCE, component)).encode()}, secret) == [
        "a.py holds code of solution/ with other names"
    ]


def test_every_file_of_the_solution_is_found(secret: Hidden) -> None:
    """Readings, walk-through and each misconception are found as they are."""
    assert KIT.solution is not None
    paths = [path for path in KIT.solution.rglob("*") if path.suffix in (".py", ".md")]
    assert len(paths) > 100
    assert [path.name for path in paths if not leaks({"a": path.read_bytes()}, secret)] == []


def test_code_of_every_misconception_is_found(secret: Hidden) -> None:
    """Also without the lines that name it, where it is long enough to tell anything."""
    assert KIT.solution is not None
    paths = (KIT.solution / "misconceptions").glob("*.py")
    codes = {path: "\n".join(path.read_text(encoding="utf-8").splitlines()[4:]) for path in paths}
    long = {path: code for path, code in codes.items() if len(code) > 350}
    assert len(long) > 5
    assert [path.name for path, code in long.items() if not leaks({"a.py": code.encode()}, secret)] == []


@pytest.mark.parametrize("field", ["name", "sentence", "hint"])
def test_misconceptions_are_told_by_recorded_numbers_alone(secret: Hidden, field: str) -> None:
    """Their names and sentences are in recorded.json.gz; the same text elsewhere is a leak."""
    told = json.loads(gzip.decompress((ROOT / RECORDED).read_bytes()))["misconceptions"][7][field]
    packed = gzip.compress(json.dumps([told]).encode())
    assert leaks({RECORDED: packed}, secret) == []
    (found,) = leaks({"README.md": told.encode()}, secret)
    assert "what only the recorded numbers may tell" in found


def test_names_of_the_solution_are_found(secret: Hidden) -> None:
    """One attribute of the reference is enough."""
    assert "fc1, a name of solution/" in leaks({"a.md": b"call it self.fc1"}, secret)[0]


def test_bundle_holds_nothing_hidden(secret: Hidden) -> None:
    """Today's bundle gives nothing away."""
    assert leaks(bundle(KIT), secret) == []


def test_what_is_public_is_no_leak(secret: Hidden) -> None:
    """The exercise and a student's own way of writing it are not taken for the solution."""
    own = "class LayerNorm(Module):\n    def forward(self, x):\n        m = sum(x) / len(x)\n        return x\n"
    files = {path.name: path.read_bytes() for path in (ROOT / "exercise").iterdir() if path.is_file()}
    assert leaks({**files, "own.py": own.encode()}, secret) == []


@pytest.mark.parametrize(
    "change",
    [
        {"fingerprints": {"LayerNorm": {"0": '{"": ["import this"]}'}}},
        {"expected": {"LayerNorm": {"0": ["some text"]}}},
        {"misconceptions": [{"name": "a", "code": "b"}]},
        {"more": 1},
    ],
)
def test_recorded_numbers_of_another_form_are_refused(change: dict[str, object]) -> None:
    """Only numbers and the sentences of misconceptions may be recorded, in exactly their form."""
    recorded = json.loads(gzip.decompress((ROOT / RECORDED).read_bytes()))
    files = {RECORDED: gzip.compress(json.dumps({**recorded, **change}).encode())}
    with pytest.raises(GraderFault, match="holds something else than numbers and sentences"):
        prove(KIT, files)


@pytest.mark.parametrize("spoiled", ["leak", "stub", "grader"])
def test_a_failing_proof_writes_nothing(tmp_path: Path, spoiled: str) -> None:
    """Where something leaks, or the bundle does not grade as it must, it is the grader's fault and there is no file."""
    for part in ("exercise", "grader", "solution"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns(*MADE))
    if spoiled == "leak":
        with (tmp_path / "grader" / "handout" / "student" / "README.md").open("a", encoding="utf-8") as file:
            file.write("\n\n" + class_of(REFERENCE, "LayerNorm"))
        said = "README.md holds code of solution/"
    elif spoiled == "stub":
        shutil.copy(RIGHT / "ada_cached_mask.py", tmp_path / "exercise" / "transformer_block.py")
        said = "the stub scores 100 with it, expected 0"
    else:
        with (tmp_path / "grader" / "expectations.py").open("a", encoding="utf-8") as file:
            file.write("\n\nRECORDED = Path('nowhere')\n")
        said = "the handout's own grader broke"
    done = run(sys.executable, "-m", "grader", "handout", "student", "--into", "out", cwd=tmp_path, env={})
    assert done.returncode == 3 and said in done.stderr, done.stderr
    assert not (tmp_path / "out").exists()


def test_without_a_solution_nothing_can_be_proved(tmp_path: Path) -> None:
    """An installed grader or a bundle makes no handouts, and says why."""
    with pytest.raises(UsageError, match="from the full kit"):
        build("student", Kit(KIT.exercise, None), Order(tmp_path / "out"))
    assert not (tmp_path / "out").exists()
