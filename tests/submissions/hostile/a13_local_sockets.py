# attack: A13 connects to a socket in the file system and to an abstract one
# side effect: a local service is contacted
# expect: score <= 0
import socket

FOLDER = "/tmp/kit-attack"
for address in (f"{FOLDER}/listener", f"\0{FOLDER}"):
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(1)
            line.connect(address)
    except OSError:
        pass
