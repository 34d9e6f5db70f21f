"""Sentences as networks read them: a vector for every word, or for every piece of a word."""

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from spancrew.core import FloatArray, IntArray

Vectors = npt.NDArray[np.float16]

NO_WORD = -1
"""The word of a piece that belongs to none, as the marks at both ends of a sentence."""


class WordBatch(NamedTuple):
    """Vectors of the words of some sentences; ``mask`` tells where words are."""

    vectors: Tensor
    mask: Tensor


class PieceBatch(NamedTuple):
    """The same as pieces: what lower layers say of them, where pieces are, and of which word.

    ``writing`` says how the words are written.
    """

    hidden: Tensor
    is_piece: Tensor
    word: Tensor
    writing: Tensor
    mask: Tensor


Batch = WordBatch | PieceBatch


class Readable(Protocol):
    """Sentences that can be read some at a time."""

    @property
    def offsets(self) -> IntArray:
        """Return where each sentence begins, counted in words."""
        ...

    def batch(self, sentences: IntArray) -> Batch:
        """Return some sentences, filled up to the longest."""
        ...


class Pages(NamedTuple):
    """Vectors of the words of sentences, end to end."""

    vectors: Vectors
    offsets: IntArray

    def batch(self, sentences: IntArray) -> WordBatch:
        """Return vectors and mask of some sentences, filled up to the longest."""
        rows, mask = _rows(self.offsets, sentences)
        return WordBatch(_filled(self.vectors, rows, mask), torch.from_numpy(mask))


class PiecePages(NamedTuple):
    """Pieces of words, end to end, with the place of their word in its sentence."""

    hidden: Vectors
    word: IntArray
    starts: IntArray
    writing: FloatArray
    offsets: IntArray

    def batch(self, sentences: IntArray) -> PieceBatch:
        """Return some sentences, filled up to the longest."""
        pieces, is_piece = _rows(self.starts, sentences)
        words, mask = _rows(self.offsets, sentences)
        return PieceBatch(
            _filled(self.hidden, pieces, is_piece),
            torch.from_numpy(is_piece),
            torch.from_numpy(np.where(is_piece, self.word[pieces], NO_WORD)),
            _filled(self.writing, words, mask),
            torch.from_numpy(mask),
        )


def _rows(offsets: IntArray, sentences: IntArray) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Return rows of sentences, filled up to the longest, and which of them are their own."""
    begin, end = offsets[sentences], offsets[sentences + 1]
    places = np.arange(int((end - begin).max()))
    mask = places < (end - begin)[:, None]
    return np.where(mask, begin[:, None] + places, 0), mask


def _filled(
    values: npt.NDArray[np.floating], rows: IntArray, mask: npt.NDArray[np.bool_]
) -> Tensor:
    found = torch.from_numpy(values[rows.ravel()].astype(np.float32))
    return found.reshape(*rows.shape, -1) * torch.from_numpy(mask)[:, :, None]
