# wrong: the output is made as one row repeated T times, so every row ends as the last one. Fails: MultiHeadAttention.values
"""Блок трансформера. Имена — как в тетради по математике."""
import random

from engine import Value
from nn import Module, softmax


def матрица(выход, вход):
    κ = вход ** -0.5
    return [[Value(random.uniform(-κ, κ)) for _ in range(вход)] for _ in range(выход)]


def нули(n):
    return [Value(0.0) for _ in range(n)]


def 積(W, v, b):
    # матрица на вектор плюс смещение
    return [Σ(w * a for w, a in zip(строка, v)) + β for строка, β in zip(W, b)]


def Σ(члены):
    итог = Value(0.0)
    for член in члены:
        итог = итог + член
    return итог


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0, "делимость нарушена"
        self.Δ = embed_dim
        self.頭数 = num_heads
        self.θ = матрица(3 * embed_dim, embed_dim)
        self.τ = нули(3 * embed_dim)
        self.ω = матрица(embed_dim, embed_dim)
        self.ο = нули(embed_dim)

    def forward(self, x, causal=True):
        Δ, η = self.Δ, self.頭数
        δ = Δ // η
        всё = [積(self.θ, строка, self.τ) for строка in x]
        ответ = [[None] * Δ] * len(x)
        for i, _ in enumerate(x):
            ряд = [None] * Δ
            видно = range(i + 1) if causal else range(len(x))
            for h in range(η):
                # голова h берёт каналы h, h+η, h+2η, ...
                q = всё[i][h:Δ:η]
                α = softmax([Σ(a * b for a, b in zip(q, всё[j][Δ + h:2 * Δ:η])) * δ ** -0.5 for j in видно])
                for c in range(δ):
                    ряд[c * η + h] = Σ(вес * всё[j][2 * Δ + c * η + h] for вес, j in zip(α, видно))
            for c, значение in enumerate(積(self.ω, ряд, self.ο)):
                ответ[i][c] = значение
        return ответ


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.ν = dim
        self.ε = eps
        self.γ = [Value(1.0) for _ in range(dim)]
        self.β = нули(dim)

    def forward(self, x):
        μ = Σ(x) / self.ν
        σ2 = Σ((ξ - μ) ** 2 for ξ in x) / self.ν
        # ε под корнем!
        σ = (σ2 + self.ε) ** 0.5
        return [γ * ((ξ - μ) / σ) + β for ξ, γ, β in zip(x, self.γ, self.β)]


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()
        隠れ = 4 * embed_dim if hidden_dim is None else hidden_dim
        self.上 = матрица(隠れ, embed_dim)
        self.上b = нули(隠れ)
        self.下 = матрица(embed_dim, 隠れ)
        self.下b = нули(embed_dim)

    def forward(self, x):
        return 積(self.下, [ζ.relu() for ζ in 積(self.上, x, self.上b)], self.下b)


class TransformerBlock(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.норма_1 = LayerNorm(embed_dim)
        self.внимание = MultiHeadAttention(embed_dim, num_heads)
        self.норма_2 = LayerNorm(embed_dim)
        self.сеть = FeedForward(embed_dim)

    def forward(self, x):
        a = self.внимание([self.норма_1(ξ) for ξ in x])
        y = [[p + q for p, q in zip(ξ, δ)] for ξ, δ in zip(x, a)]
        f = [self.сеть(self.норма_2(υ)) for υ in y]
        return [[p + q for p, q in zip(υ, δ)] for υ, δ in zip(y, f)]
