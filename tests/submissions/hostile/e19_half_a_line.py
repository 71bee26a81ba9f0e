# attack: E19 writes half an answer to the worker's pipe and stalls
# side effect: none
# expect: score <= 0, LayerNorm unloadable
import os
import time

for descriptor in range(3, 16):
    try:
        os.write(descriptor, b'{"loaded": true, "fault"')
    except OSError:
        pass
time.sleep(600)
