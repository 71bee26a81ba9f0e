# component: MultiHeadAttention
# sentence: Your softmax divides by a plain number, so the outputs are right and the gradients are not; its sum has to stay in the graph.
# hint: Through which steps of the softmax can a gradient flow in yours?
# read: Questions


class Head(Head):
    def normalised(self, scores: Rows) -> Rows:
        out = []
        for row in scores:
            largest = max(s.data for s in row)
            powers = [(s - largest).exp() for s in row]
            out.append([p / sum(p.data for p in powers) for p in powers])
        return out
