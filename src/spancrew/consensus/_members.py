"""Any method with models beside the people, if they have shown that they are good enough."""

from dataclasses import dataclass, replace
from math import inf
from typing import Literal

import numpy as np

from spancrew.consensus._audition import (
    Audition,
    AuditionedModel,
    audition,
    copied,
    copies,
    mistakes,
)
from spancrew.consensus._auto import Auto
from spancrew.consensus._base import Beliefs, Consensus, Evidence, Model, answers_of_people
from spancrew.consensus._beliefs import clamped
from spancrew.consensus._voices import Voice, are_spoken_of, with_voices
from spancrew.core import Answers, BoolArray, IntArray, Ragged
from spancrew.errors import SpancrewError
from spancrew.tagger import EXPERT_WEIGHT, ROUNDS, CrossFitted, facets_of


@dataclass(frozen=True, slots=True)
class Tagger:
    """How a tagger is trained: ``rounds`` over all sentences, by a conditional random field.

    A sentence that an expert has labelled counts ``expert`` times as much as one of the crowd.
    With more than one of the ``passes`` it is trained again on what it has helped to settle.
    """

    engine: Literal["crf"] = "crf"
    rounds: int = ROUNDS
    expert: float = EXPERT_WEIGHT
    passes: int = 1

    def __post_init__(self) -> None:
        """Refuse a weight that is none, and no training."""
        if self.passes < 1:
            raise SpancrewError(f"passes {self.passes}: at least 1 is needed")
        if not 0 < self.expert < inf:
            raise SpancrewError(f"expert {self.expert:g}: a weight above 0 is needed")


@dataclass(frozen=True, slots=True)
class WithMembers(Consensus):
    """A method that hears models beside the people, once they have passed an audition.

    Models are the workers that the evidence marks as such, and ``taggers``, which are trained on
    what the method makes of the people's answers and on experts' labels. A tagger answers every
    sentence that a person has answered, always by a model that was trained without it. Models that
    make the same mistakes have one voice between them, that of the best; a model that makes those
    of a person is not heard where this person has answered. Each fit begins with new auditions.
    A sentence teaches nothing of which neither a person nor an expert has said anything.
    """

    method: Consensus
    taggers: tuple[Tagger, ...] = ()

    def fit(self, evidence: Evidence, before: Model | None = None) -> "CrewModel":
        """Learn from people; then from people and models together, if any model is hired."""
        last = before if isinstance(before, CrewModel) else None
        evidence = _told_by_people(evidence)
        by_people = evidence.of_people()
        people = self.method.fit(by_people, None if last is None else last.people)
        part = by_people.for_fit()
        if not len(part.answers):
            return CrewModel(people, evidence.models)
        model = self._with_voices(people, people, evidence, part, last)
        for _ in range(max((each.passes for each in self.taggers), default=1) - 1):
            if model.crew is None:
                break
            model = self._with_voices(people, model, evidence, part, last)
        return model

    def _with_voices(
        self,
        people: Model,
        teacher: Model,
        evidence: Evidence,
        part: Evidence,
        last: "CrewModel | None",
    ) -> "CrewModel":
        """Audition models, the taggers among them taught by a model; learn from those hired."""
        judged = teacher.judge(part.answers, part.lengths, part.words)
        labels = clamped(judged, part.known).labels
        candidates = [*_models_of(evidence.for_fit()), *self._taggers(part, labels)]
        auditions = tuple(audition(each, part, people) for each in candidates)
        voices = _voices(candidates, auditions, part.answers, labels)
        model = CrewModel(people, evidence.models, auditions, voices)
        if not voices:
            return model
        crew = None if last is None or len(last.voices) != len(voices) else last.crew
        return replace(model, crew=self._fit_crew(model, evidence, crew))

    def _fit_crew(self, model: "CrewModel", evidence: Evidence, before: Model | None) -> Model:
        """Learn from people and voices together."""
        answers = replace(model, alone=True).joined(evidence.answers, evidence.words)
        workers = evidence.workers + len(model.voices)
        joined = replace(evidence, answers=answers, workers=workers, models=None)
        if isinstance(self.method, Auto):
            return self.method.fit(joined, before, model.tagger)
        return self.method.fit(joined, before)

    def _taggers(self, people: Evidence, labels: Ragged) -> list[AuditionedModel]:
        """Train every tagger that is named; named twice, it would say the same twice."""
        if people.words is None:
            return []
        is_answered = people.answers.per_sentence > 0
        by_crowd = np.where(is_answered, 1.0, 0.0)
        # A word whose spelling is not known is known by its number.
        spelling = people.spelling or [str(k) for k in range(people.vocabulary)]
        facets, codes = facets_of(spelling), 2 * people.labels + 1
        answered = np.flatnonzero(is_answered)
        words = people.words.take(answered)
        found = []
        for each in dict.fromkeys(self.taggers):
            weight = np.where(people.is_known, each.expert, by_crowd)
            trained = CrossFitted.train(facets, people.words, labels, weight, codes, each.rounds)
            found.append(AuditionedModel(answered, trained.tag(words), tagger=trained))
        return found


@dataclass(frozen=True, slots=True, eq=False)
class CrewModel:
    """What a method has learned from ``people`` alone, and from people and voices of models.

    ``models`` tells which workers are models; ``crew`` is missing where none of them is heard.
    Where no person has answered, voices are heard only if they are heard ``alone``.
    """

    people: Model
    models: BoolArray | None = None
    auditions: tuple[Audition, ...] = ()
    voices: tuple[Voice, ...] = ()
    crew: Model | None = None
    alone: bool = False

    @property
    def tagger(self) -> CrossFitted | None:
        """Return the tagger that is heard."""
        return next((each.tagger for each in self.voices if each.tagger is not None), None)

    def judge(self, answers: Answers, lengths: IntArray, words: Ragged | None = None) -> Beliefs:
        """Join the answers of people on each sentence with those of models that are heard.

        Without words a tagger says nothing, so that only people are heard.
        """
        if self.crew is None or (words is None and self.tagger is not None):
            return self.people.judge(answers_of_people(answers, self.models), lengths, words)
        return self.crew.judge(self.joined(answers, words), lengths, words)

    def joined(self, answers: Answers, words: Ragged | None) -> Answers:
        """Return the answers of people with those of the voices, who are the first workers."""
        people = answers_of_people(answers, self.models)
        return with_voices(people, answers, self.voices, words, alone=self.alone)


def heard(method: Consensus, evidence: Evidence) -> Consensus:
    """Return a method that auditions the models among the workers, if there are any."""
    if evidence.models is None or isinstance(method, WithMembers):
        return method
    return WithMembers(method)


def hearing_models_alone(model: Model) -> Model:
    """Return a model that hears the voices of models also where no person has answered."""
    return replace(model, alone=True) if isinstance(model, CrewModel) else model


def has_hired(model: Model) -> bool:
    """Tell whether a model is heard beside the people."""
    return isinstance(model, CrewModel) and model.crew is not None


def models_of(model: Model) -> frozenset[int]:
    """Return the workers that are models as far as a fit knew; answers of others are no use."""
    if not isinstance(model, CrewModel) or model.models is None:
        return frozenset()
    return frozenset(np.flatnonzero(model.models).tolist())


def are_heard(model: Model, answers: Answers, words: Ragged | None) -> BoolArray:
    """Tell of which sentences somebody says something: a person, or a voice that needs none."""
    if not isinstance(model, CrewModel):
        return answers.per_sentence > 0
    people = answers_of_people(answers, model.models).per_sentence > 0
    if model.crew is None or not model.alone or (words is None and model.tagger is not None):
        return people
    return people | are_spoken_of(answers, model.voices, words)


def by_people(model: Model) -> Model:
    """Return what was learned from people alone: nobody is rewarded for agreeing with a model."""
    return model.people if isinstance(model, CrewModel) else model


def beliefs_of_people(
    model: Model, beliefs: Beliefs, answers: Answers, words: Ragged | None
) -> Beliefs:
    """Return what people alone would make of the answers; mostly these are the same beliefs."""
    if not has_hired(model):
        return beliefs
    return by_people(model).judge(answers, beliefs.labels.lengths, words)


def _told_by_people(evidence: Evidence) -> Evidence:
    """Return the sentences of which a person or an expert has said something."""
    people = answers_of_people(evidence.answers, evidence.models).per_sentence > 0
    told = people | evidence.is_known
    return evidence if told.all() else evidence.only(np.flatnonzero(told))


def _models_of(evidence: Evidence) -> list[AuditionedModel]:
    """Return the workers of the evidence that are models, with all their answers."""
    if evidence.models is None:
        return []
    answers = evidence.answers
    found = []
    for worker in np.flatnonzero(evidence.models).tolist():
        rows = np.flatnonzero(answers.worker == worker)
        sentence = answers.sentence[rows].astype(np.int64)
        found.append(AuditionedModel(sentence, answers.codes.take(rows), worker))
    return found


def _voices(
    candidates: list[AuditionedModel],
    auditions: tuple[Audition, ...],
    people: Answers,
    labels: Ragged,
) -> tuple[Voice, ...]:
    """Return the voices of the models that passed, the best first; copies share one."""
    passed = [k for k, each in enumerate(auditions) if each.is_passed]
    voices: list[Voice] = []
    heard: list[IntArray] = []
    for k in sorted(passed, key=lambda k: -auditions[k].f1):
        each = candidates[k]
        own = mistakes(each.sentence, each.codes, labels)
        if any(copies(own, other) for other in heard):
            continue
        heard.append(own)
        voices.append(Voice(each.worker, each.tagger, copied(each, people, labels)))
    return tuple(voices)
