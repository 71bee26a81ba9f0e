"""Where the kit lies: the exercise, and the solution where it is shipped."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Kit:
    """Where the parts that are not code of the grader lie, as paths; ``solution`` is None where it is not shipped."""

    exercise: Path
    solution: Path | None

    @classmethod
    def here(cls) -> Kit:
        """The checkout or installation that this grader belongs to."""
        package = Path(__file__).resolve().parent
        inside, checkout = package / "exercise", package.parent  # a wheel carries the exercise inside the package
        exercise = inside if inside.is_dir() else checkout / "exercise"
        solution = checkout / "solution"
        return cls(exercise, solution if (solution / "readings.py").is_file() else None)

    @property
    def stub(self) -> Path:
        return self.exercise / "transformer_block.py"
