"""A zoo of drawn crowds: what can go wrong with people, each in a crowd of its own."""

from typing import NamedTuple

import numpy as np

from spancrew.consensus import Evidence
from spancrew.core import Answers, Ragged
from tests.consensus.invented import Invented

Place = tuple[int, int, int]
"""Start, end and label of a span."""


class Recipe(NamedTuple):
    """What kind of text, and what kind of people.

    ``density`` is the number of spans per token, ``empty`` the share of sentences without any and
    ``told`` how often a word gives its label away. Each worker sees a share of the spans between
    those of ``sees``, gets borders and labels right as often as those of ``care`` say, and marks
    something that is nothing ``slips`` times per token. ``spammers`` is the share of workers who
    mark at random, ``campers`` that of workers who take in one more token on principle,
    ``overlooked`` the share of spans that hardly anybody sees.
    """

    sentences: int = 600
    length: tuple[int, int] = (6, 24)
    labels: int = 3
    density: float = 0.09
    empty: float = 0.1
    told: float = 0.6
    workers: int = 30
    answers: int = 4
    sees: tuple[float, float] = (0.5, 0.95)
    care: tuple[float, float] = (0.6, 0.95)
    slips: float = 0.01
    spammers: float = 0.0
    campers: float = 0.0
    overlooked: float = 0.0


ZOO = {
    "plain": Recipe(),
    "few workers": Recipe(workers=4, answers=3),
    "two answers": Recipe(answers=2),
    "two answers of few": Recipe(workers=5, answers=2, sees=(0.4, 0.9), slips=0.002, empty=0.7),
    "one answer": Recipe(answers=1),
    "seven answers": Recipe(answers=7, sees=(0.3, 0.8), care=(0.4, 0.9)),
    "many empty": Recipe(sentences=1200, empty=0.8, labels=1, answers=5, slips=0.02),
    "long documents": Recipe(sentences=60, length=(150, 400), workers=20),
    "one label per unit": Recipe(labels=1, answers=5, slips=0.005),
    "spammers": Recipe(spammers=0.3, answers=5),
    "two camps": Recipe(campers=0.45, answers=4, told=0.3, care=(0.85, 0.98)),
    "very unequal": Recipe(sees=(0.05, 0.98), care=(0.2, 0.98)),
    "overlooked": Recipe(overlooked=0.4),
    "matters of taste": Recipe(
        labels=2, length=(12, 40), told=0.1, sees=(0.5, 0.7), care=(0.35, 0.5), slips=0.03
    ),
    "few sentences": Recipe(sentences=120),
    "many labels": Recipe(labels=12, workers=20),
}
"""Crowds by name."""


def draw_crowd(recipe: Recipe, seed: int = 0) -> Invented:
    """Draw sentences, workers and answers."""
    rng = np.random.default_rng([seed, 16])
    people = _people(recipe, rng)
    truth, words, rows, who, where = [], [], [], [], []
    for s in range(recipe.sentences):
        size = int(rng.integers(*recipe.length))
        spans = _spans(recipe, size, rng)
        codes = _codes(spans, size)
        hidden = rng.random(len(spans)) < recipe.overlooked
        truth.append(codes)
        words.append(_words(recipe, codes, rng))
        for worker in sorted(rng.permutation(recipe.workers)[: recipe.answers].tolist()):
            answer = _answer(recipe, people[worker], spans, hidden, size, rng)
            rows.append(_codes(answer, size))
            who.append(worker)
            where.append(s)
    given = Answers(
        np.array(where, np.int32), np.array(who, np.int32), Ragged.of(rows), len(truth)
    )
    lengths = np.array([len(codes) for codes in truth])
    vocabulary = 40 * (recipe.labels + 2)
    evidence = Evidence(
        given,
        lengths,
        recipe.labels,
        recipe.workers,
        None,
        Ragged.of(words, np.int32),
        vocabulary,
    )
    return Invented(evidence, Ragged.of(truth), np.array([each.care for each in people]))


class _Person(NamedTuple):
    sees: float
    care: float
    is_spammer: bool
    is_camper: bool


def _people(recipe: Recipe, rng: np.random.Generator) -> list[_Person]:
    return [
        _Person(
            rng.uniform(*recipe.sees),
            rng.uniform(*recipe.care),
            rng.random() < recipe.spammers,
            rng.random() < recipe.campers,
        )
        for _ in range(recipe.workers)
    ]


def _spans(recipe: Recipe, size: int, rng: np.random.Generator) -> list[Place]:
    spans: list[Place] = []
    at = 0
    if rng.random() < recipe.empty:
        return spans
    while at < size:
        if rng.random() < recipe.density:
            end = min(at + 1 + int(rng.geometric(0.5) - 1), size)
            spans.append((at, end, int(rng.integers(recipe.labels))))
            at = end
        at += 1
    return spans


def _answer(
    recipe: Recipe,
    person: _Person,
    spans: list[Place],
    hidden: np.ndarray,
    size: int,
    rng: np.random.Generator,
) -> list[Place]:
    if person.is_spammer:
        recipe, spans = recipe._replace(slips=recipe.density), []
    found = [
        _blurred(recipe, person, span, size, rng)
        for span, is_hidden in zip(spans, hidden, strict=False)
        if rng.random() < person.sees * (0.1 if is_hidden else 1.0)
    ]
    for start in np.flatnonzero(rng.random(size) < recipe.slips).tolist():
        end = min(start + 1 + int(rng.integers(2)), size)
        found.append((start, end, int(rng.integers(recipe.labels))))
    return _apart(found)


def _blurred(
    recipe: Recipe, person: _Person, span: Place, size: int, rng: np.random.Generator
) -> Place:
    start, end, label = span
    if person.is_camper:
        end = min(end + 1, size)
    if rng.random() > person.care:
        start = min(max(start + int(rng.integers(-1, 2)), 0), size - 1)
        end = min(max(end + int(rng.integers(-1, 2)), start + 1), size)
    if rng.random() > person.care:
        label = int(rng.integers(recipe.labels))
    return start, end, label


def _apart(spans: list[Place]) -> list[Place]:
    """Return those spans that do not begin before the last one has ended."""
    kept: list[Place] = []
    for span in sorted(spans):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def _codes(spans: list[Place], size: int) -> list[int]:
    codes = [0] * size
    for start, end, label in spans:
        codes[start:end] = [2 * label + 1] + [2 * label + 2] * (end - start - 1)
    return codes


def _words(recipe: Recipe, codes: list[int], rng: np.random.Generator) -> list[int]:
    """Return numbers of words, forty of each label, of O, and of anything; some are frequent."""
    kinds = [
        (code + 1) // 2 if rng.random() < recipe.told else recipe.labels + 1 for code in codes
    ]
    return [40 * kind + min(int(rng.geometric(0.1)), 40) - 1 for kind in kinds]
