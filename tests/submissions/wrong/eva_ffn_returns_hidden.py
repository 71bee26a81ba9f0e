# wrong: the second layer is computed but the wrong variable is returned, hidden numbers in place of D. Fails: FeedForward.shape
import math
from engine import Value
from nn import Linear, Module
# from nn import SelfAttention   <- tried, too confusing


class MultiHeadAttention(Module):
	def __init__(self, embed_dim, num_heads):
		super().__init__()
		assert embed_dim % num_heads == 0
		self.numHeads = num_heads
		self.headDim = embed_dim // num_heads
		self.queryLayer = Linear(embed_dim, embed_dim)
		self.keyLayer = Linear(embed_dim, embed_dim)
		self.valueLayer = Linear(embed_dim, embed_dim)
		self.lastLayer = Linear(embed_dim, embed_dim)

	def forward(self, x, causal=True):
		howMany = len(x)
		allQ = []
		allK = []
		allV = []
		for pos in x:
			allQ.append(self.queryLayer(pos))
			allK.append(self.keyLayer(pos))
			allV.append(self.valueLayer(pos))
		# print("q", allQ)
		result = []
		for i in range(howMany):
			bigRow = []
			for h in range(self.numHeads):
				start = h * self.headDim
				end = start + self.headDim
				scores = []
				for j in range(howMany):
					if causal and j > i:
						continue	# the future, not allowed
					dot = Value(0.0)
					for c in range(start, end):
						dot = dot + allQ[i][c] * allK[j][c]
					scores.append(dot / math.sqrt(self.headDim))
				# my own softmax because I did not get the other one to print
				biggest = scores[0].data
				for s in scores:
					if s.data > biggest:
						biggest = s.data
				exps = []
				for s in scores:
					exps.append((s - biggest).exp())
				sumExp = exps[0]
				for n in range(1, len(exps)):
					sumExp = sumExp + exps[n]
				# weights = [e / sumExp for e in exps]
				for c in range(start, end):
					total = Value(0.0)
					for n in range(len(exps)):
						total = total + (exps[n] / sumExp) * allV[n][c]
					bigRow.append(total)
			result.append(self.lastLayer(bigRow))
		return result


class LayerNorm(Module):
	def __init__(self, dim, eps=1e-5):
		super().__init__()
		self.dim = dim
		self.eps = eps
		self.scale = [Value(1.0) for i in range(dim)]
		self.shift = [Value(0.0) for i in range(dim)]

	def forward(self, x):
		mean = Value(0.0)
		for v in x:
			mean = mean + v
		mean = mean / self.dim
		variance = Value(0.0)
		for v in x:
			diff = v - mean
			variance = variance + diff * diff
		variance = variance / self.dim
		# std = math.sqrt(variance)    does not work!!
		std = (variance + self.eps) ** 0.5
		answer = []
		for i in range(self.dim):
			normal = (x[i] - mean) / std
			answer.append(normal * self.scale[i] + self.shift[i])
		return answer


class FeedForward(Module):
	def __init__(self, embed_dim, hidden_dim=None):
		super().__init__()
		if hidden_dim == None:
			hidden_dim = embed_dim * 4
		self.firstLayer = Linear(embed_dim, hidden_dim)
		self.secondLayer = Linear(hidden_dim, embed_dim)

	def forward(self, x):
		hidden = self.firstLayer(x)
		active = []
		for h in hidden:
			active.append(h.relu())
		answer = self.secondLayer(active)
		return active


class TransformerBlock(Module):
	def __init__(self, embed_dim, num_heads):
		super().__init__()
		self.norm1 = LayerNorm(embed_dim)
		self.attention = MultiHeadAttention(embed_dim, num_heads)
		self.norm2 = LayerNorm(embed_dim)
		self.feedForward = FeedForward(embed_dim)

	def forward(self, x):
		normed = []
		for row in x:
			normed.append(self.norm1(row))
		attended = self.attention(normed)
		# y = x + attended     <- lists get glued together instead of added :(
		y = []
		for i in range(len(x)):
			newRow = []
			for d in range(len(x[i])):
				newRow.append(x[i][d] + attended[i][d])
			y.append(newRow)
		z = []
		for i in range(len(y)):
			changed = self.feedForward(self.norm2(y[i]))
			newRow = []
			for d in range(len(y[i])):
				newRow.append(y[i][d] + changed[d])
			z.append(newRow)
		return z
