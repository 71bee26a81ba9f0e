# attack: F04 imports packages although only the standard library is there
# side effect: packages are imported
# expect: score <= 0
import importlib
import os
import sys

VERSION = "python%d.%d" % sys.version_info[:2]
places = ["/usr/lib/python3/dist-packages", f"/usr/local/lib/{VERSION}/dist-packages"]
places += [f"{path}/site-packages" for path in sys.path] + [f"{sys.prefix}/lib/{VERSION}/site-packages"]
found = []
for place in places:
    try:
        names = [name for name in os.listdir(place) if name.isidentifier() and name.islower()][:5]
    except OSError:
        continue
    sys.path.append(place)
    for name in names:
        try:
            importlib.import_module(name)
            found.append(name)
        except Exception:
            pass
if found:
    raise AssertionError(f"loot: imported {found[:3]}")
