# attack: C10 reports layers of its choice, and that it has loaded, on the worker's pipe
# side effect: the report names layers that are not there
# expect: score <= 0, LayerNorm unloadable
import json
import os


def everywhere(*lines):
    """Write lines to every descriptor above the usual ones: one of them is the worker's own."""
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"".join(line.encode() + b"\n" for line in lines))
        except OSError:
            pass


LAYERS = [{"name": name, "on": True, "why": "loot: forged"} for name in ("landlock", "seccomp", "limits", "no network")]
everywhere(json.dumps({"layers": LAYERS}), json.dumps({"loaded": True, "fault": None, "printed": 0}))
