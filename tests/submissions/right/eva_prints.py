# right: prints everywhere, in constructors, in forward and at module level, and a small demo that runs when the file is imported.
import random
from engine import Value
from nn import *
from nn import Linear, Module, softmax, causal_mask, attention_scores, apply_attention

print("starting!!! lets go")
print(Value, Module)


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        print("MHA init", embed_dim, num_heads)
        if embed_dim % num_heads != 0:
            print("this will crash now")
        assert embed_dim % num_heads == 0
        self.numHeads = num_heads
        self.headDim = embed_dim // num_heads
        # one set of layers for each head
        for h in range(num_heads):
            setattr(self, "q" + str(h), Linear(embed_dim, self.headDim))
            setattr(self, "k" + str(h), Linear(embed_dim, self.headDim))
            setattr(self, "v" + str(h), Linear(embed_dim, self.headDim))
        self.out = Linear(embed_dim, embed_dim)
        print("i have", len(self.parameters()), "parameters")

    def forward(self, x, causal=True):
        T = len(x)
        print("MHA forward T =", T, "D =", len(x[0]), "causal", causal)
        outputs = [[] for t in range(T)]
        for h in range(self.numHeads):
            print("---- head", h)
            Q = [getattr(self, "q" + str(h))(p) for p in x]
            K = [getattr(self, "k" + str(h))(p) for p in x]
            V = [getattr(self, "v" + str(h))(p) for p in x]
            S = attention_scores(Q, K, self.headDim)
            print("score 0 0", S[0][0].data)
            if causal:
                M = causal_mask(T)
                for i in range(T):
                    for j in range(T):
                        S[i][j] = S[i][j] + M[i][j]
            W = [softmax(r) for r in S]
            for r in W:
                print([round(w.data, 3) for w in r], "sum", sum(w.data for w in r))
            A = apply_attention(W, V)
            for t in range(T):
                outputs[t] += A[t]
        # outputs = outputs.T ???
        result = [self.out(o) for o in outputs]
        print("out", len(result), len(result[0]))
        return result


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        print("LN", dim, eps)
        self.eps = eps
        self.weight = [Value(1.0) for _ in range(dim)]
        self.bias = [Value(0.0) for _ in range(dim)]

    def forward(self, x):
        m = sum(x) / len(x)
        print("mean", m.data)
        v = sum([(a - m) * (a - m) for a in x]) / len(x)
        print("var", v.data)
        s = (v + self.eps) ** 0.5
        out = [self.weight[i] * ((x[i] - m) / s) + self.bias[i] for i in range(len(x))]
        print("normed", [o.data for o in out])
        return out


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()
        print("FF", embed_dim, hidden_dim)
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        self.l1 = Linear(embed_dim, hidden_dim)
        self.l2 = Linear(hidden_dim, embed_dim)

    def forward(self, x):
        h = self.l1(x)
        print("hidden before", [a.data for a in h])
        h = [a.relu() for a in h]
        print("hidden after", [a.data for a in h], "on:", sum(1 for a in h if a.data > 0))
        return self.l2(h)


class TransformerBlock(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        print("BLOCK")
        self.ln1 = LayerNorm(embed_dim)
        self.mha = MultiHeadAttention(embed_dim, num_heads)
        self.ln2 = LayerNorm(embed_dim)
        self.ffn = FeedForward(embed_dim)
        print("BLOCK done")

    def forward(self, x):
        print("block got", x)
        n = [self.ln1(r) for r in x]
        a = self.mha(n)
        y = [[x[t][d] + a[t][d] for d in range(len(x[t]))] for t in range(len(x))]
        print("after attention", y[0][0].data)
        z = []
        for r in y:
            f = self.ffn(self.ln2(r))
            z.append([r[d] + f[d] for d in range(len(r))])
        print("after ffn", z[0][0].data)
        return z


# test it
b = TransformerBlock(4, 2)
o = b([[Value(random.random()) for _ in range(4)] for _ in range(3)])
print([[v.data for v in r] for r in o])
print("it works??")
