"""Give every sentence of a data set its final labels."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from spancrew.consensus._base import Beliefs, Consensus, Evidence
from spancrew.consensus._clamped import clamped
from spancrew.consensus._experts import hear
from spancrew.consensus._registry import consensus_method, consensus_name
from spancrew.consensus._reliability import Reliability, reliability
from spancrew.consensus._shared_spans import shared_spans
from spancrew.core import EXPERT, BoolArray, Dataset, Finals, Ragged

_DIGITS = 6
"""Of a probability; no method knows more of them."""


class Aggregated(NamedTuple):
    """A data set with final labels, these labels, and what they rest on.

    ``beliefs`` hold experts' labels as certain and nothing where nobody answered; ``reliability``
    is by worker, of the crowd's answers only.
    """

    dataset: Dataset
    finals: Finals
    evidence: Evidence
    beliefs: Beliefs
    reliability: Reliability

    @property
    def is_silent(self) -> BoolArray:
        """Tell for every sentence whether neither the crowd nor an expert has spoken."""
        return _is_silent(self.evidence)


def aggregate(
    dataset: Dataset,
    method: Consensus | str = "auto",
    experts: Sequence[str] = (),
    *,
    trust_gold: bool = False,
) -> Aggregated:
    """Join all answers into final labels with confidence, votes and who decided.

    ``method`` is a consensus method or its name; it learns from all sentences at once.
    ``experts`` are workers whose answers count as true, and with ``trust_gold`` gold counts as
    true: such sentences keep these labels, and they teach the method. Gold is not looked at
    otherwise. A sentence that nobody answered gets no spans and the confidence 0.
    """
    method = consensus_method(method) if isinstance(method, str) else method
    heard = hear(dataset, experts, trust_gold=trust_gold)
    evidence = Evidence.of(heard.crowd, heard.known)
    model = method.fit(evidence)
    judged = model.judge(evidence.answers, evidence.lengths, evidence.words)
    beliefs = _silenced(clamped(judged, heard.known), evidence)
    finals = _finals(beliefs, evidence, dataset, consensus_name(method))
    settled = replace(dataset, finals=finals)
    return Aggregated(settled, finals, evidence, beliefs, reliability(evidence, beliefs))


def _is_silent(evidence: Evidence) -> BoolArray:
    is_unanswered: BoolArray = evidence.answers.per_sentence == 0
    return is_unanswered & ~evidence.is_known


def _silenced(beliefs: Beliefs, evidence: Evidence) -> Beliefs:
    """Return beliefs that say nothing where nobody has said anything."""
    is_silent = _is_silent(evidence)
    if not is_silent.any():
        return beliefs
    tokens = np.repeat(is_silent, beliefs.labels.lengths)
    labels = np.where(tokens, 0, beliefs.labels.values).astype(beliefs.labels.values.dtype)
    return beliefs._replace(
        labels=Ragged(labels, beliefs.labels.offsets),
        contested=beliefs.contested & ~is_silent,
        spans=np.where(tokens, 0.0, beliefs.spans),
        confidence=np.where(is_silent, 0.0, beliefs.confidence),
    )


def _finals(beliefs: Beliefs, evidence: Evidence, dataset: Dataset, name: str) -> Finals:
    labels = beliefs.labels
    votes = shared_spans(evidence.answers, labels).votes(len(labels.values))
    return Finals(
        Ragged(labels.values.astype(dataset.labels.dtype), labels.offsets),
        np.clip(np.round(beliefs.spans, _DIGITS), 0.0, 1.0),
        votes.astype(np.int32),
        np.clip(np.round(beliefs.confidence, _DIGITS), 0.0, 1.0),
        evidence.answers.per_sentence.astype(np.int32),
        tuple(EXPERT if known else name for known in evidence.is_known.tolist()),
    )
