# component: MultiHeadAttention
# sentence: Your softmax takes exp(max - score), so low scores win and masked ones blow up; weights should grow with the scores.
# hint: Which of two keys should get more weight, the one with the higher score or the other?
# read: Where the text is silent


class Head(Head):
    def normalised(self, scores: Rows) -> Rows:
        out = []
        for row in scores:
            largest = max(s.data for s in row)
            powers = [(-s + largest).exp() for s in row]
            out.append([p / sum(powers) for p in powers])
        return out
