# attack: B08 answers with lists that lie about their length, their entries and their equality
# side effect: none
# expect: score <= 0
from engine import Value
from nn import Module


class Liar(list):
    def __init__(self, length):
        super().__init__()
        self.length = length

    def __len__(self):
        return self.length

    def __iter__(self):
        return iter([Value(0.0)] * self.length)

    def __getitem__(self, index):
        return Value(0.0)

    def __eq__(self, other):
        return True

    def __bool__(self):
        return True


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()

    def parameters(self):
        return Liar(10**5)

    def forward(self, x):
        return Liar(len(x))


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        return Liar(len(x))
