"""What the consensus method has learned in every run."""

from collections.abc import Iterator

import numpy as np

from spancrew.consensus import Beliefs, MajorityVote, is_fit_due, together
from spancrew.core import Answers, BoolArray, FloatArray, IntArray, Ragged
from spancrew.feedback import crowd_rewards, looks_at_doubts
from spancrew.policies import Groups
from spancrew.simulate._log import Log, no_evidence
from spancrew.simulate._scene import Scene
from spancrew.simulate._setting import Setting


class Models:
    """A model for every run; runs share one until they have learned something.

    Nothing is kept for a method that does not learn.
    """

    def __init__(self, scene: Scene, setting: Setting, runs: int) -> None:
        self._scene = scene
        consensus = setting.consensus
        self._consensus = consensus
        is_blind = not looks_at_doubts(setting.feedback)
        self._quick = consensus if is_blind and isinstance(consensus, MajorityVote) else None
        self._log = Log(scene, runs, setting.answers) if consensus.learns else None
        nothing = no_evidence(scene) if self._log is None else self._log.evidence(0)
        self._models = [consensus.fit(nothing)] * runs
        self._fitted = [0] * runs
        self._warm = np.zeros(runs, np.int64)

    def judge(self, groups: Groups, answers: Answers) -> Beliefs:
        """Join the answers on the sentences of groups, each by the model of its run."""
        lengths, words = self._scene.lengths[groups.sentence], self._words(groups)
        if self._quick is not None:
            return self._quick.labels_only(answers, lengths)
        found = []
        for part in self._parts(groups.run):
            some, words_of_some = _within(part, answers, words)
            model = self._models[groups.run[part.start]]
            found.append(model.judge(some, lengths[part], words_of_some))
        return together(found)

    def rewards(
        self, groups: Groups, answers: Answers, beliefs: Beliefs, rows: IntArray
    ) -> FloatArray:
        """Return the F1 of some answers against what the models make of the others."""
        words = self._words(groups)
        found = []
        for part in self._parts(groups.run):
            begin, end = answers.first[part.start], answers.first[part.stop]
            own = rows[(rows >= begin) & (rows < end)] - begin
            some, words_of_some = _within(part, answers, words)
            model = self._models[groups.run[part.start]]
            metric = self._scene.metric
            found.append(crowd_rewards(some, beliefs, metric, own, model, words_of_some))
        return np.concatenate(found)

    def learn(self, groups: Groups, known: BoolArray) -> None:
        """Take in settled sentences, and fit again where enough of them are new."""
        if self._log is None:
            return
        self._log.append(groups, known)
        for run in np.unique(groups.run).tolist():
            seen = int(self._log.count[run])
            if is_fit_due(seen, self._fitted[run]):
                evidence = self._log.evidence(run)
                self._models[run] = self._consensus.fit(evidence, self._models[run])
                self._fitted[run] = seen

    def warm_up(self, groups: Groups) -> None:
        """Take in the answers of the warm-up, whose sentences experts have labelled."""
        self.learn(groups, np.ones(len(groups.run), bool))
        if self._log is not None:
            self._warm = self._log.count.copy()

    def revised(self, run: int) -> Ragged:
        """Return what the labels of a run's sentences are by all that was learned in the end."""
        if self._log is None:
            raise ValueError("a method that learns nothing revises nothing")
        evidence = self._log.evidence(run)
        model = self._consensus.fit(evidence, self._models[run])
        labels = model.judge(evidence.answers, evidence.lengths, evidence.words).labels
        return labels.take(np.arange(self._warm[run], len(labels)))

    def _words(self, groups: Groups) -> Ragged | None:
        return None if self._log is None else self._log.words(groups.sentence)

    def _parts(self, run: IntArray) -> Iterator[slice]:
        """Yield sentences that follow each other and have the same model."""
        if len(run) == 0 or self._log is None:
            yield slice(0, len(run))
            return
        first = 0
        for place in range(1, len(run)):
            if self._models[run[place]] is not self._models[run[first]]:
                yield slice(first, place)
                first = place
        yield slice(first, len(run))


def _within(part: slice, answers: Answers, words: Ragged | None) -> tuple[Answers, Ragged | None]:
    """Return the answers on some sentences, and their words."""
    size = part.stop - part.start
    if size == answers.sentences:
        return answers, words
    rows = np.arange(answers.first[part.start], answers.first[part.stop])
    some = answers.take(rows, answers.sentence[rows] - part.start, size)
    return some, None if words is None else words.take(np.arange(part.start, part.stop))
