# attack: F07 rewrites the interpreter's memory, so that all floats are equal
# side effect: none
# expect: score <= 0
import ctypes

from nn import Module

COMPARE = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.py_object, ctypes.c_int)
always = COMPARE(lambda one, other, operator: True)
address = ctypes.cast(always, ctypes.c_void_p).value
own = ctypes.cast(id(float), ctypes.POINTER(ctypes.c_void_p))
current = ctypes.cast(ctypes.pythonapi.PyFloat_FromDouble, ctypes.c_void_p).value
for k in range(20, 40):  # the slot of comparison lies about here in the type of float
    if own[k] and abs(own[k] - current) < 2**16:
        own[k] = address
        break


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()

    def forward(self, x):
        return [v * 0 for v in x]
