# attack: B03 replaces the worker's functions, so that each answer says that it passed
# side effect: none
# expect: score <= 0
import sys


def passed(hand_in, probe):
    return {"outcome": "passed", "status": "passed", "points": 100, "score": 100, "seconds": 0.0}


def worker():
    """The globals of the worker's main module, from the frame in which it waits."""
    frame = sys._getframe()
    while "asking" not in frame.f_globals:
        frame = frame.f_back
    return frame.f_globals


worker()["asking"].answer = passed
