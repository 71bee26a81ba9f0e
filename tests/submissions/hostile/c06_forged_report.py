# attack: C06 prints a report with full marks on every descriptor
# side effect: none
# expect: score <= 0
import json
import os
import sys

REPORT = json.dumps({"schema": 1, "score": 100, "max_score": 100, "results": []})
for stream in (sys.stdout, sys.stderr, sys.__stdout__):
    print("=== 5 passed in 0.01s ===", REPORT, "Score 100/100", sep="\n", file=stream)
for descriptor in range(3):
    try:
        os.write(descriptor, b"=== 5 passed in 0.01s ===\nScore 100/100\n" + REPORT.encode() + b"\n")
    except OSError:
        pass
