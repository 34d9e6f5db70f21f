"""The vectors that networks learn from: read once, narrowed, and kept."""

import hashlib
import json
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from spancrew.core import Dataset
from spancrew.effect._base import Texts
from spancrew.effect._networks._encoder import SHAPE, Encoder, Vectors
from spancrew.effect._networks._training import Pages
from spancrew.formats import appearing

WIDTH = 192
"""Numbers of a word that are kept of what an encoder says; more cost time and add nothing."""


def pages_of(texts: Texts, encoder: str, folder: Path | None) -> tuple[Pages, Pages]:
    """Read texts to train and to test on; with a folder, the encoder is asked only once."""
    train, test = _kept(texts, encoder, folder)
    starts = [each.sentences.starts.offsets for each in texts]
    return Pages(train, starts[0]), Pages(test, starts[1])


def _kept(texts: Texts, encoder: str, folder: Path | None) -> tuple[Vectors, Vectors]:
    if folder is None:
        return _read(texts, encoder)
    words = [_words(each) for each in texts]
    known = json.dumps([encoder, WIDTH, words]).encode("utf-8", "surrogatepass")
    path = folder / f"vectors-{hashlib.sha256(known).hexdigest()[:24]}.npz"
    try:
        with np.load(path) as found:
            return found["train"], found["test"]
    except (OSError, ValueError, KeyError, BadZipFile):
        train, test = _read(texts, encoder)
        with appearing(path) as draft, draft.open("wb") as file:
            np.savez(file, train=train, test=test)
        return train, test


def _words(dataset: Dataset) -> list[list[str]]:
    return [list(sentence.tokens) for sentence in dataset.sentences]


def _read(texts: Texts, encoder: str) -> tuple[Vectors, Vectors]:
    reader = Encoder(encoder)
    return narrowed(reader.vectors(texts.train), reader.vectors(texts.test))


def narrowed(train: Vectors, test: Vectors) -> tuple[Vectors, Vectors]:
    """Keep the directions in which words of the training texts differ most, and the writing.

    No label is looked at, and nothing of the test decides on the directions.
    """
    width = train.shape[1] - SHAPE
    if width <= WIDTH:
        return train, test
    said = train[:, :width].astype(np.float32)
    mean = said.mean(axis=0)
    spread, directions = np.linalg.eigh(np.cov(said - mean, rowvar=False))
    scale = 1 / np.sqrt(max(float(spread[-WIDTH:].mean()), 1e-12))
    turn = directions[:, : -WIDTH - 1 : -1].astype(np.float32) * np.float32(scale)
    return _turned(train, mean, turn), _turned(test, mean, turn)


def _turned(vectors: Vectors, mean: np.ndarray, turn: np.ndarray) -> Vectors:
    width = len(turn)
    said = (vectors[:, :width].astype(np.float32) - mean) @ turn
    return np.hstack([said, vectors[:, width:]]).astype(np.float16)
