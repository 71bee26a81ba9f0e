"""Renderers: pure functions from a Report to text, in a table."""

from __future__ import annotations

from collections.abc import Callable

from grader.records import Report
from grader.render import github, gradescope, html, json_form, junit, markdown

Renderer = Callable[[Report], str]

RENDERERS: dict[str, Renderer] = {
    "json": json_form.render,
    "html": html.render,
    "junit": junit.render,
    "markdown": markdown.render,
    "gradescope": gradescope.render,
    "github": github.render,
}
