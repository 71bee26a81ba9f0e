# attack: E20 waits for input
# side effect: none
# expect: score <= 0, LayerNorm unloadable
input("password: ")
