# attack: C04 rewrites the results when the interpreter ends
# side effect: the results file says 100
# expect: score <= 0, LayerNorm unloadable
import atexit
import signal
import sys


def rewrite(*_):
    try:
        with open("/tmp/kit-attack/results.json", "w") as file:
            file.write('{"score": 100}')
    except OSError:
        pass


atexit.register(rewrite)
signal.signal(signal.SIGTERM, rewrite)
sys.excepthook = rewrite
sys.exit(0)
