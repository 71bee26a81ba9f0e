# attack: E01 never finishes loading
# side effect: none
# expect: score <= 0, LayerNorm unloadable
while True:
    pass
