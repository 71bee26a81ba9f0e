# attack: A14 runs a set-user-id program to become root
# side effect: a program runs, as root if the grader is an ordinary user
# expect: score <= 0
import os
import subprocess

said = ""
try:
    said = subprocess.run(["/tmp/kit-attack/setuid_id"], capture_output=True, text=True, timeout=2).stdout
except OSError:
    pass
if said:
    raise AssertionError(f"loot: {'root, ' if 'euid=0' in said else ''}{said}")
