"""Say what a format cannot hold: one line per kind of thing, with its count."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from spancrew.core import Dataset, Sentence
from spancrew.errors import Place
from spancrew.formats._base import Repair


class Loss(NamedTuple):
    """A number of things that a format leaves out, why, and what to do instead.

    ``more`` is their plural where that is not ``one`` with an s behind its first word.
    """

    number: int
    one: str
    because: str
    remedy: str = "write spancrew to keep them"
    more: str = ""

    @property
    def counted(self) -> str:
        """Return the number with its noun."""
        noun, blank, rest = self.one.partition(" ")
        more = self.more or f"{noun}s{blank}{rest}"
        return f"{self.number} {self.one if self.number == 1 else more}"


def report(losses: Iterable[Loss], path: Path) -> tuple[Repair, ...]:
    """Return a repair for each kind of thing that was left out at all."""
    return tuple(
        Repair("not-written", Place(str(path)), f"{loss.counted}: {loss.because}; {loss.remedy}")
        for loss in losses
        if loss.number
    )


def ids(count: int, name: str) -> Loss:
    """Say how many sentences reading gives another id."""
    because = f"{name} numbers sentences instead"
    return Loss(count, "sentence id", because, more="sentence ids")


def metas(count: int, name: str) -> Loss:
    """Say how many sentences have provenance that is not held."""
    return Loss(count, "sentence with meta", f"{name} has no place for it")


def clashing_metas(dataset: Dataset, fields: Iterable[str], name: str) -> Loss:
    """Count the sentences whose provenance has the name of a field of the format."""
    taken = set(fields)
    count = sum(not taken.isdisjoint(meta) for meta in dataset.sentences.metas.values())
    return metas(count, name)


def texts(dataset: Dataset, name: str) -> Loss:
    """Count the sentences that are not their tokens joined by blanks."""
    count = sum(not is_spaced(sentence) for sentence in dataset.sentences)
    because = f"{name} holds tokens only"
    return Loss(count, "original text", because, more="original texts")


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
        f"{name} holds spans only",
    )


def idle_workers(dataset: Dataset, name: str) -> Loss:
    """Count the workers without answers."""
    count = len(dataset.workers) - len(np.unique(dataset.answers.worker))
    return Loss(count, "worker without answers", f"{name} holds answers only")


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
        f"{name} declares none",
        "declare the labels when reading",
    )


def unused(dataset: Dataset, name: str) -> tuple[Loss, Loss]:
    """Count the labels without spans and the workers without answers."""
    return idle_labels(dataset, name), idle_workers(dataset, name)


def tokens(changed: int, name: str) -> Loss:
    """Count the tokens that had to be altered."""
    return Loss(
        changed,
        "token with tabs, line ends or outer blanks",
        f"{name} keeps one token per line, they are written with _",
    )
