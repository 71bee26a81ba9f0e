"""A report in which every string that a hand-in can reach tries to break out of the page, the log or the comment."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from grader.records import COMPONENTS, Diagnosis, Notice, Picture, Report, Result, Status
from grader.rubric import RUBRIC
from tests.observing import HAND_IN, report, result

STATUSES: tuple[Status, ...] = get_args(Status)
TRICKS = (
    '<script>document.title = "owned"</script>',
    '"><img src=x onerror=alert(1)>',
    "'></title></style></head><!--",
    "]]> {} {main} %s %0A::error::owned",
    "\x1b[2J\x1b]0;owned\x07",
    "\u202egnp.exe\u202c \u200b\u2066",
    "\n::error file=x::owned\n##[error]owned\r\n::set-output name=x::owned\r::stop-commands::x",
    "\n```\n# owned\n<img src=x>\n````\n@everyone @org/team #1 [a](javascript:alert(1)) | a | b |",
    "\ud800\x00\ufffe",
)
EVERYTHING = " ".join(TRICKS)


def hostile() -> Report:
    """One line of each status in each component, with a trick in every place that holds text of a hand-in."""
    lines = [_line(f"{name}.{status}", status) for name in COMPONENTS for status in STATUSES]
    told = tuple(Diagnosis(name, "odd", EVERYTHING, EVERYTHING) for name in COMPONENTS)
    notices = (Notice(None, EVERYTHING), Notice("LayerNorm", EVERYTHING))
    name = EVERYTHING.replace("/", "_") + ".py"
    picture = Picture("heat", "LayerNorm", EVERYTHING, EVERYTHING, ((0.0, 1e300),), (EVERYTHING,), (EVERYTHING,) * 2)
    pairs = replace(picture, kind="pairs", rows=((-1.0, float("inf")),))
    hand_in = replace(HAND_IN, name=name, text=EVERYTHING)
    return report(*lines, submission=hand_in, diagnoses=told, notices=notices, pictures=(picture, pairs))


def _line(name: str, status: Status) -> Result:
    return result(name, status, 3, message=f"{name} raised ValueError: {EVERYTHING}", hint=EVERYTHING)


def whole(status: Status = "failed", **rest: str) -> Report:
    """The whole rubric with one status."""
    lines = [
        result(c.id, status, c.points, **{"claim": c.claim, "hint": c.hint, "property": c.property, **rest})
        for c in RUBRIC
    ]
    return report(*lines)
