"""Turns the hand-in's text into a real module beside the given code, and exceptions into plain facts."""

from __future__ import annotations

import linecache
import sys
import types
from functools import cache
from typing import Any, NamedTuple

from likeness import Codes, quickened

FILE = "transformer_block.py"
MODULE = "transformer_block"
Form = dict[str, Any]


class NotAsAsked(Exception):
    """The hand-in answered with something other than the exercise asks for; the text says what."""


class HandIn(NamedTuple):
    """The loaded module's namespace and the two classes of the given code that it uses; whether Value is quick.py's."""

    names: dict[str, Any]
    Value: Any
    Module: Any
    quick: bool


@cache
def _compiled(file: str, text: str) -> types.CodeType:
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    code: types.CodeType = compile(text, file, "exec", dont_inherit=True)
    return code


def _run(name: str, code: types.CodeType) -> dict[str, Any]:
    module = types.ModuleType(name)
    module.__file__ = code.co_filename
    sys.modules[name] = module
    exec(code, module.__dict__)
    return module.__dict__


def run_given(given: dict[str, str]) -> None:
    """Run the given code as it is; what it raises is the kit's fault, not a hand-in's."""
    engine, nn = (_compiled(f"{name}.py", given[name]) for name in ("engine", "nn"))
    _run_codes(engine, nn)


def _run_codes(*codes: types.CodeType) -> None:
    """Make the given code importable as `nn` and as `exercise.nn`."""
    package = types.ModuleType("exercise")
    package.__path__ = []
    sys.modules["exercise"] = package
    for name, code in zip(("engine", "nn"), codes):
        _run(name, code)
        sys.modules[f"exercise.{name}"] = sys.modules[name]
        setattr(package, name, sys.modules[name])


def load(name: str, text: str, given: dict[str, str], pasted: str | None = None) -> tuple[HandIn | None, Form | None]:
    """Run the hand-in once as module `transformer_block`; its main block does not run.

    ``pasted`` is what a pasted class Value is compared with; see likeness.py.
    """
    engine, nn = (_compiled(f"{name}.py", given[name]) for name in ("engine", "nn"))
    try:
        plain = Codes(engine, nn, _compiled(FILE, text))
        codes = quickened(plain, text, pasted)
        _run_codes(codes.engine, codes.nn)
        names = _run(MODULE, codes.hand_in)
    except BaseException as error:  # a hand-in may raise anything, SystemExit included
        return None, fault_of(error, "load", None)

    def own(name: str, home: str) -> Any:
        cls = names.get(name)
        return cls if isinstance(cls, type) else sys.modules[home].__dict__[name]

    return HandIn(names, own("Value", "engine"), own("Module", "nn"), codes is not plain), None


def _kind(cls: type[BaseException]) -> str:
    """The exception's class, for one of the hand-in's own with the built-in that it derives from."""
    name = cls.__name__[:80].encode("utf-8", "replace").decode("utf-8")
    if cls.__module__ != MODULE:
        return name
    return f"{name}({next(base.__name__ for base in cls.__mro__ if base.__module__ == 'builtins')})"


def fault_of(error: BaseException, stage: str, call: int | None) -> Form:
    """The exception's type, text and the last line of the hand-in on its way."""
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == FILE else None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    try:
        text = str(error)
    except BaseException:  # the hand-in's own exception class may break here
        text = ""
    if isinstance(error, SyntaxError):
        text = error.msg or text
    plain = text[:300].encode("utf-8", "replace").decode("utf-8")
    return {"stage": stage, "type": _kind(type(error)), "text": plain, "line": line, "call": call}
