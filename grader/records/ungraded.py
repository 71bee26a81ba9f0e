"""What is reported when nothing was graded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Reason:
    """One reason: the path it is about (or none), what was found, what to do, and by which command."""

    path: str
    found: str
    fix: str = ""
    command: str = ""


@dataclass(frozen=True)
class Ungraded:
    """No verdict and no score.

    ``refused``: such a change is not graded; ``broken``: the grader's fault; ``unread``: no report that can be shown.
    """

    kind: Literal["refused", "broken", "unread"]
    file: str
    reasons: tuple[Reason, ...]
