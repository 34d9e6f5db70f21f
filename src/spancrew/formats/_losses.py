"""Say what a format cannot hold: one line per kind of thing, with its count."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from spancrew.core import Dataset, Sentence
from spancrew.errors import Place
from spancrew.formats._base import Repair


class Loss(NamedTuple):
    """A number of things that a format leaves out, in the singular, and what to do instead."""

    number: int
    one: str
    more: str
    because: str
    remedy: str = "write spancrew to keep them"


def report(losses: Iterable[Loss], path: Path) -> tuple[Repair, ...]:
    """Return a repair for each kind of thing that was left out at all."""
    place = Place(str(path))
    return tuple(
        Repair(
            "not-written",
            place,
            f"{loss.number} {loss.one if loss.number == 1 else loss.more}: {loss.because}; "
            f"{loss.remedy}",
        )
        for loss in losses
        if loss.number
    )


def ids(count: int, name: str) -> Loss:
    """Say how many sentences reading gives another id."""
    return Loss(count, "sentence id", "sentence ids", f"{name} numbers sentences instead")


def metas(count: int, name: str) -> Loss:
    """Say how many sentences have provenance that is not held."""
    return Loss(count, "sentence with meta", "sentences with meta", f"{name} has no place for it")


def texts(dataset: Dataset, name: str) -> Loss:
    """Count the sentences that are not their tokens joined by blanks."""
    count = sum(not is_spaced(sentence) for sentence in dataset.sentences)
    return Loss(count, "original text", "original texts", f"{name} holds tokens only")


def is_spaced(sentence: Sentence) -> bool:
    """Tell whether a text is its tokens joined by single blanks."""
    return sentence.text == " ".join(sentence.tokens)


def details(dataset: Dataset, name: str) -> Loss:
    """Count the answers with a duration, a time or a source."""
    answers = dataset.answers
    marked = np.zeros(len(answers), bool)
    for times in (answers.seconds, answers.at):
        marked |= False if times is None else ~np.isnan(times)
    marked |= False if answers.source is None else answers.source >= 0
    return Loss(
        int(marked.sum()),
        "answer with seconds, time or source",
        "answers with seconds, time or source",
        f"{name} holds spans only",
    )


def idle_workers(dataset: Dataset, name: str) -> Loss:
    """Count the workers without answers."""
    count = len(dataset.workers) - len(np.unique(dataset.answers.worker))
    return Loss(
        count, "worker without answers", "workers without answers", f"{name} holds answers only"
    )


def idle_labels(dataset: Dataset, name: str, *, gold: bool = True, answers: bool = True) -> Loss:
    """Count the labels that no span written uses."""
    used: set[int] = set()
    if gold:
        used.update(np.unique(dataset.gold.values).tolist())
    if answers:
        used.update(np.unique(dataset.answers.codes.values).tolist())
    count = sum(2 * k + 1 not in used for k in range(len(dataset.labels)))
    return Loss(
        count,
        "label without spans",
        "labels without spans",
        f"{name} declares none",
        "name them when reading (--labels)",
    )


def tokens(changed: int, name: str) -> Loss:
    """Count the tokens that had to be altered."""
    return Loss(
        changed,
        "token with tabs, line ends or outer blanks",
        "tokens with tabs, line ends or outer blanks",
        f"{name} keeps one token per line, they are written with _",
    )
