"""A thousand hand-ins, killed three times in the middle, end as an uninterrupted run does: ``python -m tests.resume``.

The suite does the same with a few; here it is the size that an instructor has.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

from grader.classroom import STORE
from grader.entry import unpacked
from grader.forms import to_form
from grader.store import Store
from tests.class_runs import CORPUS, command, lasting, timeless
from tests.hand_ins import ROOT, environment

_PRINTED = re.compile(r'printed(": | )[\d,]+')  # bytes: addresses that some print are not always as long


def handed_in(folder: Path, count: int) -> Path:
    """The corpus over and over, each file with its student's name in a last comment, so that no two are one file."""
    folder.mkdir()
    sources = sorted([*CORPUS.glob("right/*.py"), *CORPUS.glob("wrong/*.py")])
    sources.remove(CORPUS / "wrong" / "dan_sup_set.py")  # answers by where its rows lie in memory
    for k, path in enumerate(islice(cycle(sources), count)):
        (folder / f"student{k:05}.py").write_bytes(path.read_bytes().rstrip() + f"\n# student {k}\n".encode("ascii"))
    return folder


def digests(run: Path) -> dict[str, str]:
    """By file and seed: the digest of its report and observations without the seconds. Nothing may be there twice."""
    with Store(run / STORE) as store:
        assert len(store) == len((run / STORE).read_bytes().splitlines()), "something was done twice"
        found = {}
        for key in store:
            line = store[key]
            kept = json.dumps([timeless(to_form(line.report)), lasting(to_form(unpacked(line)))])
            kept = _PRINTED.sub("printed", kept)
            found[f"{key.hand_in} {key.seed}"] = hashlib.sha256(kept.encode("ascii")).hexdigest()
        return found


def _lines(run: Path) -> int:
    return (run / STORE).read_bytes().count(b"\n") if (run / STORE).exists() else 0


def _killed(folder: Path, run: Path, at: int) -> None:
    """Start, and kill it when so many are in the store."""
    words = command("class", folder, "--output", run)
    with subprocess.Popen(words, cwd=ROOT, env=environment(), stdout=subprocess.DEVNULL) as process:
        while _lines(run) < at:
            assert process.poll() is None, "it was done before it was killed"
            time.sleep(0.2)
        process.kill()
    _say(f"killed with {_lines(run)} in the store")


def _whole(folder: Path, run: Path) -> None:
    began = time.monotonic()
    subprocess.run(
        command("class", folder, "--output", run), cwd=ROOT, env=environment(), check=True, stdout=subprocess.DEVNULL
    )
    _say(f"{_lines(run)} in the store after {time.monotonic() - began:.0f} s")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    """Status 0 when both stores hold the same."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hand-ins", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = handed_in(Path(place) / "class", options.hand_ins)
        _whole(folder, Path(place) / "whole")
        for k in range(1, options.kills + 1):
            _killed(folder, Path(place) / "killed", k * options.hand_ins // (options.kills + 1))
        _whole(folder, Path(place) / "killed")
        one, other = digests(Path(place) / "whole"), digests(Path(place) / "killed")
    differing = [key for key in one.keys() | other.keys() if one.get(key) != other.get(key)]
    _say(f"{len(one)} in one store, {len(other)} in the other, {len(differing)} differ: {differing[:5]}")
    return 1 if differing or len(one) != options.hand_ins else 0


if __name__ == "__main__":
    sys.exit(main())
