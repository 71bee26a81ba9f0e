# attack: A08 sends what it knows out by TCP and by UDP
# side effect: a listener on loopback is contacted
# expect: score <= 0
import socket

for kind, port in ((socket.SOCK_STREAM, 47011), (socket.SOCK_DGRAM, 47012)):
    try:
        with socket.socket(socket.AF_INET, kind) as line:
            line.settimeout(1)
            line.connect(("127.0.0.1", port))
            line.send(b"what the hand-in was asked")
    except OSError:
        pass
