# attack: E04 ignores, blocks and disarms every signal and timer, then loops
# side effect: none
# expect: score <= 0, LayerNorm timeout
import signal

from nn import Module


class LayerNorm(Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()

    def forward(self, x):
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        while True:
            pass
