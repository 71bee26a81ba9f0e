# right: stored as latin-1 with a coding cookie on line 2, umlauts in comments and names; narrow SelfAttention heads on slices of the row.
# -*- coding: latin-1 -*-
# Übung 7, abgegeben um 02:14 - für größere Klassen bitte Kaffee
from typing import List, Optional

from engine import Value
from nn import Linear, Module, SelfAttention


class MultiHeadAttention(Module):
    """Jeder Kopf bekommt seinen Ausschnitt der Zeile und eine eigene SelfAttention."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        assert embed_dim % num_heads == 0, "geht nicht auf: Größe / Köpfe"
        self.größe = embed_dim // num_heads
        self.köpfe = [SelfAttention(self.größe) for _ in range(num_heads)]
        self.schluß = Linear(embed_dim, embed_dim)

    def ausschnitt(self, zeile, h):
        return zeile[h * self.größe : (h + 1) * self.größe]

    def forward(self, x: List[List[Value]], causal: bool = True) -> List[List[Value]]:
        # ein Kopf sieht nur seine Kanäle, dafür alle (erlaubten) Zeilen
        teile = [kopf([self.ausschnitt(zeile, h) for zeile in x], causal) for h, kopf in enumerate(self.köpfe)]
        ergebnis = []
        for t in range(len(x)):
            zusammengefügt = []
            for teil in teile:
                zusammengefügt.extend(teil[t])
            ergebnis.append(self.schluß(zusammengefügt))
        return ergebnis


class LayerNorm(Module):
    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.maßstab = [Value(1.0) for _ in range(dim)]
        self.verschiebung = [Value(0.0) for _ in range(dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        n = len(x)
        µ = sum(x) / n  # Mittelwert, steht auf der Tastatur
        abstände = [wert - µ for wert in x]
        streuung = sum(a * a for a in abstände) / n
        kehrwert = (streuung + self.eps) ** -0.5
        return [m * a * kehrwert + v for m, a, v in zip(self.maßstab, abstände, self.verschiebung)]


class FeedForward(Module):
    def __init__(self, embed_dim: int, hidden_dim: Optional[int] = None) -> None:
        super().__init__()
        if hidden_dim is None:
            hidden_dim = 4 * embed_dim
        self.schichten = [Linear(embed_dim, hidden_dim), Linear(hidden_dim, embed_dim)]

    def forward(self, x: List[Value]) -> List[Value]:
        for nummer, schicht in enumerate(self.schichten):
            if nummer > 0:
                x = [wert.relu() for wert in x]  # nur zwischen den Schichten, nicht außen
            x = schicht(x)
        return x


class TransformerBlock(Module):
    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.norm_a = LayerNorm(embed_dim)
        self.aufmerksamkeit = MultiHeadAttention(embed_dim, num_heads)
        self.norm_b = LayerNorm(embed_dim)
        self.netz = FeedForward(embed_dim)

    @staticmethod
    def addiere(links, rechts):
        return [[a + b for a, b in zip(l, r)] for l, r in zip(links, rechts)]

    def forward(self, x: List[List[Value]]) -> List[List[Value]]:
        # y und z heißen wie in der Aufgabe
        y = self.addiere(x, self.aufmerksamkeit([self.norm_a(zeile) for zeile in x]))
        z = self.addiere(y, [self.netz(self.norm_b(zeile)) for zeile in y])
        return z
