# attack: E09 asks for 3 GiB of memory in one piece and in many
# side effect: the machine's memory is used up
# expect: score <= 0
got = []
try:
    got.append(bytearray(3 * 2**30))  # not touched, so that the machine is safe if it is granted
    raise AssertionError("loot: 3 GiB of memory")
except MemoryError:
    pass
try:
    for _ in range(48):
        got.append(bytearray(2**26))
    raise AssertionError("loot: 3 GiB of memory in pieces")
except MemoryError:
    got.clear()
