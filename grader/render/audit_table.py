"""The audit's figures as a table for a terminal, for the README, or as JSON: what is wrong comes first."""

from __future__ import annotations

import json
from collections.abc import Sequence

from grader.findings import Findings, Share, Trouble
from grader.forms import to_form

SCHEMA = 1
_TROUBLES = (
    ("broken", "Hand-ins that could not be graded"),
    ("wrong_that_keep", "Faults that keep full marks"),
    ("right_that_lose", "Right hand-ins that lose marks"),
    ("not_where_they_should", "Faults that cost no points in the fitting component and property"),
    ("collateral", "Marks lost in a component that the fault cannot reach"),
    ("false_names", "False names"),
    ("missed_names", "Faults of the library that got no name, or another"),
    ("unconfirmed", "Right hand-ins whose layout the random-parameter oracle does not read"),
)


def as_json(findings: Findings) -> str:
    """Every figure, indented."""
    form = {"schema": SCHEMA, "clean": findings.clean, "findings": to_form(findings)}
    return json.dumps(form, indent=1, ensure_ascii=False) + "\n"


def terminal(findings: Findings) -> str:
    """Troubles first, then the figures, then what each check is good for."""
    lines = []
    for field, title in _TROUBLES:
        lines += _troubles(title, getattr(findings, field))
    width = max(len(label) for label, _ in _figures(findings))
    lines += [f"{label:<{width}}  {figure}" for label, figure in _figures(findings)]
    lines += ["", f"{'check':<45} {'faults':>7} {'only it':>8}"]
    for row in findings.checks:
        mark = "" if row.alone else "  none: a candidate to go" if row.faults else "  catches nothing"
        lines.append(f"{row.check:<45} {row.faults:>7} {row.alone:>8}{mark}")
    return "\n".join([*lines, "", "The audit is clean." if findings.clean else "The audit is NOT clean.", ""])


def markdown(findings: Findings) -> str:
    """The figures as a table, and the troubles if there are any."""
    lines = ["| what | figure |", "|---|---|"]
    lines += [f"| {label} | {figure} |" for label, figure in _figures(findings)]
    for field, title in _TROUBLES:
        troubles: Sequence[Trouble] = getattr(findings, field)
        if troubles:
            told = "; ".join(f"`{name}` ({what})" for name, what in _by_hand_in(troubles).items())
            lines += ["", f"{title}: {told}."]
    idle = [row.check for row in findings.checks if not row.alone]
    if idle:
        lines += ["", f"Checks that catch no fault of the corpus alone: {', '.join(f'`{check}`' for check in idle)}."]
    return "\n".join([*lines, ""])


def _troubles(title: str, troubles: Sequence[Trouble]) -> list[str]:
    if not troubles:
        return []
    rows = [f"  {t.name}, seed {t.seed}: {t.what}" for t in troubles]
    return [f"{title} ({len(troubles)}):", *rows, ""]


def _by_hand_in(troubles: Sequence[Trouble]) -> dict[str, str]:
    """What is wrong with each hand-in, once for all seeds."""
    found: dict[str, dict[str, None]] = {}
    for trouble in troubles:
        found.setdefault(trouble.name, {})[trouble.what] = None
    return {name: "; ".join(whats) for name, whats in found.items()}


def _figures(findings: Findings) -> list[tuple[str, str]]:
    seeds = findings.seeds
    told = f"{len(seeds)} seed{'s' * (len(seeds) != 1)} ({', '.join(map(str, seeds))})"
    figures = [
        ("graded with", told),
        ("reference with full marks", _share(findings.reference)),
        ("stub with 0 points, every line todo", _share(findings.stub)),
        ("right hand-ins with full marks on every seed", _share(findings.right)),
        ("faults caught on every seed", _share(findings.caught)),
        ("... as a share, with 95 % confidence", _interval(findings.caught)),
        ("... in the fitting component and property", _share(findings.fitting)),
        ("... by a line of these that waits for no other", _share(findings.direct)),
        ("marks lost where the fault cannot reach", f"{len(findings.collateral) or 'none'}"),
        ("faults of the library that got the right name first", _share(findings.named)),
        ("false names", f"{len(findings.false_names) or 'none'}"),
    ]
    if findings.confirmed.total or findings.equal.total:
        figures += [
            ("right hand-ins that equal the reference with all parameters different", _share(findings.confirmed)),
            ("wrong ones that do so where their fault is (it shows in gradients, sizes, ...)", _share(findings.equal)),
        ]
    return figures


def _share(share: Share) -> str:
    return f"{share.count} of {share.total}"


def _interval(share: Share) -> str:
    low, high = share.interval
    return f"{100 * low:.1f} % to {100 * high:.1f} % (Wilson)"
