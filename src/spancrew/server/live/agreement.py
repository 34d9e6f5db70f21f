"""How much the answers of a campaign agree, kept up to date from its journal."""

import json
from array import array
from typing import NamedTuple

import numpy as np

from spancrew.campaign import Entry, Material
from spancrew.core import Answers, FloatArray, Ragged, Span, encode, offsets_of
from spancrew.metrics import agreement, overall_agreement

EDGES = (-1.0, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Where the bins of the histogram begin; the last one is full agreement."""


class Agreement(NamedTuple):
    """Fleiss' kappa over all sentences, and of every sentence with two answers or more."""

    overall: float | None
    by_sentence: FloatArray
    answers: int
    version: int

    @property
    def mean(self) -> float | None:
        """Return the mean over sentences; None where none has two answers."""
        return float(self.by_sentence.mean()) if len(self.by_sentence) else None

    @property
    def histogram(self) -> list[tuple[float, float, int]]:
        """Return low, high and the number of sentences of every bin."""
        # A sum of rounded numbers may end a hair below 1.
        place = np.searchsorted(EDGES, self.by_sentence + 1e-9, side="right") - 1
        counts = np.bincount(np.maximum(place, 0), minlength=len(EDGES))
        highs = (*EDGES[1:], 1.0)
        return list(zip(EDGES, highs, counts.tolist(), strict=True))


class Collected:
    """The answers of a campaign that count, in the order of the journal."""

    def __init__(self, material: Material) -> None:
        self._material = material
        self.version = 0
        self._sentence, self._worker = array("i"), array("i")
        self._codes = bytearray()
        self._figures: Agreement | None = None

    def take(self, version: int, entry: Entry) -> None:
        """Take an entry of the journal into account."""
        self.version = version
        if entry.kind != "Answered":
            return
        body = json.loads(entry.body)
        if body["surplus"]:
            return
        length = int(self._material.lengths[body["sentence"]])
        spans = [Span(*span) for span in body["spans"]]
        self._codes += encode(spans, length, self._material.labels).tobytes()
        self._sentence.append(body["sentence"])
        self._worker.append(body["worker"])

    def figures(self) -> Agreement:
        """Return the agreement of what was taken so far; it is computed if there is news."""
        if self._figures is None or self._figures.version != self.version:
            self._figures = self._computed()
        return self._figures

    def _computed(self) -> Agreement:
        sentence = np.array(self._sentence, np.int32)
        order = np.argsort(sentence, kind="stable")
        codes = np.frombuffer(bytes(self._codes), self._material.labels.dtype)
        rows = Ragged(codes, offsets_of(self._material.lengths[sentence])).take(order)
        worker = np.array(self._worker, np.int32)[order]
        answers = Answers(sentence[order], worker, rows, len(self._material))
        known = agreement(answers) if len(order) else np.zeros(0)
        return Agreement(
            overall_agreement(answers) if len(order) else None,
            known[~np.isnan(known)],
            len(order),
            self.version,
        )
