"""Grades hand-ins of the transformer-block exercise: read, ask, observe, judge, render."""

__version__ = "0.1.0"
