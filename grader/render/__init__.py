"""Renderers: pure functions from a Report to text, in a table."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TypeAlias

from grader.records import Report

Renderer: TypeAlias = Callable[[Report], str]


def _of(module: str) -> Renderer:
    """The module's ``render``, imported when it is first used: a page is not drawn for every check."""

    def render(report: Report) -> str:
        text: str = importlib.import_module(f"grader.render.{module}").render(report)
        return text

    return render


RENDERERS: dict[str, Renderer] = {
    "json": _of("json_form"),
    "html": _of("html"),
    "junit": _of("junit"),
    "markdown": _of("markdown"),
    "gradescope": _of("gradescope"),
    "github": _of("github"),
}
