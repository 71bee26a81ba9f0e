"""What is asked: submissions and probes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Component = Literal["MultiHeadAttention", "LayerNorm", "FeedForward", "TransformerBlock"]
Property = Literal["contract", "shape", "residual", "causality", "values", "gradient"]

COMPONENTS: tuple[Component, ...] = ("MultiHeadAttention", "LayerNorm", "FeedForward", "TransformerBlock")

Row = tuple[float, ...]
Rows = tuple[Row, ...]
Numbers: TypeAlias = Row | Rows  # one vector for LayerNorm and FeedForward, T rows for the other two


@dataclass(frozen=True)
class Submission:
    """One student's file as text. ``trouble`` says in words why there is no text to run."""

    name: str
    sha256: str
    text: str | None
    trouble: str | None = None


@dataclass(frozen=True)
class Call:
    """One call of ``forward``. ``causal``: None leaves the argument out, else how and with what it is passed."""

    x: Numbers
    causal: bool | None = None
    positional: bool = False


@dataclass(frozen=True)
class Setting:
    """What the parameters are before the first call; ``values`` are used in turn, again from the start if too few.

    ``fresh`` leaves them as constructed, ``set`` replaces every one, ``add`` moves every one.
    """

    how: Literal["fresh", "set", "add"] = "fresh"
    values: Row = ()


@dataclass(frozen=True)
class StandIns:
    """Plain parts in place of the student's own, with two numbers each; norms in the order they are constructed."""

    attention: tuple[float, float]
    feedforward: tuple[float, float]
    norms: tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True)
class Slope:
    """Ask for the gradient of sum(weights * output of call 0), and for its change along fixed directions.

    ``inputs`` is a direction over x, ``parameters`` one over all parameters (used in turn); both are scaled
    to length 1 by whoever uses them. ``step`` is the length of the move to either side; with 0 only the gradient is
    of interest, and nothing is moved.
    """

    weights: Numbers
    inputs: Numbers
    parameters: Row
    step: float = 1e-5


@dataclass(frozen=True)
class Probe:
    """One question, complete in itself: build the component, set its parameters, call it.

    ``graph``: with the computation of call 0; ``unlisted``: and how many Values are kept and used but not listed;
    ``composed``: with a block's formulas over its own parts.
    """

    component: Component
    args: tuple[float, ...]
    calls: tuple[Call, ...] = ()
    kwargs: tuple[tuple[str, Any], ...] = ()
    setting: Setting = Setting()
    slope: Slope | None = None
    stand_ins: StandIns | None = None
    graph: bool = False
    unlisted: bool = False
    composed: bool = False
    seed: int = 0

    def __hash__(self) -> int:
        """Taken once: a probe is long, and a key in many dictionaries."""
        known: int | None = self.__dict__.get("_hash")
        if known is None:
            known = hash(tuple(getattr(self, name) for name in self.__dataclass_fields__))
            object.__setattr__(self, "_hash", known)
        return known

    def __getstate__(self) -> dict[str, Any]:
        """Without the hash: it is another one in another process."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}
