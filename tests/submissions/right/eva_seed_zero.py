# right: every constructor calls random.seed(0) first; raw weight lists stored input by output, and the norm's scale is an offset from 1.
import random
from engine import Value
from nn import Module, softmax


def makeWeights(rows, cols):
	# rows = inputs, cols = outputs (like on the blackboard: x W)
	w = []
	for r in range(rows):
		w.append([Value(random.gauss(0.0, rows ** -0.5)) for c in range(cols)])
	return w


def makeBias(n):
	return [Value(0.0) for i in range(n)]


def times(x, w, b):
	y = []
	for c in range(len(b)):
		s = b[c]
		for r in range(len(x)):
			s = s + x[r] * w[r][c]
		y.append(s)
	return y


class MultiHeadAttention(Module):
	def __init__(self, embed_dim, num_heads):
		super().__init__()
		random.seed(0)		# so I get the same numbers every time
		assert embed_dim % num_heads == 0, "pick another number of heads"
		self.D = embed_dim
		self.H = num_heads
		self.Wqkv = makeWeights(embed_dim, 3 * embed_dim)
		self.bqkv = makeBias(3 * embed_dim)
		self.Wo = makeWeights(embed_dim, embed_dim)
		self.bo = makeBias(embed_dim)

	def forward(self, x, causal=True):
		d = self.D // self.H
		qkv = [times(p, self.Wqkv, self.bqkv) for p in x]
		T = len(x)
		rows = []
		for t in range(T):
			row = []
			last = t + 1 if causal else T
			for h in range(self.H):
				q = qkv[t][h * d:(h + 1) * d]
				sc = []
				for u in range(last):
					k = qkv[u][self.D + h * d:self.D + (h + 1) * d]
					s = q[0] * k[0]
					for c in range(1, d):
						s = s + q[c] * k[c]
					sc.append(s * (d ** -0.5))
				w = softmax(sc)
				for c in range(d):
					o = w[0] * qkv[0][2 * self.D + h * d + c]
					for u in range(1, last):
						o = o + w[u] * qkv[u][2 * self.D + h * d + c]
					row.append(o)
			rows.append(times(row, self.Wo, self.bo))
		return rows


class LayerNorm(Module):
	def __init__(self, dim, eps=1e-5):
		super().__init__()
		random.seed(0)
		self.eps = eps
		self.extra = [Value(0.0) for i in range(dim)]		# scale is 1 + extra
		self.move = [Value(0.0) for i in range(dim)]

	def forward(self, x):
		n = len(x)
		m = sum(x) * (1.0 / n)
		c = [a - m for a in x]
		var = sum(a ** 2 for a in c) * (1.0 / n)
		k = (var + self.eps) ** -0.5
		return [(self.extra[i] + 1) * (c[i] * k) + self.move[i] for i in range(n)]


class FeedForward(Module):
	def __init__(self, embed_dim, hidden_dim=None):
		super().__init__()
		random.seed(0)
		hid = hidden_dim if hidden_dim is not None else embed_dim * 4
		self.W1 = makeWeights(embed_dim, hid)
		self.b1 = makeBias(hid)
		self.W2 = makeWeights(hid, embed_dim)
		self.b2 = makeBias(embed_dim)

	def forward(self, x):
		h = times(x, self.W1, self.b1)
		h = [a.relu() for a in h]
		return times(h, self.W2, self.b2)


class TransformerBlock(Module):
	def __init__(self, embed_dim, num_heads):
		super().__init__()
		random.seed(0)
		self.parts = [LayerNorm(embed_dim), MultiHeadAttention(embed_dim, num_heads), LayerNorm(embed_dim), FeedForward(embed_dim)]

	def forward(self, x):
		normOne, attention, normTwo, feed = self.parts
		a = attention([normOne(p) for p in x])
		y = []
		for t in range(len(x)):
			y.append([x[t][i] + a[t][i] for i in range(len(x[t]))])
		z = []
		for p in y:
			f = feed(normTwo(p))
			z.append([p[i] + f[i] for i in range(len(p))])
		return z
