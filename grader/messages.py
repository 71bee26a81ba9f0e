"""Words for what is not a check's own ruling: exceptions, time-outs, what is not written yet, what waits."""

from __future__ import annotations

import re
from collections.abc import Mapping

from grader.cells import place
from grader.checks.check import Check
from grader.checks.evidence import built, called
from grader.records import Fault, Observation, Probe, Result, Submission

# The ten exceptions that students of this exercise meet most, by what Python says; first match wins.
USUAL_CAUSES: tuple[tuple[str, str, str], ...] = (
    ("AttributeError", r"has no attribute '_(modules|parameters)'",
     "Call super().__init__() first in __init__, before assigning attributes."),
    ("TypeError", r"unsupported operand type\(s\) for -: '(int|float)' and 'Value'",
     "Value knows v - 1 but not 1 - v: write -v + 1."),
    ("TypeError", r"unsupported operand type\(s\) for /: '(int|float)' and 'Value'",
     "Value knows v / 2 but not 2 / v: write v ** -1 * 2."),
    ("TypeError", r"must be real number, not Value|must be a string or a real number, not 'Value'",
     "math.sqrt, math.exp and float() do not take a Value: use v ** 0.5, v.exp(), and keep the graph."),
    ("TypeError", r"not supported between instances of '(Value|int|float)' and '(Value|int|float)'",
     "Values cannot be compared: use v.relu() for max(0, v), or compare v.data."),
    ("TypeError", r"unsupported operand type\(s\) for \*\*.*'Value'|must be real number",
     "An exponent is a plain number: v ** 0.5."),
    ("TypeError", r"bad operand type for abs",
     "abs() does not take a Value: (v ** 2) ** 0.5 has the same value."),
    ("TypeError", r"operand type\(s\) for [+*-]: '(int|list)' and '(list|Value)'|can't multiply seq|'list'$",
     "A list stands where a single Value is needed (or the other way round): one row, or all rows?"),
    ("TypeError", r"missing \d+ required|unexpected keyword|takes (from )?\d+ .*positional",
     "Compare the signature with the stub's: names, order and defaults are part of the task."),
    ("TypeError", r"'float' object cannot be interpreted as an integer",
     "Sizes are whole numbers: head_dim = embed_dim // num_heads."),
    ("TypeError", r"'(list|Value|NoneType)' object is not (callable|iterable|subscriptable)",
     "Something is not what its name says: a missing return, or an attribute that hides a method."),
    ("IndexError", r"", "Does a loop or a cached list assume another T, D or H than it was called with?"),
    ("ZeroDivisionError", r"", "Which divisor can be zero: a spread of 0, T - 1, D - 1?"),
    ("OverflowError", r"", "exp of a large number: subtract the row's maximum first, as the given softmax does."),
    ("RecursionError", r"", "Does a method call itself? (backward of the given Value does not recurse.)"),
    ("ModuleNotFoundError", r"", "Only Python's standard library and the given engine.py and nn.py are there."),
    ("EOFError", r"", "The file asks for keyboard input; there is nobody to type."),
    ("SystemExit", r"", "The file ends the program (exit, quit); remove that."),
)  # fmt: skip


def todo_message(check: Check, seen: Observation, submission: Submission) -> str:
    """What is not written yet, and what to do next."""
    fault = seen.fault
    if fault is None or fault.text.startswith("there is no class"):
        return f"Not there: {fault.text if fault else check.component}. Take the class from the stub and fill it in."
    method = {"construct": "__init__", "parameters": "parameters", "backward": "backward"}.get(fault.stage, "forward")
    where = f" ({_place(fault.line, submission)})" if fault.line else ""
    return (
        f"Not written yet{where}: {check.component}.{method} raises NotImplementedError. "
        f"Next: write it so that {check.claim}."
    )


def blocked_message(waiting: str, earlier: Mapping[str, Result]) -> str:
    """What a check waits for, down to the root cause."""
    while earlier[waiting].status == "blocked" and earlier[waiting].message.startswith("Waits for "):
        waiting = earlier[waiting].message.split()[2].rstrip(".,")
    return f"Waits for {waiting}, which did not pass."


def garbled_message(check: Check) -> str:
    """Why nothing that was said of a component counts."""
    return (
        f"Some answers about {check.component} were not in the form that the grader's own worker keeps to, so the "
        "file interfered with the worker and no answer about this class is believed. Expected: a file that only "
        "defines its classes. Remove whatever reaches into the grader's process."
    )


def unfounded_message(component: str) -> str:
    """Why a line that holds does not count."""
    return (
        f"Waits for right numbers of {component}, or for a graph of the given Value's operations that gives its "
        "numbers again: until then nothing shows that its answers are computed."
    )


def fault_message(probe: Probe, seen: Observation, submission: Submission) -> str:
    """What happened instead of an answer, where in the file, and the usual cause."""
    fault = seen.fault
    if fault is None:
        return f"Not asked: {probe.component} had already hung or ended the process."
    if seen.outcome == "unloadable":
        return _unloadable(fault, submission)
    what = called(probe, fault.call) if fault.call is not None and probe.calls else built(probe)
    if fault.type == "NotAsAsked":
        return f"{what}: {fault.text}; expected what the stub's docstrings say."
    if seen.outcome == "timeout":
        return f"{what} did not end: {fault.text}. Is there a loop that never stops?"
    if seen.outcome == "died":
        return (
            f"{what} ended the grader's process: {fault.text}. Does the code call exit, or use up memory or recursion?"
        )
    return f"{what} {_stage(fault)}raised {_exception(fault)}{_line(fault, submission)}{_cause(fault)}"


def _stage(fault: Fault) -> str:
    return {"parameters": "and asked for parameters() ", "backward": "and backward() on the result "}.get(
        fault.stage, ""
    )


def _exception(fault: Fault) -> str:
    text = " ".join(fault.text.split())
    return f"{fault.type}: {text}" if text else fault.type


def _line(fault: Fault, submission: Submission) -> str:
    lines = re.split(r"\r\n|\r|\n", submission.text or "")  # what Python counts as lines
    if fault.line is None or not 0 < fault.line <= len(lines) or not lines[fault.line - 1].strip():
        return "."
    return f", at {_place(fault.line, submission)}: `{lines[fault.line - 1].strip()[:100]}`."


def _place(line: int, submission: Submission) -> str:
    notebook = submission.text is not None and submission.name.endswith(".ipynb")
    return place(submission.text or "", line) if notebook else f"line {line}"


def _cause(fault: Fault) -> str:
    for kind, pattern, advice in USUAL_CAUSES:
        if fault.type == kind and re.search(pattern, fault.text):
            return f" {advice}"
    return ""


def _unloadable(fault: Fault, submission: Submission) -> str:
    if fault.type == "Unreadable":
        return fault.text
    if fault.type in ("Timeout", "Died"):
        return (
            f"The file never finished loading: {fault.text}. Code outside of classes and functions runs at import; "
            'put it under `if __name__ == "__main__":`.'
        )
    return f"The file cannot be loaded: {_exception(fault)}{_line(fault, submission)}{_cause(fault)}"
