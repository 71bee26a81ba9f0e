# attack: E02 sleeps while it is loaded
# side effect: none
# expect: score <= 0, LayerNorm unloadable
import time

time.sleep(600)
