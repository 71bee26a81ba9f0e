# wrong: the mask is kept by length, with the flag of the first call of that length. Fails: MultiHeadAttention.causality
"""A deliberately long-winded solution: explicit loops, no helper functions."""
from __future__ import annotations

import math
from typing import List, Optional

from engine import Value
from nn import Linear, Module


class MultiHeadAttention(Module):
    """Multi-head self-attention with explicit loops."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        # The embedding must split evenly over the heads.
        if embed_dim % num_heads != 0:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.blocked = {}
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.query_projection = Linear(embed_dim, embed_dim)
        self.key_projection = Linear(embed_dim, embed_dim)
        self.value_projection = Linear(embed_dim, embed_dim)
        self.output_projection = Linear(embed_dim, embed_dim)

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        sequence_length = len(x)
        if sequence_length not in self.blocked:
            self.blocked[sequence_length] = {
                (i, j) for i in range(sequence_length) for j in range(sequence_length) if causal and j > i
            }
        blocked = self.blocked[sequence_length]

        # Step 1: project every position.
        queries = []
        keys = []
        values = []
        for position in x:
            queries.append(self.query_projection(position))
            keys.append(self.key_projection(position))
            values.append(self.value_projection(position))

        # Step 2: one row of concatenated head outputs per position.
        concatenated = []
        for i in range(sequence_length):
            concatenated_row = []
            for head in range(self.num_heads):
                start = head * self.head_dim
                end = start + self.head_dim

                # Scores of position i against every position j.
                scores = []
                for j in range(sequence_length):
                    dot_product = Value(0.0)
                    for channel in range(start, end):
                        dot_product = dot_product + queries[i][channel] * keys[j][channel]
                    score = dot_product * (1.0 / math.sqrt(self.head_dim))
                    if (i, j) in blocked:
                        score = score + -1e9
                    scores.append(score)

                # Numerically stable softmax.
                largest = scores[0].data
                for score in scores:
                    if score.data > largest:
                        largest = score.data
                exponentials = []
                for score in scores:
                    exponentials.append((score + (-largest)).exp())
                total = Value(0.0)
                for exponential in exponentials:
                    total = total + exponential
                probabilities = []
                for exponential in exponentials:
                    probabilities.append(exponential / total)

                # Weighted sum of the values.
                for channel in range(start, end):
                    mixed = Value(0.0)
                    for j in range(sequence_length):
                        mixed = mixed + probabilities[j] * values[j][channel]
                    concatenated_row.append(mixed)
            concatenated.append(concatenated_row)

        # Step 3: output projection.
        result = []
        for row in concatenated:
            result.append(self.output_projection(row))
        return result


class LayerNorm(Module):
    """Layer normalisation of one vector."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.gamma = [Value(1.0) for _ in range(dim)]
        self.beta = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        # Mean of the vector.
        total = Value(0.0)
        for element in x:
            total = total + element
        mean = total / self.dim

        # Variance of the vector.
        squared_total = Value(0.0)
        for element in x:
            deviation = element - mean
            squared_total = squared_total + deviation * deviation
        variance = squared_total / self.dim
        standard_deviation = (variance + self.eps) ** 0.5

        # Normalise, scale and shift.
        output = []
        for index in range(self.dim):
            normalised = (x[index] - mean) / standard_deviation
            output.append(normalised * self.gamma[index] + self.beta[index])
        return output


class FeedForward(Module):
    """Linear, ReLU, Linear."""

    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        if hidden_dim is None:
            self.hidden_dim = 4 * embed_dim
        else:
            self.hidden_dim = hidden_dim
        self.first_layer = Linear(embed_dim, self.hidden_dim)
        self.second_layer = Linear(self.hidden_dim, embed_dim)

    def forward(self, x: List[Value]) -> List[Value]:
        hidden = self.first_layer(x)
        activated = []
        for unit in hidden:
            activated.append(unit.relu())
        output = self.second_layer(activated)
        return output


class TransformerBlock(Module):
    """Pre-norm transformer block."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.first_norm = LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.second_norm = LayerNorm(embed_dim)
        self.feed_forward = FeedForward(embed_dim)

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        # Attention sub-layer with residual.
        normalised = []
        for row in x:
            normalised.append(self.first_norm(row))
        attended = self.attention(normalised, causal=True)
        after_attention = []
        for i in range(len(x)):
            row = []
            for c in range(len(x[i])):
                row.append(x[i][c] + attended[i][c])
            after_attention.append(row)

        # Feed-forward sub-layer with residual.
        result = []
        for i in range(len(after_attention)):
            normalised_row = self.second_norm(after_attention[i])
            fed_row = self.feed_forward(normalised_row)
            row = []
            for c in range(len(fed_row)):
                row.append(after_attention[i][c] + fed_row[c])
            result.append(row)
        return result
