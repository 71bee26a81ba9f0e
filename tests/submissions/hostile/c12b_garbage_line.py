# attack: C12B writes bytes that are no text to the worker's pipe
# side effect: none
# expect: score <= 0, LayerNorm unloadable
import os

for descriptor in range(3, 64):
    try:
        os.write(descriptor, bytes(range(256)) * 16 + b"\n")
    except OSError:
        pass
