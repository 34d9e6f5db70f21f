"""Figures of a running campaign: how much its answers agree, and what a threshold would do."""

import json
import math
from array import array
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from spancrew.campaign import Entry, Material, pack, unpack
from spancrew.core import Answers, FloatArray, Ragged, Span, encode, offsets_of
from spancrew.errors import JournalError
from spancrew.feedback import FeedbackRule, Prices, Threshold, feedback_name
from spancrew.metrics import agreement, overall_agreement
from spancrew.server.live.judgements import SettledFigures
from spancrew.server.live.picture import PictureFold, figure_of
from spancrew.server.refusals import invalid
from spancrew.stores import SentenceRow
from spancrew.wire import Bin, PreviewView, ThresholdView

EDGES = (-1.0, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Where the bins of the histogram begin; the last one is full agreement."""


_FORMAT = 2
"""Goes up when what is kept changes; what was kept before is then made again."""


class AgreementFigures(NamedTuple):
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


class AgreementFold:
    """The answers of people that count in a campaign, in the order of the journal."""

    def __init__(
        self, material: Material, more: Callable[[int], Iterable[SentenceRow]] | None = None
    ) -> None:
        """Begin with no answers; ``more`` returns the sentences from a number on."""
        # Not the material itself, which is large.
        self._labels, self._lengths = material.labels, material.lengths
        self._more = more
        self.version = 0
        self._sentence, self._worker = array("i"), array("i")
        self._codes = bytearray()
        self._models: set[int] = set()
        self._figures: AgreementFigures | None = None

    def take(self, version: int, entry: Entry) -> None:
        """Take an entry of the journal into account."""
        self.version = version
        if entry.kind == "Joined" and (joined := json.loads(entry.body)).get("model") is not None:
            self._models.add(joined["worker"])
        if entry.kind == "SentencesAdded" and self._more is not None:
            more = [len(row.bounds) for row in self._more(len(self._lengths))]
            self._lengths = np.concatenate([self._lengths, np.array(more, np.int64)])
        if entry.kind not in {"Answered", "Reanswered"}:
            return
        body = json.loads(entry.body)
        if body["worker"] in self._models:
            return
        length = int(self._lengths[body["sentence"]])
        codes = encode([Span(*span) for span in body["spans"]], length, self._labels).tobytes()
        if entry.kind == "Reanswered":
            self._replace(body["sentence"], body["worker"], codes)
        elif not body["surplus"]:
            self._codes += codes
            self._sentence.append(body["sentence"])
            self._worker.append(body["worker"])

    def _replace(self, sentence: int, worker: int, codes: bytes) -> None:
        """Put an answer in the place of the one that a worker gave before."""
        of = np.array(self._sentence)
        (place,) = np.flatnonzero((of == sentence) & (np.array(self._worker) == worker))
        start = int(self._lengths[of[:place]].sum()) * np.dtype(self._labels.dtype).itemsize
        self._codes[start : start + len(codes)] = codes

    def to_bytes(self) -> bytes:
        """Return what was made so far, to be kept."""
        numbers = {"sentence": np.array(self._sentence), "worker": np.array(self._worker)}
        return pack(
            {"format": _FORMAT, "models": sorted(self._models)},
            {**numbers, "codes": np.frombuffer(self._codes, np.uint8)},
        )

    def resume(self, data: bytes) -> None:
        """Go on from what was kept; refuse other bytes with a JournalError."""
        plain, arrays = unpack(data)
        if plain["format"] != _FORMAT:
            raise JournalError(f"agreement of format {plain['format']}, not {_FORMAT}")
        self._models = set(plain["models"])
        self._sentence.frombytes(arrays["sentence"].tobytes())
        self._worker.frombytes(arrays["worker"].tobytes())
        self._codes += arrays["codes"].tobytes()

    def figures(self) -> AgreementFigures:
        """Return the agreement of what was taken so far; it is computed if there is news."""
        if self._figures is None or self._figures.version != self.version:
            self._figures = self._computed()
        return self._figures

    def _computed(self) -> AgreementFigures:
        sentence = np.array(self._sentence, np.int32)
        order = np.argsort(sentence, kind="stable")
        codes = np.frombuffer(bytes(self._codes), self._labels.dtype)
        rows = Ragged(codes, offsets_of(self._lengths[sentence])).take(order)
        worker = np.array(self._worker, np.int32)[order]
        answers = Answers(sentence[order], worker, rows, len(self._lengths))
        known = agreement(answers) if len(order) else np.zeros(0)
        return AgreementFigures(
            overall_agreement(answers) if len(order) else None,
            known[~np.isnan(known)],
            len(order),
            self.version,
        )


_BINS = 25
_WIDEST = 1e6


class Rule(NamedTuple):
    """The rule in force, where it draws the line, and what experts cost."""

    rule: FeedbackRule
    threshold: Threshold | None
    prices: Prices


def threshold_view(picture: PictureFold, now: Rule, at: float | None) -> ThresholdView:
    """Return figure and threshold of the rule in force, and what another threshold would do."""
    name = feedback_name(now.rule)
    threshold = now.threshold
    if threshold is None:
        if at is not None:
            raise invalid(f"the rule {name!r} has no threshold", "leave 'at' out")
        return ThresholdView(by="nothing", feedback=name, version=picture.version)
    figures = picture.judged.settled(figure_of(name))
    low, high = _range(threshold, figures.values)
    return ThresholdView(
        by=threshold.by,
        asks=threshold.asks,
        feedback=name,
        value=threshold.value if math.isfinite(threshold.value) else None,
        moves=threshold.moves,
        lowest=low,
        highest=high,
        judged=len(figures.values),
        experts=_experts(figures, now),
        without=int(np.isnan(figures.values).sum()),
        histogram=_histogram(figures.values, low, high),
        preview=None if at is None else _preview(figures, now, at),
        version=picture.version,
    )


def _experts(figures: SettledFigures, now: Rule) -> int:
    """Return for how many an expert is asked; a threshold that moves was not always here."""
    if now.threshold is not None and now.threshold.moves:
        return figures.asked
    return int(now.rule.asks_at(figures.values, figures.contested, now.prices).sum())


def _preview(figures: SettledFigures, now: Rule, at: float) -> PreviewView:
    if now.threshold is not None and now.threshold.by == "errors" and at <= 0:
        raise invalid(f"at {at:g}: expected errors are more than 0", "give a larger number")
    other = now.rule.with_threshold(at, now.prices)
    then = int(other.asks_at(figures.values, figures.contested, now.prices).sum())
    more = then - _experts(figures, now)
    return PreviewView(
        at=at,
        experts=then,
        more=more,
        money=round(more * now.prices.expert, 9),
        feedback=feedback_name(other),
    )


def _range(threshold: Threshold, values: FloatArray) -> tuple[float, float]:
    """Return between which figures a threshold is worth moving."""
    known = values[~np.isnan(values)]
    if threshold.by == "agreement":
        lowest = min(known.min(initial=0.0), threshold.value)
        return max(math.floor(lowest * 4) / 4, -1.0), 1.0
    now = threshold.value if threshold.value < _WIDEST else 0.0
    most = float(np.quantile(known, 0.98)) if len(known) else 0.0
    return 0.0, max(1.0, math.ceil(max(most, 1.5 * now) * 2) / 2)


def _histogram(values: FloatArray, low: float, high: float) -> tuple[Bin, ...]:
    """Return bins of equal width; what lies beyond counts in the last one."""
    known = np.clip(values[~np.isnan(values)], low, high)
    counts, edges = np.histogram(known, _BINS, (low, high))
    pairs = zip(edges.tolist(), edges.tolist()[1:], counts.tolist(), strict=False)
    return tuple(Bin(low=round(a, 9), high=round(b, 9), sentences=n) for a, b, n in pairs)
