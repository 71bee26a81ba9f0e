"""A hand-in's path comes in, a real module goes out, with the given code freshly loaded for it alone."""

from __future__ import annotations

import contextlib
import functools
import io
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

KIT = Path(__file__).parents[2]
RIGHT = sorted((KIT / "tests" / "submissions" / "right").glob("*.py"))
WRONG = sorted((KIT / "tests" / "submissions" / "wrong").glob("*.py"))
NAMES = ("engine", "nn", "transformer_block")


class Silence(io.TextIOBase):
    """A stream that forgets what is written to it."""

    def write(self, text: str) -> int:
        return len(text)


@functools.lru_cache(maxsize=8)
def compiled(path: Path) -> CodeType:
    """The code of a file; bytes, so that Python itself reads a byte order mark or an encoding cookie."""
    code: CodeType = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    return code


def run_as(name: str, path: Path) -> ModuleType:
    """Execute path as the module called name, registered before its first line runs."""
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    exec(compiled(path), module.__dict__)
    return module


@contextlib.contextmanager
def loaded(path: Path) -> Iterator[ModuleType]:
    """The hand-in; inside the with block its imports find the given code, after it all is as before."""
    before = {name: sys.modules.pop(name, None) for name in NAMES}
    random.seed(20)
    try:
        with contextlib.redirect_stdout(Silence()):
            run_as("engine", KIT / "exercise" / "engine.py")
            run_as("nn", KIT / "exercise" / "nn.py")
            yield run_as("transformer_block", path)
    finally:
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module


def given(module: ModuleType, name: str) -> Any:
    """Value, Module or Linear as this hand-in has it: pasted into its own text, or from the given files."""
    own = vars(module).get(name)
    if isinstance(own, type) and own.__module__ == module.__name__:
        return own
    return getattr(sys.modules["engine" if name == "Value" else "nn"], name)


@contextlib.contextmanager
def standing_in(module: ModuleType, components: list[str]) -> Iterator[None]:
    """Right parts under the names of these components of a loaded hand-in, built on the engine it uses."""
    own = {name: vars(module).get(name) for name in components}
    names = {"engine": given(module, "Value"), "nn": given(module, "Module")}
    before = {name: sys.modules[name] for name in names}
    pasted = module.__name__ in {kind.__module__ for kind in names.values()}
    sys.modules.update({name: module for name in names if pasted})
    parts = ModuleType("parts")
    exec(compiled(Path(__file__).with_name("parts.py")), parts.__dict__)
    sys.modules.update(before)
    vars(module).update({name: vars(parts)[name] for name in components})
    try:
        yield
    finally:
        vars(module).update(own)
