# attack: A08B makes its sockets without the socket module, by system call and by io_uring
# side effect: a listener on loopback is contacted
# expect: score <= 0
import ctypes
import os
import struct

libc = ctypes.CDLL(None, use_errno=True)
SOCKET, CONNECT, URING = {"x86_64": (41, 42, 425), "aarch64": (198, 203, 425)}.get(os.uname().machine, (0, 0, 0))
address = struct.pack("=HH4s8x", 2, int.from_bytes((47011).to_bytes(2, "big"), "little"), bytes((127, 0, 0, 1)))
line = libc.syscall(SOCKET, 2, 1, 0)
libc.syscall(CONNECT, line, address, len(address))
parameters = ctypes.create_string_buffer(120)
ring = libc.syscall(URING, 1, ctypes.byref(parameters))
if ring >= 0:
    raise AssertionError("loot: an io_uring, which makes system calls that no filter sees")
