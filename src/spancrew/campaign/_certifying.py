"""What audits say of the labels of a campaign."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from spancrew.campaign._brain import Revision
from spancrew.campaign._state import State
from spancrew.certificates import (
    BY_CROWD,
    BY_EXPERT,
    AuditedLabels,
    Certificate,
    certificate_of,
    guess_of,
)
from spancrew.core import FloatArray, IntArray, Ragged, offsets_of


class _Stated(NamedTuple):
    """Sentences of the crowd with the labels that count, and what was stated of them."""

    sentence: IntArray
    labels: Ragged
    chance: FloatArray
    expected: FloatArray


class LabelsSoFar(NamedTuple):
    """The sentences that are settled, those of the crowd first.

    ``codes`` are their labels before any audit, ``audits`` those of the experts who audited them,
    rows of nothing elsewhere; ``counted`` is what a certificate is made of.
    """

    sentence: IntArray
    codes: Ragged
    audits: Ragged
    counted: AuditedLabels

    def certificate(self, level: float, *, strict: bool) -> Certificate:
        """Return what audits say; where there are none, the model's guess."""
        if self.counted.is_by_crowd.any() and not self.counted.is_audited.any():
            return guess_of(self.counted)
        return certificate_of(self.counted, level, strict=strict)


def labels_so_far(state: State, revision: Revision | None = None) -> LabelsSoFar:
    """Return the labels so far with all that is known of them.

    With a revision, its labels count in place of those that were settled.
    """
    crowd = _settled(state) if revision is None else _revised(revision)
    others = _others(state, crowd.sentence)
    known = [state.known(each) for each in others.tolist()]
    sentence = np.concatenate([crowd.sentence, others])
    lengths = state.material.lengths[sentence]
    none = np.zeros(0, state.material.labels.dtype)
    values = np.concatenate([crowd.labels.values, *(each for each in known if each is not None)])
    codes = Ragged(values, offsets_of(lengths))
    is_audited = np.array([each in state.audited for each in crowd.sentence.tolist()], bool)
    asked = [state.experts_say[each] for each in crowd.sentence[is_audited].tolist()]
    sizes = np.zeros(len(sentence), np.int64)
    sizes[: len(is_audited)][is_audited] = crowd.labels.lengths[is_audited]
    audits = Ragged(np.concatenate([none, *asked]), offsets_of(sizes))
    counted = AuditedLabels.of(
        state.material.labels,
        codes,
        _padded(crowd.chance, len(values)),
        _padded(crowd.expected, len(sentence)),
        audits,
        np.where(np.arange(len(sentence)) < len(crowd.sentence), BY_CROWD, BY_EXPERT),
    )
    return LabelsSoFar(sentence, codes, audits, replace(counted, rank=state.lots[sentence]))


def _settled(state: State) -> _Stated:
    """Return what was stated when the sentences of the crowd were settled."""
    stated = state.stated
    labels = stated.labels(state.material)
    chance = np.zeros(len(labels.values))
    chance[labels.values % 2 == 1] = stated.chance.all
    return _Stated(stated.sentence.all.astype(np.int64), labels, chance, stated.expected.all)


def _revised(revision: Revision) -> _Stated:
    beliefs = revision.beliefs
    return _Stated(revision.sentence, beliefs.labels, beliefs.spans, beliefs.expected)


def _others(state: State, crowd: IntArray) -> IntArray:
    """Return the sentences whose labels are an expert's or gold."""
    unsettled = np.union1d(list(state.hand), state.order[state.taken :])
    known = np.union1d(list(state.experts_say), state.material.known)
    found = np.setdiff1d(known, np.union1d(unsettled, crowd))
    return found.astype(np.int64)


def _padded(values: FloatArray, size: int) -> FloatArray:
    """Return values with zeros behind them, up to a size."""
    padded = np.zeros(size)
    padded[: len(values)] = values
    return padded
