# attack: C13 writes 200,000 nested brackets to the worker's pipe
# side effect: none
# expect: score <= 0, LayerNorm unloadable
import os


def everywhere(*lines):
    """Write lines to every descriptor above the usual ones: one of them is the worker's own."""
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"".join(line.encode() + b"\n" for line in lines))
        except OSError:
            pass


everywhere("[" * 200_000)
