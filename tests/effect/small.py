"""A small pilot and its test: every word says its label, and workers err in known ways."""

from dataclasses import replace

import numpy as np

from spancrew.core import Answer, Dataset, Sentence, Span

_WORDS = {
    "PER": ["anna", "bert", "cleo", "dora", "emil"],
    "LOC": ["rome", "oslo", "lima", "bonn", "kyiv"],
}
_FLIPPED = {"PER": "LOC", "LOC": "PER"}


def pilot(sentences: int, seed: int, workers: dict[str, float], *, answers: int = 2) -> Dataset:
    """Return sentences with gold and answers; a worker flips the labels with a probability.

    Which workers answer a sentence is drawn; each of them gives one answer.
    """
    rng = np.random.default_rng(seed)
    texts, gold, given = [], {}, []
    for k in range(sentences):
        kinds = rng.choice(["PER", "LOC"], 2)
        first, second = (str(rng.choice(_WORDS[kind])) for kind in kinds)
        sentence = Sentence.from_tokens(f"{seed}-{k}", [first, "saw", second, str(k % 7)])
        spans = [Span(0, 1, str(kinds[0])), Span(2, 3, str(kinds[1]))]
        texts.append(sentence)
        gold[sentence.id] = spans
        for worker in rng.permutation(list(workers))[:answers]:
            flips = rng.random() < workers[str(worker)]
            said = [replace(each, label=_FLIPPED[each.label]) if flips else each for each in spans]
            given.append(Answer(sentence.id, str(worker), tuple(said)))
    return Dataset.of(texts, gold, given)


WORKERS = {"ana": 0.05, "bo": 0.1, "cy": 0.2, "di": 0.6, "ed": 0.8, "flo": 0.7}
"""Three good workers and three who flip most labels."""
