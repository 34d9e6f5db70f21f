"""Evidence for the contract of consensus methods, and checks of what is believed."""
# ruff: noqa: S101  asserts are what a contract is made of

from dataclasses import replace

import numpy as np

from spancrew.consensus import Beliefs, Evidence, Model
from spancrew.core import Answers, BoolArray, IntArray, LabelSet, Ragged, is_valid
from spancrew.metrics import Metric
from spancrew.testing._made_up import MadeUpCrowd, evidence_of

_NEAR = 1e-9


def nothing() -> Evidence:
    """Return evidence of three labels and eight workers, without a sentence."""
    return some_of(MadeUpCrowd(sentences=1).made()[0], np.zeros(0, np.int64))


def judged(model: Model, evidence: Evidence) -> Beliefs:
    """Return what a model makes of all sentences, words included."""
    return model.judge(evidence.answers, evidence.lengths, evidence.words)


def f1_of(model: Model, evidence: Evidence, gold: Ragged) -> float:
    """Return the exact F1 of what a model makes of all sentences."""
    return score(judged(model, evidence).labels, gold)


def score(labels: Ragged, gold: Ragged) -> float:
    """Return the exact F1 of labels."""
    return Metric().pool(labels, gold).f1


def check(evidence: Evidence, beliefs: Beliefs) -> None:
    """Check shapes and ranges, and that the labels are an answer that could be given."""
    count, labels = len(evidence.lengths), beliefs.labels
    names = LabelSet(tuple(f"L{k:03}" for k in range(evidence.labels)))

    assert labels.lengths.tolist() == evidence.lengths.tolist()
    assert all(is_valid(row, names) for row in labels)
    assert beliefs.contested.dtype == np.bool_
    assert beliefs.contested.shape == (count,)
    for column, most in (
        (beliefs.confidence, 1.0),
        (beliefs.errors, np.inf),
        (beliefs.expected, np.inf),
    ):
        assert column.shape == (count,)
        assert np.isfinite(column).all()
        assert ((column >= 0) & (column <= most)).all()
    assert beliefs.spans.shape == labels.values.shape
    assert ((beliefs.spans >= 0) & (beliefs.spans <= 1)).all()
    assert not beliefs.spans[labels.values % 2 == 0].any()


def check_same(one: Beliefs, other: Beliefs, within: float = _NEAR) -> None:
    """Check that two beliefs are the same, up to rounding."""
    assert one.labels == other.labels
    assert one.contested.tolist() == other.contested.tolist()
    for first, second in zip(one[2:], other[2:], strict=True):
        assert isinstance(first, np.ndarray)
        assert np.allclose(first, np.asarray(second), rtol=0, atol=within)


def part_of(beliefs: Beliefs, sentence: int) -> Beliefs:
    """Return what is believed of one sentence."""
    low, high = beliefs.labels.offsets[sentence : sentence + 2]
    here = slice(sentence, sentence + 1)
    return Beliefs(
        beliefs.labels.take(np.array([sentence])),
        beliefs.contested[here],
        beliefs.spans[low:high],
        beliefs.confidence[here],
        beliefs.errors[here],
        beliefs.expected[here],
    )


def some_of(evidence: Evidence, sentences: IntArray) -> Evidence:
    """Return the evidence of some sentences."""
    answers = evidence.answers
    rows = [np.arange(*answers.first[s : s + 2]) for s in sentences.tolist()]
    owner = np.repeat(np.arange(len(sentences)), [len(row) for row in rows])
    kept = np.concatenate([np.zeros(0, np.int64), *rows])
    return replace(
        evidence,
        answers=answers.take(kept, owner, len(sentences)),
        lengths=evidence.lengths[sentences],
        known=None if evidence.known is None else evidence.known.take(sentences),
        words=None if evidence.words is None else evidence.words.take(sentences),
        weight=None if evidence.weight is None else evidence.weight[sentences],
        audit=None if evidence.audit is None else evidence.audit[sentences],
    )


def audited(evidence: Evidence, labels: Ragged, sentences: IntArray, weight: float) -> Evidence:
    """Return evidence with audits of some sentences, each behind the sentence's own row."""
    rows = np.sort(np.concatenate([np.arange(len(evidence.lengths)), sentences]))
    is_audit = np.append(False, rows[1:] == rows[:-1])
    nothing_known = Ragged.of([[] for _ in evidence.lengths])
    known = (nothing_known if evidence.known is None else evidence.known).take(rows)
    told = [
        by_audit if is_blind else by_expert
        for by_audit, by_expert, is_blind in zip(labels.take(rows), known, is_audit, strict=True)
    ]
    return replace(
        some_of(replace(evidence, known=None), rows),
        known=Ragged.of([row.tolist() for row in told]),
        weight=np.where(is_audit, weight, 1.0),
        audit=is_audit,
    )


def turned(answers: Answers) -> Answers:
    """Return the answers of every sentence, the last one first."""
    rows = np.lexsort((-np.arange(len(answers)), answers.sentence))
    return answers.take(rows, answers.sentence, answers.sentences)


def by_experts(gold: Ragged, spoken: BoolArray) -> Ragged:
    """Return gold where an expert has labelled a sentence, and empty rows elsewhere."""
    return Ragged.of(
        [row.tolist() if known else [] for row, known in zip(gold, spoken, strict=True)]
    )


def by_chance(rng: np.random.Generator) -> Evidence:
    """Return one to four sentences with none to four answers each."""
    lengths = rng.integers(1, 6, rng.integers(1, 5))
    count = rng.integers(0, 5, len(lengths))
    labels = int(rng.integers(1, 4))
    rows = [
        _row(rng, int(n), labels) for n, k in zip(lengths, count, strict=True) for _ in range(k)
    ]
    answers = Answers(
        np.repeat(np.arange(len(lengths)), count).astype(np.int32),
        np.concatenate([rng.permutation(4)[:k] for k in count]).astype(np.int32),
        Ragged.of(rows),
        len(lengths),
    )
    gold = Ragged.of([_row(rng, int(n), labels) for n in lengths])
    known = by_experts(gold, rng.random(len(lengths)) < 0.3)
    return replace(evidence_of(answers, lengths, labels, 4, rng), known=known)


def _row(rng: np.random.Generator, length: int, labels: int) -> list[int]:
    codes: list[int] = []
    for _ in range(length):
        before = codes[-1] if codes else 0
        begin = int(rng.integers(0, labels + 1)) * 2 - 1
        codes.append(before + before % 2 if before and rng.random() < 0.4 else max(begin, 0))
    return codes
