"""What went wrong that is not a hand-in's fault."""

from __future__ import annotations


class GraderFault(Exception):
    """The grader or its environment is broken: no verdict, no score, exit status 3."""


class UsageError(Exception):
    """The command was called in a way that cannot work: one line for the user, exit status 2."""
