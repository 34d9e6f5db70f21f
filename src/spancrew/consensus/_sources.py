"""Who says what of candidate spans: votes, and sequence models as far as they can be trusted."""

from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from spancrew.consensus._base import Evidence
from spancrew.consensus._bsc import Bsc, BscModel, BscReading
from spancrew.consensus._candidates import Candidates, candidates_of, vote_shares
from spancrew.consensus._material import SpanMaterial
from spancrew.consensus._proposals import with_spans_of
from spancrew.consensus._span_ds import SpanDs, SpanModel
from spancrew.core import Answers, BoolArray, FloatArray, IntArray, Ragged, kernel

_FEWEST, _INVENTED = 3.2, 0.12
"""Where trust in a model that tells workers apart is half gone: so few workers, counted as if each
gave as many answers, or so large a share of its spans that nobody has marked."""

_STEEPNESS = 8, 6
"""How quickly trust falls there, with the workers and with the spans."""

_ALL = 0.97
"""Trust that is as good as full."""

SAMPLE = 2_000
"""Sentences, the latest ones, on which a model is looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """Models of the answers.

    ``told`` tells workers apart; ``trust`` is from 0 to 1, how far that can be believed. Below 1,
    ``alike`` holds all for one and the same worker, and ``even`` chooses between spans that
    overlap; else both are missing.
    """

    told: BscModel
    trust: float = 1.0
    alike: BscModel | None = None
    even: SpanModel | None = None

    @classmethod
    def fit(
        cls, evidence: Evidence, before: "Sources | None", *, words: bool
    ) -> tuple["Sources", "LatestSentences"]:
        """Learn from evidence; go on from ``before``. Return also what is made of the latest."""
        told = Bsc(words=words).fit(evidence, None if before is None else before.told)
        latest = LatestSentences.of(evidence, told)
        trust = _trust(latest, evidence)
        if trust > _ALL:
            return cls(told), latest
        one = replace(evidence, answers=_as_one(evidence.answers), workers=1)
        alike = Bsc(words=words, iterations=3, quiet=100.0).fit(one)
        return cls(told, trust, alike, SpanDs(pooling=50.0).fit(evidence)), latest

    def material(
        self,
        answers: Answers,
        lengths: IntArray,
        words: Ragged | None,
        told: BscReading | None = None,
    ) -> SpanMaterial:
        """Return what all sources say of answers; ``told`` may be known already.

        Candidates are the spans of answers, and those of the sequence model that is trusted more.
        The errors that both models expect are mixed by trust.
        """
        told = self.told.read(answers, lengths, words) if told is None else told
        marked = candidates_of(answers)
        if self.alike is None or self.even is None:
            candidates = with_spans_of(marked, told.beliefs.labels)
            nothing = np.zeros(len(candidates.start))
            columns = _columns(candidates, answers, told, nothing, nothing)
            return SpanMaterial(candidates, columns, told.beliefs.errors, lengths)
        alike = self.alike.read(_as_one(answers), lengths, words)
        trusted = told if self.trust > 1 / 2 else alike
        candidates = with_spans_of(marked, trusted.beliefs.labels)
        lead = _leads(candidates, odds_of(self.even.chances(answers, candidates)))
        by_alike = odds_of(alike.chances(candidates)) / 5
        columns = _columns(candidates, answers, told, lead, by_alike)
        errors = self.trust * told.beliefs.errors + (1 - self.trust) * alike.beliefs.errors
        return SpanMaterial(candidates, columns, errors, lengths)


class LatestSentences(NamedTuple):
    """The latest sentences that no expert has labelled, and what a model makes of them."""

    part: Evidence
    told: BscReading

    @classmethod
    def of(cls, evidence: Evidence, told: BscModel) -> Self:
        """Read them once: it takes about as long as a round of a fit."""
        part = evidence.take(np.flatnonzero(~evidence.is_known)[-SAMPLE:])
        return cls(part, told.read(part.answers, part.lengths, part.words))


def _columns(
    candidates: Candidates, answers: Answers, told: BscReading, lead: FloatArray, alike: FloatArray
) -> FloatArray:
    """Return what each source but a tagger says of candidates: see :class:`Weights`."""
    columns = np.zeros((len(lead), 7))
    columns[:, 0] = 1.0
    columns[:, 1] = odds_of(told.chances(candidates)) / 5
    columns[:, 2] = share = vote_shares(candidates, answers)
    columns[:, 3] = share == 0
    columns[:, 4] = lead
    columns[:, 5] = alike
    return columns


def odds_of(chance: FloatArray, least: float = 1e-6) -> FloatArray:
    """Return the log-odds of probabilities, which are held to be no nearer to 0 and 1."""
    inside = np.clip(chance, least, 1 - least)
    odds: FloatArray = np.log(inside / (1 - inside))
    return odds


def _as_one(answers: Answers) -> Answers:
    nobody = np.zeros(len(answers), answers.worker.dtype)
    return Answers(answers.sentence, nobody, answers.codes, answers.sentences)


def _trust(latest: LatestSentences, evidence: Evidence) -> float:
    """Return how far a model that tells workers apart can be believed, without any expert.

    Little if few workers answered, and if it sees much that nobody has marked: then it is led by
    words or has collapsed.
    """
    given = np.bincount(evidence.answers.worker).astype(np.float64)
    if len(given) == 0:
        return 1.0
    seen = latest.told.beliefs.labels
    candidates = with_spans_of(candidates_of(latest.part.answers), seen)
    chance = latest.told.chances(candidates)
    is_unmarked: BoolArray = candidates.votes == 0
    invented = float(chance[is_unmarked].sum() / max(chance.sum(), 1e-9))
    workers = float(given.sum() ** 2 / (given @ given))
    by_workers, by_spans = _STEEPNESS
    few, many = (_FEWEST / workers) ** by_workers, (invented / _INVENTED) ** by_spans
    return 1 / ((1 + few) * (1 + many))


@kernel
def _leads(candidates: Candidates, odds: FloatArray) -> FloatArray:
    best = np.full(len(odds), -np.inf)
    for s in range(len(candidates.first) - 1):
        for c in range(candidates.first[s], candidates.first[s + 1]):
            rival = c - 1
            # Candidates are ordered by their ends: those before it that end too early end it.
            while rival >= candidates.first[s] and candidates.end[rival] > candidates.start[c]:
                if candidates.votes[rival] > 0 and candidates.votes[c] > 0:
                    best[c] = max(best[c], odds[rival])
                    best[rival] = max(best[rival], odds[c])
                rival -= 1
    lead = np.zeros(len(odds))
    for c in range(len(odds)):
        if best[c] > -np.inf:
            lead[c] = odds[c] - best[c]
    return lead
