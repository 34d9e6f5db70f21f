"""Everything that is refused, word by word, with what to do about it."""

from pathlib import Path

import numpy as np
import pytest

from spancrew.core import Dataset, Ragged
from spancrew.errors import SpancrewError
from spancrew.formats import read
from spancrew.workbench import plan

GOLDEN = Path(__file__).parent / "refusals.txt"
DEMO = read("demo").dataset


def of_workers(dataset: Dataset, count: int) -> Dataset:
    """Return what the first workers have answered."""
    answers = dataset.answers
    rows = np.flatnonzero(answers.worker < count)
    kept = answers.take(rows, answers.sentence[rows], len(dataset))
    return Dataset(dataset.labels, dataset.sentences, dataset.workers[:count], dataset.gold, kept)


def one_answer(dataset: Dataset) -> Dataset:
    """Return the first answer on each sentence."""
    answers = dataset.answers
    rows = answers.first[:-1][answers.per_sentence > 0]
    kept = answers.take(rows, answers.sentence[rows], len(dataset))
    return Dataset(dataset.labels, dataset.sentences, dataset.workers, dataset.gold, kept)


def without_gold(dataset: Dataset) -> Dataset:
    """Return the answers alone."""
    gold = Ragged(dataset.gold.values[:0], np.zeros(len(dataset) + 1, np.int64))
    return Dataset(dataset.labels, dataset.sentences, dataset.workers, gold, dataset.answers)


CASES: dict[str, tuple[Dataset | None, dict[str, object]]] = {
    "quality of 95": (DEMO, {"quality": 95}),
    "quality of 0": (DEMO, {"quality": 0}),
    "budget below the warm-up": (DEMO, {"budget": 3.5, "sentences": 20}),
    "budget below two answers": (DEMO, {"budget": 900, "sentences": 5_000}),
    "deadline nobody can keep": (DEMO, {"sentences": 100_000, "deadline": "2d"}),
    "deadline of a day": (DEMO, {"sentences": 100_000, "deadline": "1d"}),
    "deadline that is none": (DEMO, {"deadline": "soon"}),
    "one answer per sentence": (one_answer(DEMO), {}),
    "no gold": (without_gold(DEMO), {}),
    "three workers": (of_workers(DEMO, 3), {}),
    "ten sentences": (DEMO.take(np.arange(10)), {}),
    "one worker": (DEMO, {"workers": 1}),
    "a day of 30 hours": (DEMO, {"worker_hours": 30}),
    "fewer experts than none": (DEMO, {"experts": -1}),
    "no sentences": (DEMO, {"sentences": 0}),
    "neither pilot nor assumption": (None, {}),
    "both at once": (DEMO, {"assume": "opinions"}),
    "assumption without a size": (None, {"assume": "opinions"}),
    "unknown assumption": (None, {"assume": "tweets"}),
    "assumed F1 of 70": (None, {"assume": "worker_f1=70"}),
    "assumed F1 that is none": (None, {"assume": "worker_f1=high"}),
}


def told(dataset: Dataset | None, wishes: dict[str, object]) -> str:
    """Return what a plan is refused with."""
    with pytest.raises(SpancrewError) as refused:
        plan(dataset, **wishes)  # type: ignore[arg-type]
    return str(refused.value)


def test_each_refusal_says_what_is_wrong_and_what_to_do() -> None:
    """All of them come before anything is rehearsed; the texts are in refusals.txt."""
    found = "".join(f"{name}: {told(*given)}\n" for name, given in CASES.items())

    assert found == GOLDEN.read_text("utf-8")
