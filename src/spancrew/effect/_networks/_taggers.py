"""Three taggers on the vectors of words: one for all, and two that tell workers apart."""

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from spancrew.effect._base import NOBODY
from spancrew.effect._networks._chain import ChainLayer
from spancrew.effect._networks._pages import Batch
from spancrew.effect._networks._top import WordsAsTheyAre

HIDDEN = 128
"""Units of the LSTM in each direction."""

_DROPOUT = 0.3
_BOTTLENECK, _TRAITS = 32, 8
"""The width of an adapter, and the numbers that describe a worker."""


class BiLstmCrf(nn.Module):
    """An LSTM in both directions, a hidden layer and a chain; it knows nothing of workers.

    What is below, its ``front``, makes vectors of what is read.
    """

    def __init__(self, width: int, codes: int, hidden: int = HIDDEN) -> None:
        super().__init__()
        self.front: nn.Module = WordsAsTheyAre()
        self.dropout = nn.Dropout(_DROPOUT)
        self.lstm = nn.LSTM(width, hidden, batch_first=True, bidirectional=True)
        self.mixed = nn.Linear(2 * hidden, hidden)
        self.scored = nn.Linear(hidden, codes)
        self.chain = ChainLayer(codes)

    def scores(self, vectors: Tensor, mask: Tensor, worker: Tensor) -> Tensor:
        """Return the scores of codes; ``worker`` has NOBODY where it is not one worker's."""
        del worker
        return self.scored(torch.tanh(self.mixed(self.read(vectors, mask))))

    def read(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """Return what the LSTM makes of sentences."""
        lengths = mask.sum(dim=1)
        packed = pack_padded_sequence(
            self.dropout(vectors), lengths, batch_first=True, enforce_sorted=False
        )
        read, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.dropout(read)

    def loss(self, given: Batch, worker: Tensor, codes: Tensor) -> Tensor:
        """Return minus the log-probability of the labels of every sentence."""
        scores = self.scores(self.front(given), given.mask, worker)
        return self.chain.loss(scores, codes, given.mask)

    def tag(self, given: Batch) -> Tensor:
        """Return the likeliest codes for a reader who is no worker."""
        nobody = torch.full((len(given.mask),), NOBODY)
        return self.chain.best(self.scores(self.front(given), given.mask, nobody), given.mask)


class CrowdCat(BiLstmCrf):
    """LSTM-Crowd-cat: a vector for each worker beside what the LSTM has read.

    A layer on both side by side is the sum of a layer on each. Vectors begin with zeros, and
    nobody's is zeros for ever.
    """

    def __init__(self, width: int, codes: int, workers: int, hidden: int = HIDDEN) -> None:
        super().__init__(width, codes, hidden)
        self.known = nn.Parameter(torch.zeros(workers, 2 * hidden))
        self.mixed_worker = nn.Linear(2 * hidden, hidden, bias=False)

    def scores(self, vectors: Tensor, mask: Tensor, worker: Tensor) -> Tensor:
        """Return the scores of codes as this worker would give them."""
        is_known = (worker != NOBODY)[:, None]
        own = self.known[worker.clamp(min=0)] * is_known if len(self.known) else None
        mixed = self.mixed(self.read(vectors, mask))
        if own is not None:
            mixed = mixed + self.mixed_worker(own)[:, None]
        return self.scored(torch.tanh(mixed))


class Adapter(BiLstmCrf):
    """Annotator-Adapter in small: one adapter under the LSTM, made from a worker's traits.

    The way back up begins with zeros, so that at first no adapter changes anything. Nobody has the
    mean of all traits.
    """

    def __init__(self, width: int, codes: int, workers: int, hidden: int = HIDDEN) -> None:
        super().__init__(width, codes, hidden)
        self.traits = nn.Parameter(torch.randn(max(workers, 1), _TRAITS))
        self.down = nn.Parameter(torch.randn(_TRAITS, width, _BOTTLENECK) / width**0.5)
        self.up = nn.Parameter(torch.zeros(_TRAITS, _BOTTLENECK, width))

    def scores(self, vectors: Tensor, mask: Tensor, worker: Tensor) -> Tensor:
        """Return the scores of codes as this worker would give them."""
        is_known = (worker != NOBODY)[:, None]
        own = torch.where(is_known, self.traits[worker.clamp(min=0)], self.traits.mean(dim=0))
        share = torch.softmax(own, dim=1)
        down = torch.einsum("bk,kwn->bwn", share, self.down)
        up = torch.einsum("bk,knw->bnw", share, self.up)
        adapted = vectors + torch.relu(vectors @ down) @ up
        return super().scores(adapted, mask, worker)


def tagger_of(name: str, width: int, codes: int, workers: int) -> BiLstmCrf:
    """Return a fresh tagger by its name."""
    if name == "crowd-cat":
        return CrowdCat(width, codes, workers)
    if name == "adapter":
        return Adapter(width, codes, workers)
    return BiLstmCrf(width, codes)
