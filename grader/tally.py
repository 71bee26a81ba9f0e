"""Adds up what became of every hand-in of the corpus: outcomes come in, the audit's figures go out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.corpus import Pair
from grader.findings import Catches, Findings, Line, Outcome, Share, Trouble
from grader.records import COMPONENTS


def tally(outcomes: Sequence[Outcome], checks: Sequence[str]) -> Findings:
    """The figures, in an order that does not depend on who was done first."""
    ordered = sorted(outcomes, key=lambda o: (o.case.name, o.seed))
    of = {kind: [o for o in ordered if o.case.kind == kind] for kind in ("reference", "stub", "right", "wrong")}
    wrong, asked = of["wrong"], [o for o in ordered if o.names is not None]
    known = [o for o in asked if o.case.misconception]
    missed = [o for o in known if (o.names or ("",))[0] != o.case.misconception]
    broken = [o for o in ordered if o.broken]
    return Findings(
        seeds=tuple(sorted({o.seed for o in ordered})),
        reference=Share(sum(o.whole for o in of["reference"]), len(of["reference"])),
        stub=Share(sum(_untouched(o) for o in of["stub"]), len(of["stub"])),
        right=_everywhere(of["right"], {_key(o): o.whole for o in of["right"]}),
        caught=_everywhere(wrong, {_key(o): bool(o.lost) for o in wrong}),
        fitting=_everywhere(wrong, {_key(o): bool(o.lost) and not _unmet(o, o.lost) for o in wrong}),
        direct=_everywhere(wrong, {_key(o): bool(o.ruled) and not _unmet(o, o.ruled) for o in wrong}),
        named=Share(len(known) - len(missed), len(known)),
        confirmed=Share(sum(not _unconfirmed(o) for o in of["right"] if _held(o)), sum(map(_held, of["right"]))),
        equal=Share(sum(_equal(o) for o in wrong if _held(o)), sum(map(_held, wrong))),
        broken=tuple(Trouble(o.case.name, o.seed, o.broken or "") for o in broken),
        right_that_lose=tuple(_loses(o) for o in (*of["reference"], *of["right"]) if o.lost),
        wrong_that_keep=tuple(Trouble(o.case.name, o.seed, _pairs(o.case.fails)) for o in wrong if o.whole),
        not_where_they_should=tuple(
            Trouble(o.case.name, o.seed, _pairs(_unmet(o, o.lost))) for o in wrong if o.lost and _unmet(o, o.lost)
        ),
        collateral=tuple(trouble for o in wrong for trouble in _elsewhere(o)),
        false_names=tuple(Trouble(o.case.name, o.seed, name) for o in asked for name in _false(o)),
        missed_names=tuple(Trouble(o.case.name, o.seed, o.case.misconception or "") for o in missed),
        unconfirmed=tuple(Trouble(o.case.name, o.seed, w) for o in of["right"] if _held(o) and (w := _unconfirmed(o))),
        checks=tuple(_catches(check, wrong) for check in checks),
    )


def _key(outcome: Outcome) -> tuple[str, int]:
    return outcome.case.name, outcome.seed


def _everywhere(outcomes: Sequence[Outcome], held: Mapping[tuple[str, int], bool]) -> Share:
    """Of the hand-ins, those of which it held on every seed."""
    names = dict.fromkeys(o.case.name for o in outcomes)
    failed = {name for (name, _), well in held.items() if not well}
    return Share(len(names) - len(failed), len(names))


def _held(outcome: Outcome) -> bool:
    """Whether the oracle was asked."""
    return outcome.confirmed is not None


def _unconfirmed(outcome: Outcome) -> str:
    return ", ".join(c for c in COMPONENTS if c not in (outcome.confirmed or ()))


def _equal(outcome: Outcome) -> bool:
    return {component for component, _ in outcome.case.fails} <= set(outcome.confirmed or ())


def _untouched(outcome: Outcome) -> bool:
    return not outcome.broken and not outcome.score and {line.status for line in outcome.lines} == {"todo"}


def _unmet(outcome: Outcome, lines: Sequence[Line]) -> list[Pair]:
    """What must fail and does not among these lines."""
    pairs = {line.pair for line in lines}
    return [pair for pair in outcome.case.fails if pair not in pairs]


def _loses(outcome: Outcome) -> Trouble:
    lines = ", ".join(f"{line.id} {line.status}" for line in outcome.ruled)
    return Trouble(outcome.case.name, outcome.seed, f"{outcome.score}: {lines}")


def _elsewhere(outcome: Outcome) -> list[Trouble]:
    """Marks lost in components that the fault cannot reach."""
    reached = {component for component, _ in outcome.case.fails}
    points = {c: sum(line.lost for line in outcome.lost if line.pair[0] == c) for c in COMPONENTS if c not in reached}
    return [Trouble(outcome.case.name, outcome.seed, f"{c} loses {n}") for c, n in points.items() if n]


def _false(outcome: Outcome) -> list[str]:
    return [name for name in outcome.names or () if name != outcome.case.misconception]


def _pairs(pairs: Sequence[Pair]) -> str:
    return ", ".join(".".join(pair) for pair in pairs)


def _catches(check: str, wrong: Sequence[Outcome]) -> Catches:
    faults = {o.case.name for o in wrong if any(line.id == check for line in o.ruled)}
    return Catches(check, len(faults), len({o.case.name for o in wrong if o.alone == check}))
