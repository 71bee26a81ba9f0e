"""Every attack at every level, as root and as nobody: `python -m tests.attacks` prints what each gained and did.

Then the right hand-ins at every level. It ends with status 1 when any attack gains a point or has a side effect at
level full, or a right hand-in loses a mark anywhere.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.isolation import LEVELS
from tests.attack_range import NOBODY, Outcome, Range

HOSTILE = Path(__file__).parent / "submissions" / "hostile"
LINES = 5  # the head of an attack: three lines, and what must come before them in a file


@dataclass(frozen=True)
class Attack:
    """One hostile hand-in and what its first lines say: what it tries, could do, and may score."""

    path: Path
    id: str
    sentence: str
    side_effect: str
    most: int
    component: str = ""
    status: str = ""

    def unearned(self, outcome: Outcome) -> int:
        """Points beyond those that its honest parts are worth."""
        return max(0, outcome.score - self.most)

    def verdict_differs(self, outcome: Outcome) -> bool:
        """Whether the first line of its component has another status than the attack is to have."""
        return bool(self.status) and outcome.status_of(self.component) != self.status


def read_attack(path: Path) -> Attack:
    """An attack with what its head says. Raises ValueError for a head that does not say it."""
    head = "\n".join(path.read_bytes().decode("utf-8").splitlines()[:LINES])
    pattern = r"# attack: (\w+) (.+)\n# side effect: (.+)\n# expect: score <= (\d+)(?:, (\w+) (\w+))?(?:;.*)?$"
    found = re.search(pattern, head, re.MULTILINE)
    if found is None:
        raise ValueError(f"{path.name}: the first lines must say attack, side effect and expectation")
    name, sentence, effect, most, component, status = found.groups()
    return Attack(path, name, sentence, effect, int(most), component or "", status or "")


def attacks(words: Sequence[str] = ()) -> list[Attack]:
    """All attacks, or those whose names begin with one of some words."""
    paths = sorted(HOSTILE.glob("*.py"))
    return [read_attack(path) for path in paths if not words or path.name.startswith(tuple(words))]


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _cell(attack: Attack, outcome: Outcome) -> str:
    score = f"{outcome.score}" + (f" (+{attack.unearned(outcome)})" if attack.unearned(outcome) else "")
    verdict = outcome.status_of(attack.component) if attack.component else ""
    return ", ".join(part for part in (score, verdict, *outcome.effects) if part)


def _table(user: int | None, levels: Sequence[str], chosen: Sequence[Attack]) -> tuple[dict[str, list[Attack]], int]:
    """Print a row for each attack; the attacks that got through at each level, and the failures at level full."""
    through: dict[str, list[Attack]] = {level: [] for level in levels}
    failures = 0
    _say(f"\nAs user {os.geteuid() if user is None else user}: score, verdict and side effects at each level")
    with Range(user) as ground:
        for attack in chosen:
            _say(f"{attack.id:4} {attack.path.stem.partition('_')[2]:28} {attack.sentence}")
            for level in levels:
                outcome = ground.attempt(attack.path, level)
                if attack.unearned(outcome) or outcome.effects:
                    through[level].append(attack)
                if level == "full":
                    failures += attack in through[level] or attack.verdict_differs(outcome)
                seconds = outcome.facts.get("seconds", 0.0)
                _say(f"       {level:8} {seconds:5.1f} s  {_cell(attack, outcome)}")
    return through, failures


def _right_at(levels: Sequence[str]) -> int:
    """Print how many right hand-ins have full marks at each level; how many have not, over all levels."""
    paths, missing = sorted((HOSTILE.parent / "right").glob("*.py")), 0
    _say("\nRight hand-ins with full marks at each level")
    with Range() as ground:
        for level in levels:
            lost = [path.stem for path in paths if ground.attempt(path, level).score != 100]
            missing += len(lost)
            _say(f"       {level:8} {len(paths) - len(lost)} of {len(paths)} {' '.join(lost)}".rstrip())
    return missing


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables and what remains at each level; 1 when anything remains at level full, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("names", nargs="*", help="only attacks whose file names begin so")
    parser.add_argument("--level", action="append", choices=LEVELS, help="only this level (repeatable)")
    parser.add_argument("--user", action="append", choices=("self", "nobody"), help="only as this user (repeatable)")
    options = parser.parse_args(arguments)
    levels, chosen = options.level or LEVELS, attacks(options.names)
    wanted = options.user or (["self", "nobody"] if os.geteuid() == 0 else ["self"])
    failures, told = 0, []
    for name in wanted:
        user = NOBODY if name == "nobody" else None
        through, failed = _table(user, levels, chosen)
        failures += failed
        for level in levels:
            names = " ".join(attack.id for attack in through[level]) or "nothing"
            told.append(f"As {name}, at level {level}: {names} of {len(chosen)} attacks got through.")
    missing = 0 if options.names else _right_at(levels)
    _say("\n".join(["", *told, f"{failures} failures at level full, {missing} right hand-ins that lost marks."]))
    return 1 if failures or missing else 0


if __name__ == "__main__":
    sys.exit(main())
