# attack: C12 writes a line of 40 MiB without an end to the worker's pipe
# side effect: none
# expect: score <= 0, LayerNorm unloadable
import os

piece = b"7" * 2**16
for _ in range(640):
    for descriptor in (3, 4, 5, 6):
        try:
            if os.fstat(descriptor).st_mode & 0o170000 == 0o010000:
                os.write(descriptor, piece)
        except OSError:
            pass
