"""The worker: started as its own process, takes a hand-in as text, answers probes in JSON lines on its own pipe.

Started as `python -I -S -B -X utf8 grader/worker`; never imported by the grader. Phase one: read the given code and
the wanted isolation, raise the walls, report them. Phase two, and not before: read hand-in and probes, answer one
line per probe. As a server it stops before the walls, and forks workers that go on from there. Standard library only.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from typing import Any, BinaryIO

import asking
import loading
import walls
from printing import Printed


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Move the protocol away from descriptors 0 and 1, which then lead nowhere and to stderr."""
    inward = os.fdopen(os.dup(0), "rb")
    outward = os.fdopen(os.dup(1), "wb", buffering=0)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    return inward, outward


def _leave_nothing_to_import() -> None:
    """Take the worker's own folder and modules out of the hand-in's reach by name."""
    own = sys.path.pop(0)
    for name in [n for n, m in sys.modules.items() if (getattr(m, "__file__", None) or "").startswith(own + os.sep)]:
        del sys.modules[name]


def main() -> None:
    """Answer one hand-in's probes, then leave without running anything the hand-in left behind."""
    inward, outward = _take_pipes()
    loads, dumps, leave = json.loads, json.dumps, os._exit

    def reply(form: dict[str, Any]) -> None:
        outward.write(dumps(form, allow_nan=False).encode("ascii") + b"\n")

    config = loads(inward.readline())
    loading.run_given(config["given"])  # a fault in it must show before there is a hand-in to blame
    if "server" in config:
        import serving

        walls.hold(config)
        walls.prepare()
        inward.close()
        outward.close()
        lifeline = serving.serve(config["server"])  # what follows is done by forks only
        os.close(config["lifeline"])
        inward, outward = _take_pipes()
        config.update(loads(inward.readline()), lifeline=lifeline)
    layers = walls.raise_all(config)
    _leave_nothing_to_import()
    reply({"layers": layers})
    task = loads(inward.readline())
    gc.disable()  # the given Value makes a cycle per operation; this process is thrown away
    sys.setrecursionlimit(20_000 if sys.version_info >= (3, 11) else 8_000)  # before 3.11 it costs C stack
    printed = Printed.take_over()
    hand_in, fault = loading.load(task["name"], task["text"], config["given"], task.get("pasted"))
    reply({"loaded": fault is None, "fault": fault, "printed": printed.count})
    if hand_in is not None:
        for probe in config["probes"] if task["probes"] is None else task["probes"]:
            answer = asking.answer(hand_in, probe)
            answer["printed"] = printed.count
            reply(answer)
    leave(0)


main()
