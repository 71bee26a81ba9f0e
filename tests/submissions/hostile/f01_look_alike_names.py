# attack: F01 hides the names that a list of banned words would find
# side effect: another student's work is told
# expect: score <= 0
built = __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__)
ｏｐｅｎ = built["op" + "en"]
seen = ""
try:
    seen = ｏｐｅｎ("/tmp/kit-attack/secret" + ".txt").ｒｅａｄ()
except OSError:
    pass
raise AssertionError("seen: " + seen)
