"""Fit a population of workers to whatever real answers there are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from spancrew.core import Dataset, FloatArray, IntArray, LabelSet, Ragged, offsets_of
from spancrew.crowds._calibrate import AGAIN, ROUNDS, calibrate
from spancrew.crowds._draw import draw_answers
from spancrew.crowds._ease import estimate
from spancrew.crowds._evidence import (
    MistakeEvidence,
    collect_mistakes,
    evidence_of,
    history_of,
    no_history,
)
from spancrew.crowds._features import SIZES, Features, features_of
from spancrew.crowds._moments import Moments, moments_of
from spancrew.crowds._settings import Settings
from spancrew.crowds._tables import CORRECT, MISSED, SORTS, CrowdTables, History, Mistakes, sum_by
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric, agreement

ENOUGH = 12_000
"""Answers to draw in a round of the calibration; small data sets are drawn several times."""


@dataclass(frozen=True)
class SettingsLater:
    """Settings that are fitted when somebody first asks for them, and then kept."""

    fit: Callable[[], Settings]

    @cached_property
    def settings(self) -> Settings:
        """Return the settings."""
        return self.fit()

    def joined_by(self, like: IntArray) -> Settings:
        """Return the settings with new workers."""
        return self.settings.joined_by(like)


@dataclass(frozen=True)
class Population:
    """What was learned: two settings of the knobs and the vocabulary of mistakes.

    ``fresh`` is for sentences that nobody has answered, ``known`` for those with real answers,
    where a stand-in looks at all of them but its own; they take as long to fit, and not everybody
    needs them. ``dataset`` is the one it was fitted to.
    """

    dataset: Dataset
    mistakes: Mistakes
    fresh: Settings
    later: SettingsLater
    history: History

    @property
    def known(self) -> Settings:
        """Return the settings for sentences with real answers."""
        return self.later.settings

    @property
    def labels(self) -> LabelSet:
        """Return the labels that the population knows."""
        return self.dataset.labels

    def joined_by(self, names: Sequence[str], rng: np.random.Generator) -> "Population":
        """Return the same population with new workers, each like one who has answered."""
        answers = self.dataset.answers
        active = np.unique(answers.worker[self.dataset.has_gold[answers.sentence]])
        like = rng.choice(active, len(names))
        return replace(
            self,
            dataset=replace(self.dataset, workers=(*self.dataset.workers, *names)),
            fresh=self.fresh.joined_by(like),
            later=SettingsLater(partial(self.later.joined_by, like)),
        )

    def meeting(self, dataset: Dataset) -> "Population":
        """Return the same population before answers by its workers on other sentences."""
        if (dataset.workers, dataset.labels) != (self.dataset.workers, self.labels):
            raise SpancrewError("the answers are by other workers, or have other labels")
        evidence = evidence_of(dataset)
        features = features_of(dataset, self.labels)
        theirs, outcome = collect_mistakes(evidence, features, len(self.labels))
        # Their mistakes come after ours, so that each outcome has a row; none is drawn afresh.
        known = np.append(self.mistakes.mistake, theirs.mistake)
        shifted = np.where(outcome > MISSED, outcome + len(self.mistakes.mistake), outcome)
        return replace(
            self,
            dataset=dataset,
            mistakes=self.mistakes._replace(mistake=known),
            history=history_of(evidence, shifted, len(dataset)),
        )


def fit_population(dataset: Dataset, enough: int = ENOUGH) -> Population:
    """Learn from all answers of a data set that have gold.

    About ``enough`` answers are drawn in a round; with fewer, it takes less time, and chance has
    more of a part in what comes out.
    """
    evidence = evidence_of(dataset)
    if len(evidence.worker) == 0:
        raise SpancrewError(
            "no answer has gold to be compared with: a crowd cannot be calibrated; give a pilot "
            "data set with gold and answers, or state the skills of the workers"
        )
    features = features_of(dataset, dataset.labels)
    mistakes, outcome = collect_mistakes(evidence, features, len(dataset.labels))
    start = _first_guess(dataset, evidence, features, mistakes, outcome)
    fitting = _Fitting(dataset, evidence, features, mistakes, enough)
    fresh = fitting.fit(start, no_history(len(dataset)), ROUNDS)
    history = history_of(evidence, outcome, len(dataset))
    later = SettingsLater(partial(fitting.fit, fresh, history, AGAIN))
    return Population(dataset, mistakes, fresh, later, history)


class _Fitting:
    """One data set, drawn again and again."""

    def __init__(
        self,
        dataset: Dataset,
        evidence: MistakeEvidence,
        features: Features,
        mistakes: Mistakes,
        enough: int,
    ) -> None:
        self._enough = enough
        self._gold = dataset.gold
        self._workers = len(dataset.workers)
        self._tokens = dataset.sentences.starts.lengths
        self._evidence = evidence
        self._features = features
        self._mistakes = mistakes
        self._history = no_history(len(dataset))
        self._offsets = offsets_of(self._tokens[evidence.sentence])
        rows = np.flatnonzero(dataset.has_gold[dataset.answers.sentence])
        kappa = agreement(dataset.answers, "fleiss")
        self._scale = np.sort(kappa[~np.isnan(kappa) & dataset.has_gold])
        self._real = self.measure(dataset.answers.codes.take(rows))
        self._spans = len(evidence.key) / len(evidence.worker)

    def fit(self, start: Settings, history: History, rounds: int) -> Settings:
        """Turn the knobs for drawing with this history."""
        self._history = history
        repeats = int(np.clip(self._enough // len(self._evidence.worker), 1, 8))
        targets = _pooled_f1(self._real, start.skill, self._spans)
        return calibrate(start, targets, self._real, self, repeats, rounds)

    def draw(self, settings: Settings, seeds: Sequence[int]) -> tuple[list[Ragged], float]:
        """Return all answers for each seed and the share that were empty at the first try."""
        codes = np.zeros((len(seeds), self._offsets[-1]), self._gold.values.dtype)
        tables = CrowdTables(
            settings.sheet(self._features, self._tokens),
            self._mistakes,
            settings.habits(),
            settings.team(),
            self._history,
        )
        asked, who = self._evidence.sentence, self._evidence.worker
        empty = draw_answers(tables, np.array(seeds), asked, who, self._offsets, codes)
        share = empty / (len(seeds) * max(self._real.answerable, 1))
        return [Ragged(row, self._offsets) for row in codes], share

    def measure(self, codes: Ragged) -> Moments:
        """Return the figures of answers."""
        return moments_of(
            codes,
            self._gold,
            self._evidence.sentence,
            self._evidence.worker,
            self._workers,
            self._features,
            self._scale,
        )

    def f1(self, codes: Ragged) -> FloatArray:
        """Return the mean F1 of every worker."""
        sentence, worker = self._evidence.sentence, self._evidence.worker
        score = Metric("exact").pairs(codes, self._gold, gold_rows=sentence)[:, 2]
        counts = np.maximum(sum_by(worker, None, self._workers), 1)
        mean: FloatArray = sum_by(worker, score, self._workers) / counts
        return mean


def _first_guess(
    dataset: Dataset,
    evidence: MistakeEvidence,
    features: Features,
    mistakes: Mistakes,
    outcome: IntArray,
) -> Settings:
    workers = len(dataset.workers)
    guess = estimate(evidence, features.span, features.classes, workers)
    given = evidence.pairing.given
    extra = evidence.extra
    by_size = sum_by(features.size[evidence.sentence[given.row[extra]]], None, SIZES)
    answers = sum_by(features.size[evidence.sentence], None, SIZES)
    rate = len(extra) / len(evidence.worker)
    return Settings(
        skill=guess.skill,
        effect=guess.effect,
        weight=guess.weight,
        extra_by_size=(by_size + rate) / (answers + 1),
        extra=np.ones(workers),
        leaning=_leaning(evidence, mistakes, outcome, workers),
        extra_length=np.append((given.end - given.start)[extra], 1),
        extra_label=np.append(given.label[extra], 0),
    )


def _leaning(
    evidence: MistakeEvidence, mistakes: Mistakes, outcome: IntArray, workers: int
) -> FloatArray:
    """Return how much more than others each worker leans to each sort of mistake, pooled."""
    wrong = outcome != CORRECT
    sort = mistakes.mistake["sort"][outcome[wrong]]
    own = evidence.worker[evidence.answer[wrong]]
    counts = sum_by(own * SORTS + sort, None, workers * SORTS).reshape(workers, SORTS)
    share = (counts.sum(axis=0) + 1) / (counts.sum() + SORTS)
    pooled = (counts + 20 * share) / (counts.sum(axis=1, keepdims=True) + 20)
    leaning: FloatArray = pooled / share
    return leaning


def _pooled_f1(real: Moments, skill: FloatArray, spans: float) -> FloatArray:
    """Return the mean F1 of every worker, pulled a little to the others' if they did little.

    How little follows from the logit model: a span tells about 0.2 (the variance of a fair coin,
    nearly) about a skill, against what the spread of skills tells beforehand.
    """
    grand = real.f1.sum() / real.answers.sum()
    mean = real.f1 / np.maximum(real.answers, 1)
    pull = 1 / (0.2 * max(spans, 1.0) * max(float(skill.var()), 0.05))
    pulled = grand + (mean - grand) * real.answers / (real.answers + pull)
    target: FloatArray = np.where(real.answers > 0, pulled, np.nan)
    return target
