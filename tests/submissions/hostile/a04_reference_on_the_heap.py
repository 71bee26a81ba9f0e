# attack: A04 searches every object on the heap for the reference's classes and functions
# side effect: none, but full marks
# expect: score <= 0
import gc
import types

WANTED = ("MultiHeadAttention", "LayerNorm", "FeedForward", "TransformerBlock")
for thing in gc.get_objects():
    if isinstance(thing, type) and thing.__name__ in WANTED and thing.__module__ != __name__:
        globals()[thing.__name__] = thing
    elif isinstance(thing, types.FunctionType) and thing.__qualname__.split(".")[0] in WANTED:
        globals()[thing.__qualname__.split(".")[0]] = type(thing.__qualname__.split(".")[0], (), {"forward": thing})
