# attack: B19 empties the list of questions in the worker's frame: nothing is asked, nothing is wrong
# side effect: none
# expect: score <= 0
import sys

frame = sys._getframe()
while frame is not None:
    for questions in (frame.f_locals.get("probes"), frame.f_locals.get("task")):
        if isinstance(questions, (list, dict)):
            questions.clear()
    frame = frame.f_back
