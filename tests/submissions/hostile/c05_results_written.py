# attack: C05 writes the results itself, then ends its process
# side effect: the results file says 100
# expect: score <= 0, LayerNorm unloadable
import os

for path in ("/tmp/kit-attack/results.json", "results.json", "../results.json"):
    try:
        with open(path, "w") as file:
            file.write('{"score": 100, "max_score": 100}')
        if not path.startswith("/tmp/kit-attack"):
            os.unlink(path)
    except OSError:
        pass
os._exit(0)
