"""What a run makes of the answers on a sentence: one sentence at a time, from its whole past."""

from typing import NamedTuple

import numpy as np

from spancrew.consensus import Consensus, Evidence, MajorityVote, Model
from spancrew.core import Answers, Ragged
from spancrew.simulate import Scene
from tests.simulate.plain import Codes, spans, vote, vote_errors

Given = dict[int, Codes]
"""Answers by worker."""


class Opinion(NamedTuple):
    """The joint answer, whether labels were level, errors to be expected, spans in all."""

    labels: Codes
    contested: bool
    errors: float
    size: float


class PlainConsensus:
    """A vote by hand; whatever learns is given evidence that is put together from scratch."""

    def __init__(self, scene: Scene, method: Consensus) -> None:
        self.scene, self.method = scene, method
        self.log: list[tuple[int, Given, bool]] = []
        self.fitted = 0
        words = [each.tokens for each in scene.dataset.sentences]
        self.numbers: dict[str, int] = {}
        self.words = [
            [self.numbers.setdefault(token, len(self.numbers)) for token in tokens]
            for tokens in words
        ]
        self.model: Model = method if isinstance(method, MajorityVote) else self.fit(None)

    def opinion(self, sentence: int, given: Given) -> Opinion:
        """Join some answers on a sentence."""
        answers = list(given.values())
        if isinstance(self.method, MajorityVote):
            labels, contested = vote(answers, len(self.words[sentence]))
            errors, expected = vote_errors(answers, labels)
            return Opinion(labels, contested, errors, expected + len(spans(labels)))
        columns = columns_of([(sentence, given, False)])
        lengths = np.array([len(self.words[sentence])])
        beliefs = self.model.judge(columns, lengths, Ragged.of([self.words[sentence]], np.int32))
        return Opinion(
            tuple(beliefs.labels[0].tolist()),
            bool(beliefs.contested[0]),
            float(beliefs.errors[0]),
            float(beliefs.found[0] + beliefs.expected[0]),
        )

    def learn(self, settled: list[tuple[int, Given, bool]]) -> None:
        """Take in sentences with their answers; True means that an expert has labelled one."""
        self.log += settled
        enough = self.fitted + max(50, 0.15 * self.fitted)
        if not isinstance(self.method, MajorityVote) and len(self.log) >= enough:
            self.model = self.fit(self.model)
            self.fitted = len(self.log)

    def fit(self, before: Model | None) -> Model:
        """Learn from the whole log."""
        gold = self.scene.dataset.gold
        sentences = [sentence for sentence, _, _ in self.log]
        evidence = Evidence(
            columns_of(self.log),
            np.array([len(self.words[s]) for s in sentences], np.int64),
            len(self.scene.dataset.labels),
            len(self.scene.workers),
            Ragged.of([gold[s].tolist() if known else [] for s, _, known in self.log]),
            Ragged.of([self.words[s] for s in sentences], np.int32),
            len(self.numbers),
        )
        return self.method.fit(evidence, before)


def columns_of(rows: list[tuple[int, Given, bool]]) -> Answers:
    """Return the answers on sentences as columns."""
    flat = [(k, w, codes) for k, (_, given, _) in enumerate(rows) for w, codes in given.items()]
    return Answers(
        np.array([k for k, _, _ in flat], np.int32),
        np.array([w for _, w, _ in flat], np.int32),
        Ragged.of([codes for _, _, codes in flat]),
        len(rows),
    )
