"""The upper layers of an encoder, which learn with the tagger."""

import copy
from typing import Any, Self

import torch
from torch import Tensor, nn

from spancrew.core import FloatArray
from spancrew.effect._networks._pages import NO_WORD, Batch, PieceBatch, WordBatch
from spancrew.errors import SpancrewError


class WordsAsTheyAre(nn.Module):
    """Stands below a tagger whose encoder is frozen."""

    def forward(self, given: Batch) -> Tensor:
        """Return the vectors of words."""
        assert isinstance(given, WordBatch)  # noqa: S101  frozen encoders come with Pages
        return given.vectors


class TopLayers(nn.Module):
    """Reads pieces on with the upper layers, and joins them to words.

    Before it has learned anything, a word has the vector that it would have from the frozen
    encoder.
    """

    def __init__(self, model: Any, layers: int, mean: FloatArray, turn: FloatArray) -> None:
        super().__init__()
        self.model = upper_part(model, layers)
        self.register_buffer("mean", torch.from_numpy(mean).float())
        self.register_buffer("turn", torch.from_numpy(turn).float())

    def train(self, mode: bool = True) -> Self:
        """Leave no number out while the layers learn: that made a tagger half a point worse."""
        super().train(mode)
        self.model.eval()
        return self

    def forward(self, given: Batch) -> Tensor:
        """Return the vectors of words: the last two layers, narrowed, and how they are written."""
        assert isinstance(given, PieceBatch)  # noqa: S101  upper layers come with PiecePages
        states = self.model(
            inputs_embeds=given.hidden,
            attention_mask=given.is_piece.long(),
            output_hidden_states=True,
        ).hidden_states
        said = joined_to_words(torch.cat(states[-2:], dim=2), given.word, given.mask.shape[1])
        narrow = (said - self.mean) @ self.turn
        return torch.cat([narrow * given.mask[:, :, None], given.writing], dim=2)


def joined_to_words(pieces: Tensor, word: Tensor, words: int) -> Tensor:
    """Return the mean over the pieces of every word; zeros for one without pieces."""
    place = torch.where(word == NO_WORD, words, word)
    into = place[:, :, None].expand_as(pieces)
    sums = pieces.new_zeros(len(pieces), words + 1, pieces.shape[2]).scatter_add(1, into, pieces)
    count = pieces.new_zeros(len(pieces), words + 1).scatter_add(
        1, place, torch.ones_like(place, dtype=pieces.dtype)
    )
    return (sums / count.clamp(min=1)[:, :, None])[:, :words]


def last_layers(model: Any, count: int) -> nn.ModuleList:
    """Return the last layers of a model; refuse more than there are."""
    there = getattr(getattr(model, "encoder", None), "layer", None)
    if not isinstance(there, nn.ModuleList):
        raise SpancrewError(
            "tuned layers: the layers of this encoder cannot be told apart; leave it frozen"
        )
    if not 1 <= count <= len(there):
        raise SpancrewError(f"tuned layers {count}: this encoder has {len(there)} layers")
    return there[-count:]


def upper_part(model: Any, layers: int) -> nn.Module:
    """Return a copy of a model that begins with its last layers.

    What lower layers say is given to it in place of words.
    """
    upper = last_layers(model, layers)
    whole, embeddings = model.encoder.layer, model.embeddings
    model.encoder.layer, model.embeddings = upper, _AsGiven()
    try:
        return copy.deepcopy(model)
    finally:
        model.encoder.layer, model.embeddings = whole, embeddings


class _AsGiven(nn.Module):
    """Stands for the embeddings of words where something else is given."""

    def forward(self, *_: Any, inputs_embeds: Tensor, **__: Any) -> Tensor:
        return inputs_embeds
