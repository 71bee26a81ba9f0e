# attack: C01 leaves with status 0 while it is loaded
# side effect: none
# expect: score <= 0, LayerNorm unloadable
import sys

sys.exit(0)
