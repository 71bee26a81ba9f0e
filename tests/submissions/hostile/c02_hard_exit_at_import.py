# attack: C02 ends its process with status 0 while it is loaded
# side effect: none
# expect: score <= 0, LayerNorm unloadable
import os

os._exit(0)
