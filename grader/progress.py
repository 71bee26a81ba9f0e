"""How far something has got, in words and as a bar; the command line shows it."""

from __future__ import annotations

from dataclasses import dataclass

BAR = 24  # characters; plain ones, which every terminal has


@dataclass(frozen=True)
class Progress:
    """How many of how many are done, after how many seconds."""

    done: int
    total: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float:
        """Seconds to the end if it goes on like this."""
        return (self.total - self.done) / self.rate if self.rate else 0.0

    @property
    def words(self) -> str:
        minutes, seconds = divmod(round(self.left), 60)
        return f"{self.done} of {self.total}, {self.rate:.1f} a second, {minutes}:{seconds:02} left"

    def line(self, width: int) -> str:
        """A bar and the words in ``width`` characters; the words alone where the bar finds no room."""
        full = BAR * self.done // max(1, self.total)
        bar = f"[{'#' * full}{'.' * (BAR - full)}] {self.words}"
        return (bar if len(bar) <= width else self.words)[:width].ljust(width)
