"""Decides where quick.py may stand in for given code, and puts it there: compiled code in the place of compiled code.

That is done only where no hand-in could tell but by the clock. Its class Value is the given one, imported or pasted
with every method unchanged (docstrings, annotations and layout aside; `backward` by recursion or by iteration), and
it does nothing with Values that is unusual: it names none of their inner attributes or operators, it does not copy
or inspect objects, and it does not derive from Value, patch it, rebind it or give it a second name by assignment.
Whatever looks unusual keeps the given code, and only takes longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any, NamedTuple

import quick

_INNER = "_backward _prev _op _topological_order _children _rule _dot _send _unfold _slope"
_SPECIAL = "dict weakref slots new reduce reduce_ex getstate getattribute add radd mul rmul pow neg sub truediv eq hash"
_REACHING = "vars dir eval exec compile __import__ globals locals copy deepcopy pickle inspect types gc weakref ctypes"
_DEEP = "importlib marshal builtins modules _getframe getsizeof getrefcount settrace setprofile"
UNUSUAL = frozenset([*f"{_INNER} {_REACHING} {_DEEP}".split(), *(f"__{name}__" for name in _SPECIAL.split())])
_ANNOTATIONS = frozenset(("Any", "Callable", "Iterator", "List", "Set", "Tuple", "Value", "float", "object", "str"))
_OF_A_CLASS = frozenset(
    ("__name__", "__module__", "__qualname__", "__doc__", "__firstlineno__", "__static_attributes__")
)
_ORDER = "_topological_order"
Place = tuple[str, ...]
_FUNCTIONS: tuple[Place, ...] = (("Linear", "forward"), ("attention_scores",), ("apply_attention",))


class Codes(NamedTuple):
    """Compiled modules: the given ones and the hand-in."""

    engine: CodeType
    nn: CodeType
    hand_in: CodeType


def _loaded(module: Any) -> CodeType:
    code: CodeType = module.__loader__.get_code(module.__name__)  # now, before the walls close the folder
    return code


_QUICK = _loaded(quick)


def quickened(codes: Codes, text: str, pasted: str | None) -> Codes:
    """The same modules with quick code in every place where nothing but time can tell, or as they were."""
    given = [codes.engine, codes.nn]
    if pasted is not None:
        given.append(compile(pasted, "pasted", "exec", dont_inherit=True))
    own = _at([codes.hand_in], ("Value",))
    if len(own) > 1 or not all(_is_given(body, _at(given, ("Value",))) for body in own):
        return codes
    if _is_unusual(text) or not UNUSUAL.isdisjoint(_said(codes.hand_in, own)):
        return codes
    known = {place: {_shape(code) for code in _at(given, place)} for place in _FUNCTIONS}
    return Codes(*(_swapped(code, (), known) for code in codes))


def _nested(code: CodeType) -> list[CodeType]:
    return [const for const in code.co_consts if isinstance(const, CodeType)]


def _at(modules: list[CodeType], place: Place) -> list[CodeType]:
    """The classes and functions of this name."""
    found = modules
    for name in place:
        found = [inner for outer in found for inner in _nested(outer) if inner.co_name == name]
    return found


def _shape(code: CodeType) -> tuple[Any, ...]:
    """What a function does: everything but where it stands."""
    consts = tuple(_shape(c) if isinstance(c, CodeType) else (type(c), c) for c in code.co_consts)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_name, code.co_argcount, code.co_kwonlyargcount, code.co_flags & 0x2F, code.co_code, consts, names)


def _methods(bodies: Iterable[CodeType]) -> list[CodeType]:
    return [method for body in bodies for method in _nested(body) if method.co_name != "__annotate__"]


def _is_given(body: CodeType, known: list[CodeType]) -> bool:
    """Whether a class Value has the given methods, each unchanged, and nothing else."""
    shapes = {_shape(method) for method in _methods(known)}
    methods = {method.co_name: method for method in _methods([body])}
    wanted = {name for name, *_ in shapes} - {_ORDER}
    names = methods.keys() - {_ORDER}
    return (
        names == wanted
        and len(methods) == len(_methods([body]))
        and (_ORDER in methods) == (_ORDER in methods["backward"].co_names)
        and all(_shape(method) in shapes for method in methods.values())
        and set(body.co_names) <= methods.keys() | _ANNOTATIONS | _OF_A_CLASS
        and ((), "") in body.co_consts  # the defaults of __init__
    )


def _said(code: CodeType, but: list[CodeType]) -> Iterator[str]:
    """Every name and every string in the code."""
    yield from code.co_names
    rest: list[Any] = list(code.co_consts)
    while rest:
        const = rest.pop()
        if isinstance(const, str):
            yield const
        elif isinstance(const, (tuple, frozenset)):
            rest.extend(const)
        elif isinstance(const, CodeType) and const not in but:
            yield from _said(const, but)


def _is_unusual(text: str) -> bool:
    """Whether Value is derived from, patched, rebound, or given a second name other than by an import."""
    names = "|".join(["Value", *re.findall(r"Value +as +(\w+)", text)])
    value = rf"(?:\w+\.)*\b(?:{names})\b"
    patterns = (
        rf"\bclass\s+\w+\s*\([^)]*{value}",
        r"(?m)@.*\n\s*class Value\b",
        r"\bclass Value\s*\(",
        rf"{value}\s*\.\s*\w+\s*=(?!=)",
        rf"(?m)^\s*{value}\s*=(?!=)",
        rf"=\s*{value}\s*(?:[,;#\n]|$)",
        rf"\b(?:setattr|delattr|type)\s*\(\s*{value}",
        rf"\bdel\s+{value}",
    )
    return any(re.search(pattern, text) for pattern in patterns)


def _swapped(code: CodeType, place: Place, known: dict[Place, set[tuple[Any, ...]]]) -> CodeType:
    """The code with everything replaced that quick.py has and that is given code, unchanged."""

    def instead(const: Any) -> Any:
        if not isinstance(const, CodeType):
            return const
        here = (*place, const.co_name)
        if here == ("Value",) or (here in known and _shape(const) in known[here]):
            return _at([_QUICK], here)[0]
        return _swapped(const, here, known) if const.co_name == "Linear" else const

    return code.replace(co_consts=tuple(map(instead, code.co_consts)))
