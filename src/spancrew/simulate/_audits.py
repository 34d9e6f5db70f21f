"""Audits in rehearsals: what experts say of sentences that the crowd has settled."""

from collections.abc import Iterator

import numpy as np

from spancrew.certificates import (
    BY_CROWD,
    BY_EXPERT,
    AuditedLabels,
    Certificate,
    certificate_of,
)
from spancrew.consensus import Beliefs, is_worse, taken, together
from spancrew.core import BoolArray, Chance, IntArray, Ragged, offsets_of
from spancrew.feedback import (
    Doubts,
    Labelled,
    audit_chance,
    audit_lots,
    still_to_audit,
)
from spancrew.metrics import Metric
from spancrew.policies import Groups
from spancrew.simulate._models import JudgedSentences
from spancrew.simulate._scene import Scene

_EXACT = Metric("exact")


class Audits:
    """Which sentences of the crowd are audited in every run.

    ``audited`` marks them (runs x sentences); what is ``by_expert`` already needs no audit. An
    expert answers at once, but the consensus method learns from it a step later, as in a live
    campaign, where the expert may not be that quick.
    """

    def __init__(self, audit: float, scene: Scene, chance: Chance, by_expert: BoolArray) -> None:
        size = len(scene.dataset)
        self._audit = audit
        self._scene = scene
        self._known = by_expert
        self._chance = audit_chance(audit, size)
        self._lots = audit_lots(chance, size) if audit else np.ones((len(chance.seeds), 0))
        self._parts: list[tuple[IntArray, IntArray, Beliefs]] = []
        self.audited = np.zeros((len(chance.seeds), size), bool)

    def draw(
        self, groups: Groups, beliefs: Beliefs, trusted: BoolArray, doubts: Doubts
    ) -> Groups | None:
        """Audit some of the sentences of a step that the crowd has settled; return them.

        None if there are no audits at all.
        """
        if not self._audit:
            return None
        crowd = np.flatnonzero(trusted)
        run, sentence = groups.run[crowd], groups.sentence[crowd]
        self._parts.append((run, sentence, taken(beliefs, crowd)))
        is_open = ~self._known[run, sentence]
        rows = crowd[is_open & (self._lots[run, sentence] < self._chance)]
        drawn = Groups(groups.run[rows], groups.sentence[rows], groups.crew[rows])
        self.audited[drawn.run, drawn.sentence] = True
        doubts.learn_audit(drawn.run, labelled(self._scene, taken(beliefs, rows), drawn.sentence))
        return drawn

    def add_rest(self) -> None:
        """Audit what is missing when all sentences are settled."""
        for run, part in enumerate(self.by_run()):
            sentence = part.sentence[~self._known[run, part.sentence]]
            rows = still_to_audit(
                self._audit, self._lots[run, sentence], self.audited[run, sentence]
            )
            self.audited[run, sentence[rows]] = True

    def by_run(self) -> Iterator[JudgedSentences]:
        """Yield what the crowd has settled in every run; nothing where there are no audits."""
        if not self._parts:
            return
        runs, sentences, beliefs = zip(*self._parts, strict=True)
        run, sentence = np.concatenate(runs), np.concatenate(sentences)
        stated = together(beliefs)
        self._parts = [(run, sentence, stated)]
        for each in range(len(self.audited)):
            rows = np.flatnonzero(run == each)
            yield JudgedSentences(sentence[rows], taken(stated, rows))

    def are_worse(self, run: int, stated: JudgedSentences, revised: JudgedSentences) -> bool:
        """Tell whether audits show that revised labels of a run are worse than those stated."""
        audited = stated.sentence[self.audited[run, stated.sentence]]
        settled, later = (part.only(audited).beliefs.labels for part in (stated, revised))
        return is_worse(self._scene.dataset.gold.take(audited), settled, later)

    def certificate(self, run: int, crowd: JudgedSentences) -> Certificate:
        """Return what the audits of a run say of these labels of the crowd."""
        gold = self._scene.dataset.gold
        is_expert = self._known[run].copy()
        is_expert[crowd.sentence] = False
        experts = np.flatnonzero(is_expert)
        sentence = np.concatenate([crowd.sentence, experts])
        is_audited = self.audited[run, sentence]
        asked = gold.take(sentence[is_audited])
        found = AuditedLabels.of(
            self._scene.dataset.labels,
            Ragged.joined([crowd.beliefs.labels, gold.take(experts)]),
            np.concatenate([crowd.beliefs.spans, np.zeros(int(gold.lengths[experts].sum()))]),
            np.concatenate([crowd.beliefs.expected, np.zeros(len(experts))]),
            Ragged(asked.values, offsets_of(np.where(is_audited, gold.lengths[sentence], 0))),
            np.where(np.arange(len(sentence)) < len(crowd.sentence), BY_CROWD, BY_EXPERT),
        )
        return certificate_of(found)


def labelled(scene: Scene, beliefs: Beliefs, sentence: IntArray) -> Labelled:
    """Return what experts who label sentences find of what was believed."""
    dataset = scene.dataset
    tallies = _EXACT.tallies(beliefs.labels, dataset.gold, dataset.labels, sentence)
    right, _, given, true = tallies.sum(axis=1).T
    return Labelled(beliefs.errors, given + true - 2 * right, 2.0 * given, true)
