"""A scalar that remembers how it was computed, and can send gradients back. Given: read it, do not edit it."""

from __future__ import annotations

import math
from typing import Callable, Iterator, List, Set, Tuple


class Value:
    """One number in a computation graph.

    ``data`` is the number, ``grad`` the derivative of the result that ``backward()`` was called on with
    respect to this number. Arithmetic on Values builds the graph; ``v - w``, ``v / w``, ``2 * v`` work,
    ``1 - v`` and ``1 / v`` do not (write ``-v + 1`` and ``v ** -1``).
    """

    def __init__(self, data: float, _children: Tuple[Value, ...] = (), _op: str = "") -> None:
        self.data = float(data)
        self.grad = 0.0
        self._backward: Callable[[], None] = lambda: None
        self._prev: Set[Value] = set(_children)
        self._op = _op

    def __add__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward() -> None:
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward() -> None:
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, n: float) -> Value:
        out = Value(self.data**n, (self,), f"**{n}")

        def _backward() -> None:
            self.grad += n * (self.data ** (n - 1)) * out.grad

        out._backward = _backward
        return out

    def __neg__(self) -> Value:
        return self * -1

    def __sub__(self, other: Value | float) -> Value:
        return self + (-other)

    def __truediv__(self, other: Value | float) -> Value:
        return self * (other**-1)

    def __radd__(self, other: float) -> Value:
        return self + other

    def __rmul__(self, other: float) -> Value:
        return self * other

    def exp(self) -> Value:
        out = Value(math.exp(self.data), (self,), "exp")

        def _backward() -> None:
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def log(self) -> Value:
        out = Value(math.log(max(self.data, 1e-10)), (self,), "log")

        def _backward() -> None:
            self.grad += (1.0 / max(self.data, 1e-10)) * out.grad

        out._backward = _backward
        return out

    def relu(self) -> Value:
        out = Value(max(0.0, self.data), (self,), "relu")

        def _backward() -> None:
            self.grad += (1.0 if self.data > 0 else 0.0) * out.grad

        out._backward = _backward
        return out

    def backward(self) -> None:
        """Add d(self)/d(node) to the ``grad`` of every node that self was computed from."""
        self.grad = 1.0
        for node in reversed(self._topological_order()):
            node._backward()

    def _topological_order(self) -> List[Value]:
        """Every node of the graph, children before parents, without recursion (graphs are deep)."""
        order: List[Value] = []
        visited: Set[Value] = {self}
        path: List[Tuple[Value, Iterator[Value]]] = [(self, iter(self._prev))]
        while path:
            node, children = path[-1]
            for child in children:
                if child not in visited:
                    visited.add(child)
                    path.append((child, iter(child._prev)))
                    break
            else:
                order.append(node)
                path.pop()
        return order
