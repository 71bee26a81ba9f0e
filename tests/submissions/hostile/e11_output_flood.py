# attack: E11 writes 300 MiB of output
# side effect: none
# expect: score <= 0
import os

piece = b"7" * 2**20
for _ in range(300):
    os.write(1, piece)
