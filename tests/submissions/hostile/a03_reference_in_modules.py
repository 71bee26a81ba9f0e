# attack: A03 looks for the reference in every imported module
# side effect: none, but full marks
# expect: score <= 0
import sys

for name, module in list(sys.modules.items()):
    for wanted in ("MultiHeadAttention", "LayerNorm", "FeedForward", "TransformerBlock"):
        found = getattr(module, wanted, None)
        if isinstance(found, type) and name != __name__:
            globals()[wanted] = found
