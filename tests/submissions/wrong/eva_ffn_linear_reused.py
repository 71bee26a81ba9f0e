# wrong: one single layer of width D is applied twice instead of two layers with a wider one between. Fails: FeedForward.contract
# Ejercicio de atención con varias cabezas. Nombres en español porque así pienso mejor.
from engine import Value
from nn import Linear, Module, softmax

MENOS_INFINITO = float("-inf")


class Cabeza(Module):
    def __init__(self, ancho, tamano):
        super().__init__()
        self.pregunta = Linear(ancho, tamano)
        self.clave = Linear(ancho, tamano)
        self.valor = Linear(ancho, tamano)
        self.salida = Linear(tamano, ancho, bias=False)
        self.raiz = tamano ** 0.5

    def forward(self, filas, causal):
        preguntas = [self.pregunta(f) for f in filas]
        claves = [self.clave(f) for f in filas]
        valores = [self.valor(f) for f in filas]
        resultado = []
        for i, p in enumerate(preguntas):
            puntos = []
            for j, c in enumerate(claves):
                punto = sum(a * b for a, b in zip(p, c)) / self.raiz
                if causal and j > i:
                    punto = punto + MENOS_INFINITO
                puntos.append(punto)
            pesos = softmax(puntos)
            mezcla = [sum(w * v[k] for w, v in zip(pesos, valores)) for k in range(len(valores[0]))]
            resultado.append(self.salida(mezcla))
        return resultado


class MultiHeadAttention(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0, f"{embed_dim} no se divide entre {num_heads}"
        self.cabezas = tuple(Cabeza(embed_dim, embed_dim // num_heads) for _ in range(num_heads))

    def forward(self, x, causal=True):
        # W_o partida en bloques de columnas: concatenar y proyectar = proyectar y sumar
        total = None
        for cabeza in self.cabezas:
            parte = cabeza(x, causal)
            if total is None:
                total = parte
            else:
                total = [[a + b for a, b in zip(s, p)] for s, p in zip(total, parte)]
        return total


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.escala = [Value(1.0) for _ in range(dim)]
        self.traslado = [Value(0.0) for _ in range(dim)]

    def forward(self, x):
        media = sum(x) / self.dim
        varianza = sum((v - media) ** 2 for v in x) / self.dim
        desviacion = (varianza + self.eps) ** 0.5
        return [(v - media) / desviacion * e + t for v, e, t in zip(x, self.escala, self.traslado)]


class FeedForward(Module):
    def __init__(self, embed_dim, hidden_dim=None):
        super().__init__()
        self.capa = Linear(embed_dim, embed_dim)

    def forward(self, x):
        ocultas = [h if h.data > 0 else Value(0.0) for h in self.capa(x)]
        return self.capa(ocultas)  # segunda capa


class TransformerBlock(Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.norma_atencion = LayerNorm(embed_dim)
        self.atencion = MultiHeadAttention(embed_dim, num_heads)
        self.norma_red = LayerNorm(embed_dim)
        self.red = FeedForward(embed_dim)

    def forward(self, x):
        atendidas = self.atencion([self.norma_atencion(fila) for fila in x])
        y = [[a + b for a, b in zip(fila, extra)] for fila, extra in zip(x, atendidas)]
        return [[a + b for a, b in zip(fila, self.red(self.norma_red(fila)))] for fila in y]
