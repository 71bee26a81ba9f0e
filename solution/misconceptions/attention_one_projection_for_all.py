# component: MultiHeadAttention
# sentence: Your queries, keys and values all come from one layer; each of the three needs weights of its own.
# hint: What could a token ask for, if its query has to equal its key?
# read: What to write


class Head(Head):
    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self._modules = {"W_q": self.W_q}  # the only layer that there is

    def project(self, x: Rows) -> Tuple[Rows, Rows, Rows]:
        q = [self.W_q(row) for row in x]
        return q, q, q
