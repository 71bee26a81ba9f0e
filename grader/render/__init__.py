"""Renderers: pure functions from a Report to text, in a table."""

from __future__ import annotations

from collections.abc import Callable

from grader.records import Report
from grader.render import json_form, junit

Renderer = Callable[[Report], str]

RENDERERS: dict[str, Renderer] = {
    "json": json_form.render,
    "junit": junit.render,
}
