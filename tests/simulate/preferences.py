"""Drawn preference crowds with a known truth."""

import numpy as np

from spancrew.core import Answer, Dataset, LabelSet, Span
from spancrew.crowds import Replay
from spancrew.formats._sheets import sheet
from spancrew.simulate import Scene, scene_of

LABELS = LabelSet(("A", "B", "tie"))


def preferences(
    sheets: int = 60,
    workers: int = 9,
    answers: int | None = None,
    questions: int = 2,
    seed: int = 0,
    labels: LabelSet = LABELS,
) -> Dataset:
    """Return pairs of responses with gold, by workers of different skill and position bias.

    Questions differ in how hard they are, and on the hardest most people are wrong together.
    """
    rng = np.random.default_rng(seed)
    names = [f"q{k}" for k in range(questions)]
    made = [
        sheet(f"p{k}", f"prompt {k}", names, {"prompt": "?", "responses": [f"a{k}", f"b{k}"]})
        for k in range(sheets)
    ]
    truth = rng.integers(0, len(labels), (sheets, questions))
    ease = rng.normal(1.2, 1.5, (sheets, questions))
    popular = (truth + rng.integers(1, len(labels), truth.shape)) % len(labels)
    skill, bias = rng.normal(0, 0.8, workers), np.maximum(rng.normal(0, 0.08, workers), 0)
    given = []
    for k in range(sheets):
        for w in np.sort(rng.permutation(workers)[: answers or workers]).tolist():
            right = rng.random(questions) < 1 / (1 + np.exp(-skill[w] - ease[k]))
            other = (truth[k] + rng.integers(1, len(labels), questions)) % len(labels)
            wrong = np.where(rng.random(questions) < 0.7, popular[k], other)
            said = np.where(right, truth[k], wrong)
            said = np.where(rng.random(questions) < bias[w], 0, said)
            given.append(Answer(f"p{k}", f"w{w}", _spans(said, labels)))
    gold = {f"p{k}": _spans(truth[k], labels) for k in range(sheets)}
    return Dataset.of(made, gold, given, labels, "choices")


def preference_scene(sheets: int = 60, workers: int = 9, seed: int = 0) -> Scene:
    """Return a scene in which workers repeat what they chose."""
    dataset = preferences(sheets, workers, seed=seed)
    return scene_of(dataset, Replay(dataset))


def _spans(chosen: np.ndarray, labels: LabelSet) -> tuple[Span, ...]:
    return tuple(Span(k, k + 1, labels.names[c]) for k, c in enumerate(chosen.tolist()))
