"""Dawid and Skene's method, against crowd-kit and by hand."""

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from spancrew.consensus import DawidSkene, Evidence, MajorityVote
from spancrew.core import Answers, FloatArray, Ragged
from spancrew.errors import SpancrewError
from spancrew.formats import read
from spancrew.testing._believed import by_experts, f1_of, nothing
from spancrew.testing._made_up import MadeUpCrowd

NAMES = ("made up", "bundled")


def crowd(name: str) -> Evidence:
    """Return answers in which every worker gives every code.

    Of a true code that a worker has never met, crowd-kit takes all codes that this worker has ever
    given for equally likely; we take all codes there are.
    """
    evidence = Evidence.of(read("demo").dataset)
    if name == "made up":
        evidence, _ = MadeUpCrowd(sentences=100).made()
    codes, size = evidence.answers.codes, evidence.answers.codes.lengths
    given = np.unique(np.stack([np.repeat(evidence.answers.worker, size), codes.values]), axis=1)

    assert given.shape[1] == evidence.workers * (2 * evidence.labels + 1)
    return evidence


def labels_by_token(evidence: Evidence) -> Any:
    """Return the answers as crowd-kit wants them: a row for every token of an answer."""
    import pandas as pd

    answers, codes = evidence.answers, evidence.answers.codes
    starts = np.concatenate([[0], np.cumsum(evidence.lengths)])[answers.sentence]
    within = np.arange(codes.offsets[-1]) - np.repeat(codes.offsets[:-1], codes.lengths)
    columns = {
        "task": np.repeat(starts, codes.lengths) + within,
        "worker": np.repeat(answers.worker, codes.lengths),
        "label": np.concatenate(list(codes)).astype(np.int64),
    }
    return pd.DataFrame(columns)


def peer(method: str, evidence: Evidence, **options: float) -> FloatArray:
    """Return crowd-kit's probability of every code of every token."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it uses what pandas will drop
        from crowdkit import aggregation

        data = labels_by_token(evidence)
        found = getattr(aggregation, method)(**options).fit_predict_proba(data).sort_index()
    codes = np.flatnonzero(evidence.possible).tolist()
    chances: FloatArray = found[codes].to_numpy()
    return chances


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("iterations", [1, 2, 7])
def test_probabilities_are_those_of_crowd_kit(name: str, iterations: int) -> None:
    """It counts the round with which the answers are judged in the end as an iteration."""
    evidence = crowd(name)
    model = DawidSkene(iterations, smoothing=1e-10, trust=0.0).fit(evidence)
    ours = model.chances(evidence.answers, evidence.lengths)
    theirs = peer("DawidSkene", evidence, n_iter=iterations + 1, tol=-np.inf)

    assert np.allclose(ours, theirs, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_where_there_is_no_tie_the_majority_is_that_of_crowd_kit(name: str) -> None:
    """Before an I that continues nothing becomes a B."""
    evidence = crowd(name)
    ours = np.concatenate(list(MajorityVote().judge(evidence.answers, evidence.lengths).labels))
    shares = peer("MajorityVote", evidence)
    theirs, ranked = shares.argmax(axis=1), np.sort(shares, axis=1)
    clear = ranked[:, -1] > ranked[:, -2]
    is_inside = (theirs > 0) & (theirs % 2 == 0)

    assert clear.mean() > 0.8
    assert (ours[clear & ~is_inside] == theirs[clear & ~is_inside]).all()
    assert np.isin(theirs[clear & is_inside] - ours[clear & is_inside], [0, 1]).all()


def test_what_an_expert_says_is_true() -> None:
    """Workers are measured by it: here all but the expert confuse two labels."""
    evidence, gold = MadeUpCrowd(labels=2, worst=1.0, best=1.0).made()
    answers = [np.array([0, 3, 4, 1, 2])[row].tolist() for row in evidence.answers.codes]
    codes = Ragged.of(answers)
    confused = replace(evidence, answers=replace(evidence.answers, codes=codes))
    alone = DawidSkene().fit(confused)
    known = by_experts(gold, np.arange(len(gold)) < 60)
    taught = DawidSkene().fit(replace(confused, known=known))

    assert f1_of(alone, confused, gold) < 0.1
    assert f1_of(taught, confused, gold) == 1.0


def test_a_reliable_worker_outvotes_two_who_guess() -> None:
    """Which a vote cannot do."""
    sheets = MadeUpCrowd(sentences=600, workers=3, answers=3, worst=0.1, best=0.98, labels=2)
    evidence, gold = sheets.made()

    assert f1_of(DawidSkene().fit(evidence), evidence, gold) > 0.05 + f1_of(
        MajorityVote(), evidence, gold
    )


def test_a_worker_who_never_gave_a_code_may_give_it_later() -> None:
    """The prior serves for what has not been seen."""
    evidence, _ = MadeUpCrowd(sentences=30).made()
    model = DawidSkene().fit(evidence)
    only_outside = replace(evidence, answers=_outside(evidence.answers))
    narrow = DawidSkene().fit(only_outside)
    chance = narrow.chances(evidence.answers, evidence.lengths)

    assert len(narrow.confusion.rates) == evidence.workers
    assert len(model.confusion.rates) > evidence.workers
    assert np.isfinite(chance).all()
    assert np.allclose(chance.sum(axis=1), 1.0)


def test_memory_grows_with_the_codes_that_workers_give() -> None:
    """Not with workers times codes times codes, which would be 13 GB here."""
    evidence, _ = MadeUpCrowd(sentences=500, workers=4).made()
    worker = np.arange(len(evidence.answers), dtype=np.int32)
    many = replace(
        evidence, answers=replace(evidence.answers, worker=worker), labels=200, workers=10_000
    )
    model = DawidSkene(iterations=1).fit(many)

    assert sum(np.asarray(part).nbytes for part in model.confusion) < 100e6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"iterations": 0}, "iterations 0: at least 1 is needed"),
        ({"refits": 0}, "refits 0: at least 1 is needed"),
        ({"smoothing": 0.0}, "smoothing 0: it counts answers, so it must be above 0"),
        ({"trust": -1.0}, "trust -1: it counts answers, so it must be 0 or more"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, float], message: str) -> None:
    """With the value, and what is possible."""
    with pytest.raises(SpancrewError, match=message):
        DawidSkene(**options)  # type: ignore[arg-type]


def test_labels_and_workers_that_were_not_announced_are_refused() -> None:
    """Kernels would read beyond their tables."""
    evidence, gold = MadeUpCrowd(sentences=10).made()
    model = DawidSkene().fit(replace(nothing(), labels=1))
    silent = replace(evidence, answers=_outside(evidence.answers), labels=2)

    with pytest.raises(SpancrewError, match="label number 2, but the model was fitted with 1 lab"):
        model.judge(evidence.answers, evidence.lengths)
    with pytest.raises(SpancrewError, match="label number 2"):
        DawidSkene().fit(replace(evidence, labels=2))
    with pytest.raises(SpancrewError, match="label number 2"):
        DawidSkene().fit(replace(silent, known=gold))
    with pytest.raises(SpancrewError, match="worker number 7, but there are 7 workers"):
        DawidSkene().fit(replace(evidence, workers=7))


def _outside(answers: Answers) -> Answers:
    """Return answers without a span."""
    return replace(answers, codes=Ragged.of([[0] * len(row) for row in answers.codes]))
