"""The report as GitHub-flavoured Markdown: for a step summary or a comment on a pull request.

Text of a hand-in stands in fences longer than any it holds, mentions no one, and holds no HTML that is rendered.
"""

from __future__ import annotations

import re

from grader.records import Report, Result
from grader.render.causes import Cause, causes, totals
from grader.render.visible import cut, one_line, visible

LIMIT = 60_000  # a comment holds 65,536 characters
MESSAGE, NAME = 3_000, 120
_MEANING = re.compile(r"([\\`*_{}\[\]<>()#+!|~&$:-]|(?<=www)\.)")


def render(report: Report) -> str:
    """The whole report in fewer than LIMIT characters: what did not fit is counted at the end."""
    text = "\n".join([*_head(report), *_table(report), *_told(report)])
    found = causes(report)
    end = _end(report)
    for k, cause in enumerate(found):
        section = "\n".join(_section(cause))
        left = f"\n*{len(found) - k} more reasons did not fit here; the full report has them.*\n"
        if len(text) + len(section) + len(left) + len(end) + 1 >= LIMIT:
            return text + left + end
        text += "\n" + section
    return text + end


def _head(report: Report) -> list[str]:
    full = report.score == report.max_score
    title = f"## {'✅' if full else '📝'} {report.score} of {report.max_score} points"
    return [title, "", f"{code(report.submission.name)}, seed {report.seed}, {report.seconds:.1f} s", ""]


def _table(report: Report) -> list[str]:
    rows = [
        f"| {name} | {score} / {most} | {passed} of {count} |" for name, score, most, passed, count in totals(report)
    ]
    return ["| Component | Points | Checks passed |", "| :-- | --: | --: |", *rows, ""]


def _told(report: Report) -> list[str]:
    """Likely causes and notices."""
    lines = []
    for diagnosis in report.diagnoses:
        lines += [f"**Likely cause in {diagnosis.component}:** {plain(diagnosis.sentence)}", ""]
        lines += [f"> {plain(diagnosis.hint)}", ""]
    for notice in report.notices:
        where = f"{notice.component}: " if notice.component else ""
        lines += [f"*Notice:* {where}{plain(notice.text)}", ""]
    return lines


def _section(cause: Cause) -> list[str]:
    first = cause.first
    lines = [f"### {code(first.id)} {first.status}: {first.points} of {first.max_points}", ""]
    lines += [f"{plain(first.claim)}", "", *fenced(cut(visible(first.message), MESSAGE)), ""]
    if first.hint:
        lines += [f"> **Hint:** {plain(first.hint)}", ""]
    if len(cause.results) > 1:
        also = ", ".join(_also(result) for result in cause.results[1:])
        why = "still to do" if first.status == "todo" else "lost for the same reason"
        lines += [f"Also {why}: {also}", ""]
    return lines


def _also(result: Result) -> str:
    return f"{code(result.id)} ({result.max_points - result.points})"


def fenced(text: str) -> list[str]:
    """A code block that the text cannot end."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", _silent(text), fence]


def code(text: str, most: int = NAME) -> str:
    """Inline code that the text cannot end."""
    return "`" + _silent(cut(one_line(text), most).replace("`", "'").replace("|", "/")) + "`"


def plain(text: str) -> str:
    """Prose in which nothing is markup."""
    return _silent(_MEANING.sub(r"\\\1", cut(one_line(text), MESSAGE)))


def _silent(text: str) -> str:
    """No one is notified: a space that is not seen after each @."""
    return text.replace("@", "@\u200b")


def _end(report: Report) -> str:
    grader, layers = report.environment, report.environment.isolation or ("none",)
    told = f"grader {grader.grader}, Python {grader.python}, isolation: {layers[0]}"
    return f"\n{plain(told)}\n"
