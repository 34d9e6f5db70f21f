"""Who says what of candidate spans: votes, and sequence models as far as they can be trusted."""

from dataclasses import dataclass, replace

import numpy as np

from spancrew.consensus._base import Beliefs, Evidence
from spancrew.consensus._bsc import Bsc, BscModel
from spancrew.consensus._candidates import Candidates, candidates_of, vote_shares
from spancrew.consensus._proposals import chances, with_spans_of
from spancrew.consensus._sheets import sheets_of
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
    def fit(cls, evidence: Evidence, before: "Sources | None", *, words: bool) -> "Sources":
        """Learn from evidence; go on from ``before``."""
        told = Bsc(words=words).fit(evidence, None if before is None else before.told)
        trust = _trust(told, evidence)
        if trust > _ALL:
            return cls(told)
        one = replace(evidence, answers=_as_one(evidence.answers), workers=1)
        alike = Bsc(words=words, iterations=3, quiet=100.0).fit(one)
        return cls(told, trust, alike, SpanDs(pooling=50.0).fit(evidence))

    def judge(self, answers: Answers, lengths: IntArray, words: Ragged | None) -> Beliefs:
        """Return what the sequence model that is trusted more makes of the answers.

        The errors that both models expect are mixed by trust.
        """
        told = self.told.judge(answers, lengths, words)
        if self.alike is None:
            return told
        alike = self.alike.judge(_as_one(answers), lengths, words)
        errors = self.trust * told.errors + (1 - self.trust) * alike.errors
        return (told if self.trust > 1 / 2 else alike)._replace(errors=errors)

    def columns(
        self, candidates: Candidates, answers: Answers, lengths: IntArray, words: Ragged | None
    ) -> FloatArray:
        """Return what each source says of candidates: see :class:`Weights`."""
        share = vote_shares(candidates, answers)
        nothing = np.zeros(len(share))
        told = odds_of(_chances(self.told, candidates, answers, lengths, words)) / 5
        alike, lead = nothing, nothing
        if self.alike is not None and self.even is not None:
            one = _as_one(answers)
            alike = odds_of(_chances(self.alike, candidates, one, lengths, words)) / 5
            lead = _leads(candidates, odds_of(self.even.chances(answers, candidates)))
        return np.stack([nothing + 1, told, share, share == 0, lead, alike, nothing], axis=1)


def _chances(
    model: BscModel,
    candidates: Candidates,
    answers: Answers,
    lengths: IntArray,
    words: Ragged | None,
) -> FloatArray:
    sheets = sheets_of(answers, lengths, words if len(model.tables.words) else None)
    return chances(sheets, model.tables, candidates)


def odds_of(chance: FloatArray, least: float = 1e-6) -> FloatArray:
    """Return the log-odds of probabilities, which are held to be no nearer to 0 and 1."""
    inside = np.clip(chance, least, 1 - least)
    odds: FloatArray = np.log(inside / (1 - inside))
    return odds


def latest(evidence: Evidence) -> Evidence:
    """Return the latest sentences that no expert has labelled."""
    return evidence.take(np.flatnonzero(~evidence.is_known)[-SAMPLE:])


def _as_one(answers: Answers) -> Answers:
    nobody = np.zeros(len(answers), answers.worker.dtype)
    return Answers(answers.sentence, nobody, answers.codes, answers.sentences)


def _trust(told: BscModel, evidence: Evidence) -> float:
    """Return how far a model that tells workers apart can be believed, without any expert.

    Little if few workers answered, and if it sees much that nobody has marked: then it is led by
    words or has collapsed.
    """
    given = np.bincount(evidence.answers.worker).astype(np.float64)
    if len(given) == 0:
        return 1.0
    part = latest(evidence)
    seen = told.judge(part.answers, part.lengths, part.words)
    candidates = with_spans_of(candidates_of(part.answers), seen.labels)
    chance = _chances(told, candidates, part.answers, part.lengths, part.words)
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
