"""Turns records into plain forms for JSON and back; what comes back is checked to the last key and type."""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import chain
from math import isfinite
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

R = TypeVar("R")


class BadForm(ValueError):
    """A form that is not of the record's shape; the text says where."""


def to_form(record: Any) -> Any:
    """A record as dicts, sequences and plain values, keys as the field names."""
    if hasattr(record, "__dataclass_fields__"):
        deep = _deep_fields(record.__class__)
        return {name: to_form(getattr(record, name)) if deep[name] else getattr(record, name) for name in deep}
    if isinstance(record, (tuple, list)):
        return [to_form(item) for item in record]
    return record


@cache
def _deep_fields(cls: Any) -> dict[str, bool]:
    """A record's fields, and whether there are records in them: the others are plain already, however long."""
    return {name: _holds_records(hint) for name, hint in get_type_hints(cls).items()}


def _holds_records(kind: Any) -> bool:
    return kind is Any or dataclasses.is_dataclass(kind) or any(map(_holds_records, get_args(kind)))


def from_form(cls: type[R], form: Any) -> R:
    """The record in ``form``. Raises BadForm for a missing or extra key, another type, NaN or infinity."""
    kind: Any = cls
    try:
        record: R = _reader(kind)(form)
    except BadForm as error:
        raise BadForm(f"{cls.__name__}{error}") from None
    return record


def line(message: Any) -> bytes:
    """A message as the worker reads it: one line of JSON."""
    return json.dumps(message, allow_nan=False).encode("ascii") + b"\n"


def loads(text: bytes | str) -> Any:
    """JSON without NaN and infinities. Raises BadForm for anything else, however deep or broken."""
    try:
        return _DECODER.decode(text if isinstance(text, str) else text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadForm(f"not JSON: {type(error).__name__}") from None


def _refuse(name: str) -> None:
    raise BadForm(f"{name} is not a number here")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """A function that reads one annotated type; the text of its BadForm goes on from the name of the place."""
    if dataclasses.is_dataclass(kind):
        return _record_reader(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _union_reader(args)
    if origin is tuple:
        return _tuple_reader(args)
    if origin is Literal:
        return lambda form: form if type(form) is str and form in args else _bad(form)
    if kind is Any:
        return lambda form: form
    if kind in (float, str):
        return _float if kind is float else _text
    return lambda form: form if type(form) is kind else _bad(form)


def _bad(form: Any) -> Any:
    said = f"a {type(form).__name__} of {len(form)}" if isinstance(form, (list, dict)) else f"{str(form)[:40]!r}"
    raise BadForm(f": {said} does not fit")


def _text(form: Any) -> str:
    if type(form) is not str or (not form.isascii() and any("\ud800" <= c <= "\udfff" for c in form)):
        raise BadForm(": not text, or text that no file can hold")
    return form


def _float(form: Any) -> float:
    if type(form) is float and isfinite(form):
        return form
    if type(form) is int and abs(form) < 2**53:
        return float(form)
    return float(_bad(form))


def _record_reader(cls: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(cls)
    readers = {name: _reader(hints[name]) for name in cls.__dataclass_fields__}

    def read(form: Any) -> Any:
        if type(form) is not dict or form.keys() != readers.keys():
            _bad(form)
        fields, name = [], ""
        try:
            for name, reader in readers.items():
                fields.append(reader(form[name]))
        except BadForm as error:
            raise BadForm(f".{name}{error}") from None
        return cls(*fields)

    return read


def _union_reader(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    readers = tuple(_reader(arg) for arg in args if arg is not type(None))
    optional = type(None) in args

    def read(form: Any) -> Any:
        if form is None and optional:
            return None
        for reader in readers[:-1]:
            with suppress(BadForm):
                return reader(form)
        return readers[-1](form)

    return read


def _list(form: Any) -> list[Any]:
    return form if type(form) is list else _bad(form)


def _row_reader(kind: type) -> Callable[[Any], Any]:
    one = _reader(kind)

    def read(form: Any) -> Any:
        if type(form) is list and _all_numbers(form, kind):
            return tuple(form)  # the usual case, many thousand times
        if form and type(form) is list and type(form[0]) is list:
            _bad(form)  # rows, where a row is one of two possibilities
        return tuple([one(item) for item in _list(form)])

    return read


def _rows_reader(kind: type) -> Callable[[Any], Any]:
    one = _row_reader(kind)

    def read(form: Any) -> Any:
        if type(form) is list and {*map(type, form)} == {list} and _all_numbers([*chain.from_iterable(form)], kind):
            return tuple(map(tuple, form))
        return tuple([one(item) for item in _list(form)])

    return read


def _all_numbers(items: list[Any], kind: type) -> bool:
    return {*map(type, items)} == {kind} and (kind is int or all(map(isfinite, items)))


def _texts(form: Any) -> Any:
    if {*map(type, _list(form))} == {str}:
        for text in {*form}:
            _text(text)
        return tuple(form)
    return tuple([_text(item) for item in form])


def _tuple_reader(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    if args in ((float, ...), (int, ...)):
        return _row_reader(args[0])
    if args in ((tuple[float, ...], ...), (tuple[int, ...], ...)):
        return _rows_reader(get_args(args[0])[0])
    if args == (str, ...):
        return _texts
    repeated = len(args) == 2 and args[1] is Ellipsis
    readers = tuple(_reader(arg) for arg in (args[:1] if repeated else args))

    def read(form: Any) -> Any:
        if type(form) is not list or (not repeated and len(form) != len(readers)):
            _bad(form)
        if repeated:
            return tuple([readers[0](item) for item in form])
        return tuple([reader(item) for reader, item in zip(readers, form)])

    return read
