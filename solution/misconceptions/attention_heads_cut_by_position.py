# component: MultiHeadAttention
# sentence: Your rows are flattened and cut into num_heads runs, so a head owns positions; it should own channels of every position.
# hint: Which positions and which channels end up in head 0, with T=4, D=6, H=2?
# read: What to write


class MultiHeadAttention(MultiHeadAttention):
    def attended(self, x: Rows, causal: bool) -> List[Rows]:
        parts = [head.project([row[own] for row in x]) for head, own in zip(self.heads, self.slices)]
        Q, K, V = (self.cut([rows[n] for rows in parts]) for n in range(3))
        head = self.heads[0]
        return [apply_attention(head.weights(head.scores(q, k), causal), v) for q, k, v in zip(Q, K, V)]

    def cut(self, heads: List[Rows]) -> List[Rows]:
        flat = [v for row in super().joined(heads) for v in row]
        H, T, d = len(heads), len(heads[0]), len(heads[0][0])
        return [[flat[(h * T + t) * d : (h * T + t + 1) * d] for t in range(T)] for h in range(H)]

    def joined(self, heads: List[Rows]) -> Rows:
        flat = [v for rows in heads for row in rows for v in row]
        D = len(heads) * len(heads[0][0])
        return [flat[t * D : (t + 1) * D] for t in range(len(heads[0]))]
