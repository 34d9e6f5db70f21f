"""Give every sentence of a data set its final labels."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np

from spancrew.consensus._audition import Audition
from spancrew.consensus._base import Beliefs, Consensus, Evidence
from spancrew.consensus._beliefs import clamped
from spancrew.consensus._members import CrewModel, heard
from spancrew.consensus._registry import consensus_method, consensus_name
from spancrew.consensus._reliability import Reliability, reliability, shared_spans
from spancrew.consensus._suited import suited_to
from spancrew.core import EXPERT, BoolArray, Dataset, Finals, IntArray, Ragged, offsets_of
from spancrew.errors import SpancrewError

_DIGITS = 6
"""Of a probability; no method knows more of them."""


class Aggregated(NamedTuple):
    """A data set with final labels, these labels, and what they rest on.

    ``beliefs`` hold experts' labels as certain and nothing where nobody answered; ``reliability``
    is by worker, of the crowd's answers only. ``auditions`` say how models did.
    """

    dataset: Dataset
    finals: Finals
    evidence: Evidence
    beliefs: Beliefs
    reliability: Reliability
    auditions: tuple[Audition, ...] = ()

    def __repr__(self) -> str:
        """Return the data set with its final labels, without the columns."""
        return f"Aggregated({self.dataset!r})"

    @property
    def is_silent(self) -> BoolArray:
        """Tell for every sentence whether neither the crowd nor an expert has answered it."""
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
    true: such sentences keep these labels, and they teach the method. Gold is not used
    otherwise. For choices a method takes the form that suits them; one for spans only is refused.
    A sentence that nobody answered gets no spans and the confidence 0.
    """
    method = consensus_method(method) if isinstance(method, str) else method
    name, method = consensus_name(method), suited_to(method, dataset.kind)
    crowd, known = _separate_experts(dataset, experts, trust_gold=trust_gold)
    evidence = Evidence.of(crowd, known)
    model = heard(method, evidence).fit(evidence)
    judged = model.judge(evidence.answers, evidence.lengths, evidence.words)
    beliefs = _silenced(clamped(judged, known), evidence)
    finals = _finals(beliefs, evidence, dataset, name)
    settled = replace(dataset, finals=finals)
    auditions = model.auditions if isinstance(model, CrewModel) else ()
    ranked = reliability(evidence, beliefs)
    return Aggregated(settled, finals, evidence, beliefs, ranked, auditions)


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


def _separate_experts(
    dataset: Dataset, experts: Sequence[str], *, trust_gold: bool
) -> tuple[Dataset, Ragged]:
    """Return the data set with the crowd's answers alone, and the codes that count as true.

    There is a row of codes for every sentence, empty where nothing is known. If two experts
    answered a sentence, the one named first counts; gold, if trusted, counts before any of them.
    """
    _refuse_no_answers(dataset, trust_gold=trust_gold)
    ranks = _ranks(dataset.workers, experts)[dataset.answers.worker]
    crowd = np.flatnonzero(ranks == 0)
    if not len(crowd):
        raise SpancrewError("every answer is an expert's: there are none of the crowd to join")
    spoken = _first_by_rank(dataset.answers.sentence.astype(np.int64), ranks)
    known = {int(dataset.answers.sentence[k]): dataset.answers.codes[k] for k in spoken.tolist()}
    if trust_gold:
        known |= {s: dataset.gold[s] for s in np.flatnonzero(dataset.has_gold).tolist()}
    nothing = np.zeros(0, dataset.labels.dtype)
    rows = [known.get(position, nothing) for position in range(len(dataset))]
    lengths = np.array([len(row) for row in rows], np.int64)
    answers = dataset.answers.take(crowd, dataset.answers.sentence[crowd], len(dataset))
    known_codes = Ragged(np.concatenate([nothing, *rows]), offsets_of(lengths))
    return replace(dataset, answers=answers), known_codes


def _refuse_no_answers(dataset: Dataset, *, trust_gold: bool) -> None:
    if not len(dataset.answers):
        raise SpancrewError(
            "no sentence has an answer, so there is nothing to join: answers of workers are needed"
        )
    if trust_gold and not dataset.has_gold.any():
        raise SpancrewError("no sentence has gold, so there is none to trust (--trust-gold)")


def _ranks(workers: Sequence[str], experts: Sequence[str]) -> IntArray:
    """Return every worker's place among the experts from 1; 0 for one of the crowd."""
    ranks = np.zeros(len(workers), np.int64)
    for rank, name in enumerate(dict.fromkeys(experts), start=1):
        if name not in workers:
            near = get_close_matches(name, workers, 1)
            hint = f"did you mean {near[0]!r}?" if near else "spancrew inspect --json lists them"
            raise SpancrewError(f"expert {name!r} is not among the workers: {hint}")
        ranks[workers.index(name)] = rank
    return ranks


def _first_by_rank(sentence: IntArray, ranks: IntArray) -> IntArray:
    """Return for each sentence that experts answered the answer of the one named first."""
    rows = np.flatnonzero(ranks)
    ordered = rows[np.lexsort((ranks[rows], sentence[rows]))]
    _, first = np.unique(sentence[ordered], return_index=True)
    return ordered[first]
