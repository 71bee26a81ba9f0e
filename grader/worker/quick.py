"""The given `Value` without closures and reference cycles, and four given functions on it, several times faster.

Never imported by a hand-in: `likeness.py` puts this file's compiled code in the place of given code that is unchanged.
So every name is looked up where the given code looks it up. Forward is bit for bit the given one's; a node remembers
by which rule it was made instead of holding a closure, so what is no longer needed is freed at once.
"""

from __future__ import annotations

import math
from typing import Any


class Value:
    """One number in a computation graph; see the given engine.py."""

    __slots__ = ("__dict__", "__weakref__", "_children", "_op", "_rule", "data", "grad")

    def __init__(self, data: Any, _children: Any = (), _op: Any = "") -> None:
        self.data = float(data)
        self.grad = 0.0
        self._children: Any = tuple(_children)
        self._op = _op
        self._rule: Any = None  # how the gradient goes on to the children; of a power its exponent, in a list

    @property
    def _prev(self) -> Any:
        if self._rule == "dot":
            self._unfold()
        return set(self._children)

    @property
    def _backward(self) -> Any:
        return lambda: self._send([self])

    def __add__(self, other: Any, _new: Any = object.__new__) -> Any:
        if type(other) is not Value and not isinstance(other, Value):
            other = Value(other)
        out = _new(Value)  # like Value(...), without the cost of a second call
        data = self.data + other.data
        out.data = data if type(data) is float else float(data)
        out.grad = 0.0
        out._children = (self, other)
        out._op = out._rule = "+"
        return out

    def __mul__(self, other: Any, _new: Any = object.__new__) -> Any:
        if type(other) is not Value and not isinstance(other, Value):
            other = Value(other)
        out = _new(Value)
        data = self.data * other.data
        out.data = data if type(data) is float else float(data)
        out.grad = 0.0
        out._children = (self, other)
        out._op = out._rule = "*"
        return out

    def __pow__(self, n: Any) -> Any:
        out = Value(self.data**n, (self,), f"**{n}")
        out._rule = [n]
        return out

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __truediv__(self, other: Any) -> Any:
        return self * (other**-1)

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def exp(self) -> Any:
        out = Value(math.exp(self.data), (self,), "exp")
        out._rule = "exp"
        return out

    def log(self) -> Any:
        out = Value(math.log(max(self.data, 1e-10)), (self,), "log")
        out._rule = "log"
        return out

    def relu(self) -> Any:
        out = Value(max(0.0, self.data), (self,), "relu")
        out._rule = "relu"
        return out

    @staticmethod
    def _dot(ws: Any, xs: Any, start: Any = 0, _new: Any = object.__new__) -> Any:
        """``sum((w * x for w, x in zip(ws, xs)), start)`` as one node, which unfolds into that graph when looked at."""
        if type(ws) is type(xs) is list and len(ws) == len(xs) and ws:
            total = 0.0
            for w, x in zip(ws, xs):
                if type(w) is not Value or type(x) is not Value:
                    break
                total += w.data * x.data
            else:
                out = _new(Value)
                out.data = total
                out.grad = 0.0
                out._children = (*ws, *xs)
                out._op, out._rule = "+", "dot"
                return out
        return sum((w * x for w, x in zip(ws, xs)), start)

    def _unfold(self) -> None:
        half = len(self._children) // 2
        first, *terms = (w * x for w, x in zip(self._children[:half], self._children[half:]))
        total: Any = first
        last: Any = Value(0)
        for term in terms:
            total, last = total + last, term
        self._children, self._rule = (total, last), "+"

    def backward(self) -> None:
        """Add d(self)/d(node) to the ``grad`` of every node that self was computed from."""
        order: Any = []
        seen: Any = set()
        stack: Any = [self]
        while stack:
            node = stack.pop()
            if node is None:  # the one below it has all its children in order
                order.append(stack.pop())
            elif node not in seen:
                seen.add(node)
                if node._children:
                    stack += (node, None, *node._children)
        self.grad = 1.0
        self._send(reversed(order))

    def _send(self, nodes: Any) -> None:
        for out in nodes:
            rule, grad = out._rule, out.grad
            if rule == "*":
                a, b = out._children
                a.grad += b.data * grad
                b.grad += a.data * grad
            elif rule == "+":
                a, b = out._children
                a.grad += grad
                b.grad += grad
            elif rule == "dot":
                half = len(out._children) // 2
                for a, b in zip(out._children[:half], out._children[half:]):
                    a.grad += b.data * grad
                    b.grad += a.data * grad
            elif rule is not None:
                (a,) = out._children
                a.grad += out._slope(a, rule) * grad

    def _slope(self, a: Any, rule: Any) -> Any:
        if rule == "exp":
            return self.data
        if rule == "log":
            return 1.0 / max(a.data, 1e-10)
        if rule == "relu":
            return 1.0 if a.data > 0 else 0.0
        (n,) = rule
        return n * (a.data ** (n - 1))


class Linear:
    """The given layer's forward."""

    weight: Any
    bias: Any
    out_features: Any

    def forward(self, x: Any) -> Any:
        out = []
        for i in range(self.out_features):
            val: Any = Value._dot(self.weight[i], x)
            if self.bias is not None:
                val = val + self.bias[i]
            out.append(val)
        return out


def attention_scores(Q: Any, K: Any, d_k: Any) -> Any:
    """The given function's scores."""
    seq_len = len(Q)
    scale = d_k**0.5
    return [[Value._dot(Q[i], K[j]) / scale for j in range(seq_len)] for i in range(seq_len)]


def apply_attention(weights: Any, V: Any) -> Any:
    """The given function's sums."""
    seq_len = len(weights)
    d_v = len(V[0])
    output = []
    for i in range(seq_len):
        columns = ([V[j][k] for j in range(seq_len)] for k in range(d_v))
        output.append([Value._dot([weights[i][j] for j in range(seq_len)], xs, Value(0.0)) for xs in columns])
    return output
