"""Small data sets with crowds of known make-up."""

import numpy as np

from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span
from spancrew.crowds import Replay
from spancrew.metrics import Metric
from spancrew.simulate import Scene, scene_of

LABELS = LabelSet(("LOC", "ORG", "PER"))


def small(sentences: int = 23, workers: int = 9, seed: int = 0, share: float = 1.0) -> Dataset:
    """Return sentences of 1 to 8 tokens; worker ``j`` repeats gold the more often, the higher j.

    Every worker answers a sentence with probability ``share``; the first one certainly answers the
    first sentence.
    """
    rng = np.random.default_rng(seed)
    made = [
        Sentence.from_tokens(f"s{k}", [f"x{(k + t) % 5}" for t in range(int(rng.integers(1, 9)))])
        for k in range(sentences)
    ]
    gold = {sentence.id: random_spans(rng, len(sentence)) for sentence in made}
    answers = [
        Answer(each.id, f"w{j}", some_answer(rng, len(each), gold[each.id], j, workers))
        for each in made
        for j in range(workers)
        if rng.random() < share or (each is made[0] and j == 0)
    ]
    return Dataset.of(made, gold, answers, LABELS)


def some_answer(
    rng: np.random.Generator, length: int, gold: tuple[Span, ...], worker: int, workers: int
) -> tuple[Span, ...]:
    """Return gold, gold with other labels, or anything."""
    if rng.random() < (worker + 1) / (workers + 1):
        return gold
    if rng.random() < 0.4:
        return tuple(Span(s.start, s.end, str(rng.choice(LABELS.names))) for s in gold)
    return random_spans(rng, length)


def random_spans(rng: np.random.Generator, length: int) -> tuple[Span, ...]:
    """Return spans that do not overlap."""
    spans = []
    start = 0
    while start < length:
        if rng.random() < 0.3:
            end = min(length, start + int(rng.integers(1, 4)))
            spans.append(Span(start, end, str(rng.choice(LABELS.names))))
            start = end
        else:
            start += 1
    return tuple(spans)


def small_scene(
    sentences: int = 23,
    workers: int = 9,
    seed: int = 0,
    share: float = 1.0,
    metric: Metric | None = None,
) -> Scene:
    """Return a scene in which workers repeat what they said in a small data set."""
    dataset = small(sentences, workers, seed, share)
    return scene_of(dataset, Replay(dataset), metric)
