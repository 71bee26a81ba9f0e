# attack: E08 keeps the interpreter alive by a thread and by hooks at exit
# side effect: none
# expect: score <= 0
import atexit
import threading
import time

atexit.register(time.sleep, 60)
try:
    threading.Thread(target=time.sleep, args=(60,), daemon=False).start()
except RuntimeError:
    pass
