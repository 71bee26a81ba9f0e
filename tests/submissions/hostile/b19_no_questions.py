# attack: B19 empties the list of questions in the worker's frame: nothing is asked, nothing is wrong
# side effect: none
# expect: score <= 0
import sys

frame = sys._getframe()
while frame is not None:
    task = frame.f_locals.get("task")
    if isinstance(task, dict) and "probes" in task:
        task["probes"].clear()
    frame = frame.f_back
