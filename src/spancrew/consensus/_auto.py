"""A vote on spans and a sequence model together, weighed by what experts have shown."""

from dataclasses import dataclass, replace

import numpy as np

from spancrew.consensus._base import Beliefs, Consensus, Evidence, Model
from spancrew.consensus._beliefs import together
from spancrew.consensus._bsc import BscReading
from spancrew.consensus._choice_auto import ChoiceAuto
from spancrew.consensus._lessons import Lessons, Weights, prior_at
from spancrew.consensus._material import SpanMaterial
from spancrew.consensus._proposals import are_in
from spancrew.consensus._regression import fit_logistic, logistic
from spancrew.consensus._scheduling import best_spans
from spancrew.consensus._sources import LatestSentences, Sources, odds_of
from spancrew.core import Answers, IntArray, Ragged
from spancrew.tagger import CrossFitted

_SURE = 0.25
"""How much a span of an expert counts in the F1 that spans are chosen by.

By all of it, spans would be too few where probabilities are too low: 0.7 points were lost on one
real crowd with 30 % experts. By nothing, they are too many where experts label most sentences.
"""

_AT_ONCE = 5_000
"""Sentences that are judged at once."""

_LEAST_CHANCE = 1e-4
"""How near to 0 and 1 a tagger's probability is believed."""

_LITTLE = np.array([1.0, 1.0])
"""How many spans the prior of a tagger's weights counts for."""


@dataclass(frozen=True, slots=True)
class Auto(Consensus):
    """A span vote and BSC-seq together, each weighed by how well it does on the data.

    Every span that a worker or BSC-seq proposes gets a probability from both: its share of the
    votes and its posterior. How much each counts is learned from the sentences that experts have
    labelled: each is judged before the expert's labels are used for anything. So are the stated
    probabilities, which makes them calibrated; audits count here and nowhere else, as often as
    their weights say. Without experts a prior between the two serves.
    The less BSC-seq can tell the workers apart (few of them answer, or it sees many spans that
    nobody has marked), the more all workers count alike, and votes count more.
    A span is taken where its probability is above half of the F1 to be expected, which is where
    F1 is largest. ``words`` lets BSC-seq look at words.
    """

    words: bool = True

    def for_choices(self) -> ChoiceAuto:
        """Return what serves choices: votes and models of the workers together."""
        return ChoiceAuto()

    def fit(
        self,
        evidence: Evidence,
        before: Model | None = None,
        tagger: CrossFitted | None = None,
    ) -> "AutoModel":
        """Learn from answers; from what experts said since ``before`` learn whom to believe.

        A ``tagger`` that is one of the workers also says how likely each span is.
        """
        unaudited = evidence.for_fit()
        last = before if isinstance(before, AutoModel) else _untaught(unaudited, words=self.words)
        told = replace(last, tagger=tagger)
        lessons = last.lessons.plus(_new_lessons(told, evidence))
        sources, latest = last.sources, None
        if last is before or unaudited.is_known.any():
            earlier = sources if last is before else None
            sources, latest = Sources.fit(unaudited, earlier, words=self.words)
        latest = LatestSentences.of(unaudited, sources.told) if latest is None else latest
        prior = _prior(replace(told, sources=sources), latest)
        weights = lessons.on_spans(prior) if lessons else prior
        model = AutoModel(sources, weights, lessons, last.threshold, tagger)
        threshold = _threshold(model, unaudited, latest)
        if lessons:
            weights = lessons.on_sentences(weights, threshold, prior)
        return replace(model, weights=weights, threshold=threshold)


@dataclass(frozen=True, slots=True, eq=False)
class AutoModel:
    """Fitted models of the answers, the weights of all sources, and the lessons behind them."""

    sources: Sources
    weights: Weights
    lessons: Lessons
    threshold: float
    tagger: CrossFitted | None = None

    def judge(self, answers: Answers, lengths: IntArray, words: Ragged | None = None) -> Beliefs:
        """Return the most probable spans of every sentence; all O where nobody answered."""
        dtype = answers.codes.values.dtype
        if len(lengths) > _AT_ONCE:
            return self._judge_parts(answers, lengths, words)
        found = self.material(answers, lengths, words)
        beliefs, sentences, errors = found.weighed(self.weights.spans, self.threshold, dtype)
        answered = answers.per_sentence > 0
        missed = self.weights.unseen * lengths
        return beliefs._replace(
            confidence=np.where(answered, logistic(sentences, self.weights.sentences), 0.0),
            errors=np.where(answered, errors @ self.weights.errors, 0.0),
            expected=np.where(answered, beliefs.expected + missed, 0.0),
        )

    def material(
        self,
        answers: Answers,
        lengths: IntArray,
        words: Ragged | None,
        told: BscReading | None = None,
    ) -> SpanMaterial:
        """Return what all sources say of the answers; ``told`` may be known already."""
        found = self.sources.material(answers, lengths, words, told)
        if self.tagger is not None and words is not None:
            chance = self.tagger.chances(words, *found.candidates[:-1])
            found.columns[:, -1] = odds_of(chance, _LEAST_CHANCE) / 5
        return found

    def _judge_parts(self, answers: Answers, lengths: IntArray, words: Ragged | None) -> Beliefs:
        """Return the same, judged part by part: posteriors of all tokens would fill the memory."""
        found = []
        for first in range(0, len(lengths), _AT_ONCE):
            last = min(first + _AT_ONCE, len(lengths))
            part = None if words is None else words.within(first, last)
            found.append(self.judge(answers.within(first, last), lengths[first:last], part))
        return together(found)


def _untaught(evidence: Evidence, *, words: bool) -> AutoModel:
    """Return a model that has seen answers only: it can be tested on what experts say."""
    sources, _ = Sources.fit(replace(evidence, known=None), None, words=words)
    return AutoModel(sources, prior_at(sources.trust), Lessons.none(), 0.4)


def _prior(model: AutoModel, latest: LatestSentences) -> Weights:
    """Return the weights before any lesson.

    Those of a tagger's probabilities are what they would be if it erred independently of people:
    as far as people's answers bear it out, it is believed.
    """
    prior, part = prior_at(model.sources.trust), latest.part
    if model.tagger is None or not len(part.answers):
        return prior
    columns = model.material(part.answers, part.lengths, part.words, latest.told).columns
    if not len(columns):
        return prior
    chance = logistic(columns, prior.spans)
    mean = float(np.clip(chance.mean(), 0.01, 0.99))
    base = np.array([np.log(mean / (1 - mean)), 0.0])
    told = fit_logistic(columns[:, [0, -1]], chance, base, _LITTLE, np.ones(len(chance)))
    spans = prior.spans.copy()
    spans[[0, -1]] += told - base
    return prior._replace(spans=spans)


def _new_lessons(model: AutoModel, evidence: Evidence) -> Lessons:
    """Look at the sentences that experts have labelled since, and compare."""
    is_audit = evidence.is_audit
    counted, audits = evidence.is_known[~is_audit], int(is_audit.sum())
    is_new = evidence.is_known & (evidence.answers.per_sentence > 0)
    # Rows of either kind keep their places among their own kind.
    old = np.zeros(len(counted), bool)
    old[: len(model.lessons.counted)] = model.lessons.counted
    is_new[~is_audit] &= ~old
    is_new[is_audit] &= np.arange(audits) >= model.lessons.audits
    new = np.flatnonzero(is_new)
    if evidence.known is None or len(new) == 0:
        return Lessons.none(counted, audits)
    part = evidence.take(new)
    found = model.material(part.answers, part.lengths, part.words)
    is_true, missing = are_in(found.candidates, evidence.known.take(new))
    weight = np.ones(len(new)) if part.weight is None else part.weight
    return Lessons(found, is_true, missing, weight, counted, audits)


def _threshold(model: AutoModel, evidence: Evidence, latest: LatestSentences) -> float:
    """Return half of the F1 that delivered labels can be expected to have.

    Those of the latest sentences, and of as many of the experts' as belong to them.
    """
    part, threshold = latest.part, model.threshold
    if len(part.answers) == 0:
        return threshold
    found = model.material(part.answers, part.lengths, part.words, latest.told)
    chance = logistic(found.columns, model.weights.spans)
    expected = float(chance.sum() + model.weights.unseen * part.lengths.sum())
    share = len(part.lengths) / np.count_nonzero(~evidence.is_known)
    sure = _SURE * _experts_spans(evidence) * share
    for _ in range(3):
        labels, _contested = best_spans(
            found.candidates, chance, threshold, part.lengths, part.answers.codes.values.dtype
        )
        is_chosen, _missing = are_in(found.candidates, labels)
        both = is_chosen.sum() + expected + 2 * sure
        threshold = float((chance[is_chosen].sum() + sure) / both) if both > 0 else threshold
    return threshold


def _experts_spans(evidence: Evidence) -> int:
    """Return the number of spans that experts have marked."""
    return 0 if evidence.known is None else int(np.count_nonzero(evidence.known.values % 2))
