"""`grader check --watch` in a real pseudo-terminal: graded on every save, however it is saved, until Ctrl-C."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hand_ins import REFERENCE, STUB, broken, check, environment, filled

pytest.importorskip("pty", reason="there are no pseudo-terminals on this system")
from tests.terminals import CLEAR, Terminal

WRONG = Path(__file__).parent / "submissions" / "wrong"
RIGHT = REFERENCE.read_text(encoding="utf-8")
BIASED = (WRONG / "cleo_ln_unbiased_variance.py").read_text(encoding="utf-8")
WAITING = "Waiting for the next save of hand_in.py. Ctrl-C stops."


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A hand-in with one mistake."""
    path = tmp_path / "hand_in.py"
    path.write_text(BIASED, encoding="utf-8")
    return path


def watching(file: Path, *options: str | Path, python: tuple[str, ...] = (), **how: object) -> Terminal:
    """The command in a terminal."""
    return Terminal(*python, "-m", "grader", "check", "--watch", file, *options, **how)  # type: ignore[arg-type]


def replace(file: Path, text: str) -> None:
    """Save as many editors do: write another file and rename it over the old one."""
    other = file.with_name(".hand_in.py.swp")
    other.write_text(text, encoding="utf-8")
    other.replace(file)


def lines_of(terminal: Terminal) -> list[str]:
    """What was written, line by line, without colours; a line that was written over is two."""
    return re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;]*[mHJ]", "", terminal.all))


@pytest.mark.parametrize("python", [(), ("-S",)], ids=["watchfiles", "standard library"])
def test_an_evening_of_work(file: Path, python: tuple[str, ...]) -> None:
    """Saved in place, by rename, deleted, made anew: each time the next step, the scores, and what changed."""
    with watching(file, python=python) as terminal:
        seen = terminal.until(WAITING, "91/100")
        assert re.search(r"✗ failed LayerNorm\.statistics: .* is 0\.79999; expected .* Likely cause: .* Hint: ", seen)
        assert "✗ LayerNorm 9/18 4 of 7" in seen and "Since" not in seen
        replace(file, RIGHT)
        seen = terminal.until(WAITING, "Full marks: all 38 checks passed.")
        assert "(91/100): +9 points ✓ now passes LayerNorm: statistics, eps, affine" in seen
        file.unlink()
        terminal.until("hand_in.py is not there at the moment.", WAITING)
        file.write_text(STUB.read_text(encoding="utf-8"), encoding="utf-8")
        seen = terminal.until(WAITING, "(100/100): -100 points")
        assert "✗ now lost LayerNorm: all 7 checks" in seen
        assert terminal.stop() == 1
        assert re.search(r"Stopped\. Score 0/100 at \d\d:\d\d:\d\d\.$", terminal.screen)
        assert "Traceback" not in terminal.all


def test_a_file_that_is_half_written_is_no_loss(file: Path) -> None:
    """Empty or cut off: it is said kindly, and what changed is told from the last run that could be loaded."""
    with watching(file, "--component", "LayerNorm") as terminal:
        terminal.until(WAITING, "9/18")
        file.write_text(RIGHT[: RIGHT.index("class LayerNorm") + 40], encoding="utf-8")
        seen = terminal.until(WAITING, "Make the file load")
        assert re.search(r"SyntaxError.* At [\d:]+ it was 9/18\.", seen)
        file.write_text("", encoding="utf-8")
        assert "0/18" not in terminal.until(WAITING, "The file is empty.")
        file.write_text(RIGHT, encoding="utf-8")
        assert "(9/18): +9 points" in terminal.until(WAITING, "Full marks")
        assert terminal.stop() == 0


def test_a_save_ends_the_grading_of_what_was_there_before(file: Path) -> None:
    """Nobody waits for a loop that is mended: its report is never shown."""
    file.write_text(broken("MultiHeadAttention", "while True: pass"), encoding="utf-8")
    with watching(file) as terminal:
        terminal.until("Asking MultiHeadAttention ...")
        replace(file, RIGHT)
        terminal.until(WAITING, "Full marks")
        assert "timeout" not in terminal.all and terminal.stop() == 0


def test_quick_saves_end_with_the_last(file: Path) -> None:
    """Whatever lay there in between, the last one is shown in the end."""
    with watching(file, "--component", "LayerNorm") as terminal:
        terminal.until(WAITING, "9/18")
        for text in (RIGHT[:500], "", STUB.read_text(encoding="utf-8"), BIASED, RIGHT):
            file.write_text(text, encoding="utf-8")
        terminal.until(WAITING, "Full marks")
        assert terminal.stop() == 0


def test_ctrl_c_while_grading_stops_at_once(file: Path) -> None:
    """Before there is any score: a word, exit status 3, no traceback."""
    file.write_text(broken("MultiHeadAttention", "while True: pass"), encoding="utf-8")
    with watching(file) as terminal:
        terminal.until("Asking MultiHeadAttention ...")
        assert terminal.stop() == 3
        assert "grader: interrupted" in terminal.all and "Traceback" not in terminal.all


@pytest.mark.parametrize("columns", [40, 80])
def test_nothing_is_wider_than_the_terminal(file: Path, columns: int) -> None:
    """At 80 columns and at 40, with hints and a fault in every class."""
    with watching(file, "--hint", columns=columns) as terminal:
        terminal.until(WAITING)
        replace(file, STUB.read_text(encoding="utf-8"))
        terminal.until(WAITING, "-91 points")
        assert [line for line in lines_of(terminal) if len(line) >= columns] == []
        assert terminal.screen.count("Hint: ") == 2


def test_colour_only_where_it_is_wanted(file: Path) -> None:
    """On a terminal; not with NO_COLOR, and on a dumb one no escape at all."""
    for more, colours, clears in (
        ({"NO_COLOR": None}, True, True),
        ({}, False, True),
        ({"TERM": "dumb"}, False, False),
    ):
        with watching(file, "--component", "LayerNorm", **more) as terminal:
            terminal.until(WAITING, "9/18")
            assert (bool(re.search("\x1b\\[[0-9;]+m", terminal.all)), CLEAR in terminal.all) == (colours, clears)
            assert clears or "\x1b" not in terminal.all


def test_plain_ascii_where_the_terminal_needs_it(file: Path) -> None:
    """In the C locale everything that is shown is ASCII."""
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": None}
    with watching(file, "--component", "LayerNorm", **ascii_only) as terminal:
        assert "x failed LayerNorm.statistics" in terminal.until(WAITING, "9/18")
        assert terminal.all.isascii() and "?" not in terminal.all


def test_the_page_is_written_anew_on_every_save(file: Path, tmp_path: Path) -> None:
    """For whoever keeps it open beside the editor."""
    page = tmp_path / "report.html"
    with watching(file, "--component", "LayerNorm", "--format", "html", "--output", page) as terminal:
        terminal.until(WAITING, "9/18", "The report is in")
        assert "9 of 18 points" in page.read_text(encoding="utf-8")
        replace(file, filled("LayerNorm"))
        terminal.until(WAITING, "18/18")
        assert "18 of 18 points" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "words"),
    [(("--format", "json"), "--output FILE"), ((), "there is no such file")],
    ids=["json", "no file"],
)
def test_wrong_usage(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    """A format without a file to write, or nothing to watch: exit status 2 at once."""
    done = check(STUB if options else tmp_path / "nothing.py", "--watch", *options)
    assert (done.returncode, done.stdout) == (2, "") and words in done.stderr


def test_without_a_terminal_it_is_plain_text(file: Path) -> None:
    """Into a pipe: runs one below the other, no escapes, no progress."""
    command = [sys.executable, "-m", "grader", "check", "--watch", str(file), "--component", "LayerNorm"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(), encoding="utf-8"
    ) as running:
        assert running.stdout is not None
        seen = "".join(iter(running.stdout.readline, f"{WAITING}\n"))
        running.send_signal(signal.SIGINT)
        rest = running.stdout.read()
    assert "failed  LayerNorm.statistics" in seen and "\x1b" not in seen and "\r" not in seen
    assert running.returncode == 1 and rest.startswith("\nStopped. Score 9/18")
