"""Turns records into plain forms for JSON and back; what comes back is checked to the last key and type."""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Callable
from functools import cache
from itertools import chain
from math import isfinite
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

R = TypeVar("R")


class BadForm(ValueError):
    """A form that is not of the record's shape; the text says where."""


def to_form(record: Any) -> Any:
    """A record as dicts, lists and plain values, keys as the field names."""
    if dataclasses.is_dataclass(record):
        return {name: to_form(getattr(record, name)) for name in record.__dataclass_fields__}
    if isinstance(record, (tuple, list)):
        if record and type(record[0]) is float:
            return record
        return [to_form(item) for item in record]
    return record


def from_form(cls: type[R], form: Any) -> R:
    """The record in ``form``. Raises BadForm for a missing or extra key, another type, NaN or infinity."""
    kind: Any = cls
    record: R = _reader(kind)(form, cls.__name__)
    return record


def line(message: Any) -> bytes:
    """A message as the worker reads it: one line of JSON."""
    return json.dumps(message, allow_nan=False).encode("ascii") + b"\n"


def loads(text: bytes | str) -> Any:
    """JSON without NaN and infinities. Raises BadForm for anything else, however deep or broken."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BadForm(f"not JSON: {type(error).__name__}") from None


def _refuse(name: str) -> None:
    raise BadForm(f"{name} is not a number here")


@cache
def _reader(kind: Any) -> Callable[[Any, str], Any]:
    """A function that reads one annotated type."""
    if dataclasses.is_dataclass(kind):
        return _record_reader(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _union_reader(tuple(_reader(arg) for arg in args))
    if origin is tuple:
        return _tuple_reader(args)
    if origin is Literal:
        return lambda form, where: form if type(form) is str and form in args else _bad(where, form)
    if kind is float:
        return _float
    if kind is type(None):
        return lambda form, where: None if form is None else _bad(where, form)
    if kind is Any:
        return lambda form, where: form
    if kind is str:
        return _text
    return lambda form, where: form if type(form) is kind else _bad(where, form)


def _bad(where: str, form: Any) -> Any:
    raise BadForm(f"{where}: {str(form)[:40]!r} does not fit")


def _text(form: Any, where: str) -> str:
    if type(form) is not str or (not form.isascii() and any("\ud800" <= c <= "\udfff" for c in form)):
        _bad(where, "text that is no text")
    return str(form)


def _float(form: Any, where: str) -> float:
    if type(form) is float and isfinite(form):
        return form
    if type(form) is int and abs(form) < 2**53:
        return float(form)
    return float(_bad(where, form))


def _record_reader(cls: Any) -> Callable[[Any, str], Any]:
    hints = get_type_hints(cls)
    readers = {name: _reader(hints[name]) for name in cls.__dataclass_fields__}

    def read(form: Any, where: str) -> Any:
        if type(form) is not dict or form.keys() != readers.keys():
            _bad(where, form)
        return cls(**{name: reader(form[name], f"{where}.{name}") for name, reader in readers.items()})

    return read


def _union_reader(readers: tuple[Callable[[Any, str], Any], ...]) -> Callable[[Any, str], Any]:
    def read(form: Any, where: str) -> Any:
        for reader in readers:
            try:
                return reader(form, where)
            except BadForm:
                continue
        return _bad(where, form)

    return read


def _numbers_reader(kind: type) -> Callable[[Any, str], Any]:
    one = _reader(kind)

    def read(form: Any, where: str) -> Any:
        if type(form) is list and _all_numbers(form, kind):
            return tuple(form)  # the usual case, many thousand times
        return tuple([one(item, where) for item in (form if type(form) is list else _bad(where, form))])

    return read


def _rows_reader(kind: type) -> Callable[[Any, str], Any]:
    one = _numbers_reader(kind)

    def read(form: Any, where: str) -> Any:
        if type(form) is list and {*map(type, form)} == {list} and _all_numbers([*chain.from_iterable(form)], kind):
            return tuple(map(tuple, form))
        return tuple([one(item, where) for item in (form if type(form) is list else _bad(where, form))])

    return read


def _all_numbers(items: list[Any], kind: type) -> bool:
    return {*map(type, items)} == {kind} and (kind is int or all(map(isfinite, items)))


def _tuple_reader(args: tuple[Any, ...]) -> Callable[[Any, str], Any]:
    if args in ((float, ...), (int, ...)):
        return _numbers_reader(args[0])
    if args in ((tuple[float, ...], ...), (tuple[int, ...], ...)):
        return _rows_reader(get_args(args[0])[0])
    repeated = len(args) == 2 and args[1] is Ellipsis
    readers = tuple(_reader(arg) for arg in (args[:1] if repeated else args))

    def read(form: Any, where: str) -> Any:
        if type(form) is not list or (not repeated and len(form) != len(readers)):
            _bad(where, form)
        if repeated:
            return tuple([readers[0](item, where) for item in form])
        return tuple([reader(item, where) for reader, item in zip(readers, form)])

    return read
