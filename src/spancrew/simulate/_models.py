"""What the consensus method has learned in every run, and what from."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spancrew.consensus import (
    Beliefs,
    Evidence,
    MajorityVote,
    Model,
    WithMembers,
    are_heard,
    beliefs_of_people,
    by_people,
    has_hired,
    hearing_models_alone,
    is_fit_due,
    side_by_side,
    suited_to,
    taken,
    together,
)
from spancrew.core import (
    Answers,
    BoolArray,
    IndexArray,
    IntArray,
    Ragged,
    kernel,
    offsets_of,
)
from spancrew.feedback import audit_chance, judge_with_others, labels_by_others
from spancrew.policies import NOBODY, Groups, asked
from spancrew.simulate._scene import Scene
from spancrew.simulate._setting import Setting


class Models:
    """A model for every run; runs share one until they have learned something.

    Nothing is kept for a method that does not learn.
    """

    def __init__(self, scene: Scene, setting: Setting, runs: int) -> None:
        self._scene = scene
        consensus = suited_to(setting.consensus, scene.dataset.kind)
        if consensus.learns and not scene.people.all() and not isinstance(consensus, WithMembers):
            consensus = WithMembers(consensus)
        self._consensus = consensus
        self._models_first = setting.feedback.first == 0
        is_blind = not (setting.feedback.needs_probabilities or setting.audit)
        self._quick = consensus if is_blind and isinstance(consensus, MajorityVote) else None
        self._settled = SettledSentences(scene, runs, setting) if consensus.learns else None
        nothing = _no_evidence(scene) if self._settled is None else self._settled.evidence(0)
        self._models = [consensus.fit(nothing)] * runs
        self._fitted = [0] * runs
        self._warm = np.zeros(runs, np.int64)
        self._has_hired: dict[int, bool] = {}

    @property
    def hired(self) -> BoolArray:
        """Tell for every run whether its last model hears a tagger."""
        last = enumerate(self._models)
        return np.array([self._has_hired.get(run, has_hired(each)) for run, each in last])

    def judge(self, groups: Groups, answers: Answers) -> Beliefs:
        """Join the answers on the sentences of groups, each by the model of its run.

        Models answer beside the people.
        """
        lengths = self._scene.lengths[groups.sentence]
        if self._quick is not None:
            return self._quick.labels_only(answers, lengths)
        answers = self._with_models(groups.sentence, answers)
        parts = self._parts(groups, answers)
        return together(
            [model.judge(some, lengths[part], words) for part, model, some, words in parts]
        )

    def codes(self, sentence: IntArray, worker: IntArray) -> Ragged:
        """Return answers of the crowd, of which there may be none."""
        return _codes(self._scene, sentence, worker)

    def hear_models_on(self, groups: Groups) -> BoolArray:
        """Tell on which sentences models are heard before any person has answered."""
        heard = np.zeros(len(groups.run), bool)
        answers = self._with_models(groups.sentence, _nobodys(self._scene, len(heard)))
        for part, model, some, words in self._parts(groups, answers):
            heard[part] = are_heard(hearing_models_alone(model), some, words)
        return heard

    def _with_models(self, sentence: IntArray, answers: Answers) -> Answers:
        """Return answers of people with those of models, if the method hears any."""
        if self._settled is None or self._scene.people.all():
            return answers
        row, model = self._scene.by_models(sentence)
        more = Answers(
            row.astype(np.int32),
            model.astype(np.int32),
            _codes(self._scene, sentence[row], model),
            len(sentence),
        )
        return side_by_side(answers, more)

    def judge_with_others(self, groups: Groups, answers: Answers) -> tuple[Beliefs, Ragged]:
        """Return the same, and for every answer what its model makes of the others."""
        lengths = self._scene.lengths[groups.sentence]
        found, alone = [], []
        for part, model, some, words in self._parts(groups, answers):
            beliefs, labels = judge_with_others(model, some, lengths[part], words)
            found.append(beliefs)
            alone.append(labels)
        return together(found), Ragged.joined(alone)

    @property
    def judge_others_alike(self) -> bool:
        """Tell whether runs have models of their own that people are rewarded by, too."""
        return self._settled is not None and not isinstance(self._consensus, WithMembers)

    def of_people(self, groups: Groups, answers: Answers, beliefs: Beliefs) -> Beliefs:
        """Return what people alone make of their answers."""
        if not isinstance(self._consensus, WithMembers):
            return beliefs
        found = []
        for part, model, some, words in self._parts(groups, answers):
            said = taken(beliefs, np.arange(part.start, part.stop))
            found.append(beliefs_of_people(model, said, some, words))
        return together(found)

    def labels_by_others(self, groups: Groups, answers: Answers, rows: IntArray) -> Ragged:
        """Return for some answers what the models make of those of other people."""
        found = []
        for part, model, some, words in self._parts(groups, answers):
            begin, end = answers.first[part.start], answers.first[part.stop]
            own = rows[(rows >= begin) & (rows < end)] - begin
            found.append(labels_by_others(by_people(model), some, own, words))
        return Ragged.joined(found)

    def learn_audits(self, groups: Groups) -> None:
        """Take in what experts said on audited sentences; nothing is fitted before the next."""
        if self._settled is not None:
            self._settled.append(groups, np.ones(len(groups.run), bool), is_audit=True)

    def learn(self, groups: Groups, known: BoolArray, *, is_warm_up: bool = False) -> None:
        """Take in settled sentences, and fit again where enough of them are new."""
        if self._settled is None:
            return
        self._settled.append(groups, known, is_warm_up=is_warm_up)
        for run in np.unique(groups.run).tolist():
            seen = int(self._settled.count[run])
            if is_fit_due(seen, self._fitted[run]):
                evidence = self._settled.evidence(run)
                self._models[run] = self._consensus.fit(evidence, self._models[run])
                self._fitted[run] = seen

    def warm_up(self, groups: Groups) -> None:
        """Take in the answers of the warm-up, whose sentences experts have labelled."""
        self.learn(groups, np.ones(len(groups.run), bool), is_warm_up=True)
        if self._settled is not None:
            self._warm = self._settled.count.copy()

    def revised(self, run: int) -> "JudgedSentences | None":
        """Judge a run's sentences by all that is known in the end, learned anew without audits.

        Nothing is revised where models settled sentences alone that are not heard any more.
        """
        if self._settled is None:
            raise ValueError("a method that learns nothing revises nothing")
        evidence = self._settled.evidence(run).for_fit()
        model = self._judging(self._consensus.fit(evidence))
        self._has_hired[run] = has_hired(model)
        rows = np.arange(self._warm[run], len(evidence.lengths))
        part = evidence.take(rows)
        if self._models_first and not _are_all_heard(model, part, evidence.is_known[rows]):
            return None
        beliefs = model.judge(part.answers, part.lengths, part.words)
        return JudgedSentences(self._settled.sentences(run)[rows], beliefs)

    def _parts(
        self, groups: Groups, answers: Answers
    ) -> Iterator[tuple[slice, Model, Answers, Ragged | None]]:
        """Yield sentences that share a model, with it, the answers on them and their words."""
        words = None if self._settled is None else self._settled.words(groups.sentence)
        for part in self._alike(groups.run):
            model = self._judging(self._models[groups.run[part.start]])
            yield part, model, *_within(part, answers, words)

    def _judging(self, model: Model) -> Model:
        """Return the model that judges; where models come first, they are heard without people."""
        return hearing_models_alone(model) if self._models_first else model

    def _alike(self, run: IntArray) -> Iterator[slice]:
        """Yield sentences that follow each other and have the same model."""
        if len(run) == 0 or self._settled is None:
            yield slice(0, len(run))
            return
        first = 0
        for place in range(1, len(run)):
            if self._models[run[place]] is not self._models[run[first]]:
                yield slice(first, place)
                first = place
        yield slice(first, len(run))


def _are_all_heard(model: Model, part: Evidence, known: BoolArray) -> bool:
    """Tell whether somebody says something of every sentence that no expert has labelled."""
    return bool((are_heard(model, part.answers, part.words) | known).all())


def _within(part: slice, answers: Answers, words: Ragged | None) -> tuple[Answers, Ragged | None]:
    """Return the answers on some sentences, and their words."""
    if part.stop - part.start == answers.sentences:
        return answers, words
    some = answers.within(part.start, part.stop)
    return some, None if words is None else words.within(part.start, part.stop)


class JudgedSentences(NamedTuple):
    """Sentences of a run, and what is believed of them."""

    sentence: IntArray
    beliefs: Beliefs

    def only(self, sentence: IntArray) -> "JudgedSentences":
        """Return some of the sentences, in this order."""
        order = np.argsort(self.sentence)
        rows = order[np.searchsorted(self.sentence, sentence, sorter=order)]
        return JudgedSentences(sentence, taken(self.beliefs, rows))


class SettledSentences:
    """What consensus methods learn from, run by run, in the order of settling.

    An answer of the warm-up is a sentence of its own, with its labels known; so is an audit.
    Models answer all but warm-ups.
    """

    def __init__(self, scene: Scene, runs: int, setting: Setting) -> None:
        size, answers = len(scene.dataset), setting.answers
        most = size + len(scene.workers) + (size if setting.audit else 0)
        self._scene = scene
        self._weight = 1 / audit_chance(setting.audit, size) if setting.audit else 1.0
        self._words, self._spelling = scene.words
        self._sentence = np.zeros((runs, most), np.int32)
        self._crew = np.full((runs, most, answers), NOBODY, np.int32)
        self._known = np.zeros((runs, most), bool)
        self._audit = np.zeros((runs, most), bool)
        self._warm_up = np.zeros((runs, most), bool)
        self.count = np.zeros(runs, np.int64)

    def append(
        self,
        groups: Groups,
        known: BoolArray,
        *,
        is_audit: bool = False,
        is_warm_up: bool = False,
    ) -> None:
        """Add sentences with who answered them; ``known`` tells which an expert has labelled."""
        before = self.count.copy()
        _append(groups, known, self._sentence, self._crew, self._known, self.count)
        if is_audit or is_warm_up:
            for run in np.unique(groups.run).tolist():
                self._audit[run, before[run] : self.count[run]] = is_audit
                self._warm_up[run, before[run] : self.count[run]] = is_warm_up

    def sentences(self, run: int) -> IntArray:
        """Return the sentences of a run, without audits."""
        size = int(self.count[run])
        return self._sentence[run, :size][~self._audit[run, :size]].astype(np.int64)

    def words(self, sentence: IntArray) -> Ragged:
        """Return the numbers of the words of some sentences."""
        return self._words.take(sentence)

    def evidence(self, run: int) -> Evidence:
        """Return all that a run has seen."""
        size = int(self.count[run])
        sentence = self._sentence[run, :size].astype(np.int64)
        row, worker = self._who(run, sentence)
        codes = _codes(self._scene, sentence[row], worker)
        people = self._scene.people
        return Evidence(
            Answers(row.astype(np.int32), worker.astype(np.int32), codes, size),
            self._scene.lengths[sentence],
            len(self._scene.dataset.labels),
            len(self._scene.workers),
            self._labels(sentence, self._known[run, :size]),
            self.words(sentence),
            len(self._spelling),
            np.where(self._audit[run, :size], self._weight, 1.0),
            self._audit[run, :size],
            self._spelling,
            None if people.all() else ~people,
            kind=self._scene.dataset.kind,
            scale=self._scene.is_scale,
        )

    def _who(self, run: int, sentence: IntArray) -> tuple[IntArray, IntArray]:
        """Return who answered in a run, the row of the sentence and the worker: people first."""
        size = len(sentence)
        row, worker = asked(self._crew[run, :size].astype(np.int64))
        if self._scene.people.all():
            return row, worker
        beside, model = self._scene.by_models(sentence)
        heard = ~self._warm_up[run, beside]
        rows = np.concatenate([row, beside[heard]])
        order = np.argsort(rows, kind="stable")
        return rows[order], np.concatenate([worker, model[heard]])[order]

    def _labels(self, sentence: IntArray, known: BoolArray) -> Ragged:
        """Return the experts' labels; rows are empty where there are none."""
        gold = self._scene.dataset.gold.take(sentence[known])
        lengths = np.zeros(len(sentence), np.int64)
        lengths[known] = gold.lengths
        return Ragged(gold.values, offsets_of(lengths))


def _nobodys(scene: Scene, sentences: int) -> Answers:
    """Return that nobody has answered some sentences."""
    none = np.zeros(0, np.int32)
    return Answers(none, none, _codes(scene, none, none), sentences)


def _no_evidence(scene: Scene) -> Evidence:
    """Return that nothing is known yet, for methods that learn nothing."""
    answers = _nobodys(scene, 0)
    lengths = np.zeros(0, np.int64)
    labels, kind = scene.dataset.labels, scene.dataset.kind
    return Evidence(answers, lengths, len(labels), len(scene.workers), kind=kind)


def _codes(scene: Scene, sentence: npt.NDArray[Any], worker: npt.NDArray[Any]) -> Ragged:
    """Return answers of the crowd; not every crowd likes to be asked for none."""
    if len(sentence) == 0:
        return Ragged(np.zeros(0, scene.dataset.labels.dtype), offsets_of(sentence))
    return scene.source.answers(sentence, worker)


@kernel
def _append(
    groups: Groups,
    known: BoolArray,
    sentence: IndexArray,
    crew: IndexArray,
    is_known: BoolArray,
    count: IntArray,
) -> None:
    for row in range(len(groups.run)):
        run = groups.run[row]
        place = count[run]
        sentence[run, place] = groups.sentence[row]
        is_known[run, place] = known[row]
        for k in range(groups.crew.shape[1]):
            crew[run, place, k] = groups.crew[row, k]
        count[run] += 1
