# attack: E06 leaves a child that holds the worker's pipes open, and ends itself
# side effect: a process is left
# expect: score <= 0, LayerNorm unloadable
import os
import time

try:
    if os.fork() == 0:
        os.setsid()
        time.sleep(20)
        os._exit(0)
except OSError:
    pass
os._exit(0)
