"""What networks learn from: read once, narrowed, and kept."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt
from torch import nn

from spancrew.core import FloatArray
from spancrew.effect._base import Texts
from spancrew.effect._networks._encoder import SHAPE, Encoder, words_of
from spancrew.effect._networks._pages import Pages, PiecePages, Readable, Vectors
from spancrew.effect._networks._top import WordsAsTheyAre
from spancrew.formats import appearing

WIDTH = 192
"""Numbers of a word that are kept of what an encoder says; more cost time and add nothing."""

Arrays = dict[str, npt.NDArray[Any]]


class ReadTexts(NamedTuple):
    """Texts as a network reads them; ``front`` makes vectors of words from them.

    A vector has ``width`` numbers.
    """

    train: Readable
    test: Readable
    front: Callable[[], nn.Module]
    width: int


def frozen_reading(texts: Texts, encoder: str, folder: Path | None) -> ReadTexts:
    """Read texts to train and to test on; with a folder, the encoder is asked only once."""

    def vectors() -> Arrays:
        reader = Encoder(encoder)
        train, test = narrowed(reader.vectors(texts.train), reader.vectors(texts.test))
        return {"train": train, "test": test}

    found = _kept(vectors, [encoder, WIDTH], texts, folder)
    train, test = (
        Pages(found[name], each.sentences.starts.offsets) for name, each in texts._asdict().items()
    )
    return ReadTexts(train, test, WordsAsTheyAre, train.vectors.shape[1])


def tuned_reading(texts: Texts, encoder: str, layers: int, folder: Path | None) -> ReadTexts:
    """Read texts with all layers but the last ones, which learn with the tagger."""
    reader = Encoder(encoder)

    def pieces() -> Arrays:
        made: Arrays = {}
        for name, each in texts._asdict().items():
            read = reader.pieces(each, layers)._asdict()
            made |= {f"{name}_{column}": array for column, array in read.items()}
        made["mean"], made["turn"] = directions_of(reader.vectors(texts.train))
        return made

    found = _kept(pieces, [encoder, WIDTH, "tuned", layers], texts, folder)
    train, test = (
        PiecePages(*(found[f"{name}_{column}"] for column in PiecePages._fields))
        for name in texts._fields
    )
    mean, turn = found["mean"], found["turn"]
    return ReadTexts(train, test, lambda: reader.top(layers, mean, turn), turn.shape[1] + SHAPE)


def _kept(
    read: Callable[[], Arrays], how: list[object], texts: Texts, folder: Path | None
) -> Arrays:
    """Return what was read before from the same texts, or read them."""
    if folder is None:
        return read()
    known = json.dumps([*how, [words_of(each) for each in texts]])
    digest = hashlib.sha256(known.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    path = folder / f"vectors-{digest}.npz"
    try:
        with np.load(path) as found:
            return dict(found)
    except (OSError, ValueError, KeyError, BadZipFile):
        made = read()
        with appearing(path) as draft, draft.open("wb") as file:
            np.savez(file, allow_pickle=False, **made)
        return made


def narrowed(train: Vectors, test: Vectors) -> tuple[Vectors, Vectors]:
    """Keep the directions in which words of the training texts differ most, and the writing.

    No label is looked at, and nothing of the test decides on the directions.
    """
    if train.shape[1] - SHAPE <= WIDTH:
        return train, test
    found = directions_of(train)
    return _turned(train, *found), _turned(test, *found)


def directions_of(train: Vectors) -> tuple[FloatArray, FloatArray]:
    """Return the mean of words, and the directions in which they differ most."""
    said = train[:, :-SHAPE].astype(np.float32)
    mean = said.mean(axis=0)
    spread, directions = np.linalg.eigh(np.cov(said - mean, rowvar=False))
    scale = 1 / np.sqrt(max(float(spread[-WIDTH:].mean()), 1e-12))
    return mean.astype(np.float64), directions[:, : -WIDTH - 1 : -1] * scale


def _turned(vectors: Vectors, mean: FloatArray, turn: FloatArray) -> Vectors:
    narrow = mean.astype(np.float32), turn.astype(np.float32)
    said = (vectors[:, :-SHAPE].astype(np.float32) - narrow[0]) @ narrow[1]
    return np.hstack([said, vectors[:, -SHAPE:]]).astype(np.float16)
