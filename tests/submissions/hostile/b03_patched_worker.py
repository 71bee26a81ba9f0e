# attack: B03 replaces the worker's functions, so that each answer says that it passed
# side effect: none
# expect: score <= 0
import sys


def passed(hand_in, probe):
    return {"outcome": "passed", "status": "passed", "points": 100, "score": 100, "seconds": 0.0}


for name in ("asking", "__main__"):
    module = sys.modules[name]
    module.answer = passed
    if hasattr(module, "asking"):
        module.asking.answer = passed
