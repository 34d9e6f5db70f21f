"""Training and tagging with the tagger that learns on the job, against python-crfsuite.

The sentences are the bundled ones, over and over with other names, until they are as many as in
CoNLL. The peer has the same features as texts, its averaged perceptron and as many rounds; its
features are made beforehand and not counted.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks._row import Row, seconds
from spancrew.core import Ragged
from spancrew.formats import read
from spancrew.tagger import PARTS, CrossFitted, facets_of, parts_of_words

SENTENCES, ROUNDS = 4_580, 4
BUDGET = 200.0
"""Microseconds that a token may take to be tagged."""
QUICK = {"SENTENCES": 300}


def rows() -> Iterator[Row]:
    """Measure a whole cross-fit, and the tags of all sentences."""
    texts, labels = _material()
    words, spelling = _numbered(texts)
    codes, weight = int(labels.values.max()) + 2, np.ones(len(texts))
    facets = facets_of(spelling)
    tagger = CrossFitted.train(facets, words, labels, weight, codes, ROUNDS)
    ours = seconds(
        lambda: CrossFitted.train(facets_of(spelling), words, labels, weight, codes, ROUNDS),
        repeats=2,
    )
    peer = _peer(texts, labels, parts_of_words(facets, words.values, words.offsets, PARTS))
    yield Row(f"tagger, cross-fit on {len(texts):,} sentences", ours, peer, "python-crfsuite", "s")
    tags = 1e6 * seconds(lambda: tagger.tag(words)) / len(words.values)
    yield Row("tagger, tags of a token", tags, BUDGET, "budget", "us")


def _material() -> tuple[list[list[str]], Ragged]:
    """Return sentences and gold; a name is another one in every copy."""
    demo = read("demo").dataset
    copies = -(-SENTENCES // len(demo))
    texts = [
        [f"{token}{k}" if k and token[0].isupper() else token for token in sentence.tokens]
        for k in range(copies)
        for sentence in demo.sentences
    ]
    rows = np.tile(np.arange(len(demo)), copies)[:SENTENCES]
    return texts[:SENTENCES], demo.gold.take(rows)


def _numbered(texts: list[list[str]]) -> tuple[Ragged, tuple[str, ...]]:
    numbers: dict[str, int] = {}
    found = [[numbers.setdefault(token, len(numbers)) for token in text] for text in texts]
    return Ragged.of(found, np.int32), tuple(numbers)


def _peer(texts: list[list[str]], labels: Ragged, part: np.ndarray) -> float:
    """Return the seconds of a cross-fit by python-crfsuite."""
    from pycrfsuite import ItemSequence, Trainer

    sequences = [ItemSequence(features_of(text)) for text in texts]
    tags = [[str(code) for code in row] for row in labels]

    def cross_fit() -> None:
        for each in range(PARTS):
            trainer = Trainer(algorithm="ap", verbose=False)
            trainer.set_params({"max_iterations": ROUNDS})
            for k in np.flatnonzero(part != each).tolist():
                trainer.append(sequences[k], tags[k])
            with tempfile.TemporaryDirectory() as folder:
                trainer.train(str(Path(folder) / "model"))

    return seconds(cross_fit, repeats=1)


def features_of(text: list[str]) -> list[list[str]]:
    """Return the features of every token as texts, as many as the tagger has."""
    return [_features(text, t) for t in range(len(text))]


def _features(text: list[str], t: int) -> list[str]:
    around = {k: text[t + k] if 0 <= t + k < len(text) else "" for k in range(-2, 3)}
    word = around[0]
    found = [f"w={word}", f"l={word.lower()}", f"s={_shape(word)}", f"o={_shape(word)[:2]}"]
    found += [f"p{n}={word[:n].lower()}" for n in range(1, 5)]
    found += [f"q{n}={word[-n:].lower()}" for n in range(1, 5)]
    for k in (-1, 1):
        other = around[k]
        found += [f"{k}l={other.lower()}", f"{k}s={_shape(other)}", f"{k}o={_shape(other)[:2]}"]
        found += [f"{k}q2={other[-2:].lower()}", f"{k}q4={other[-4:].lower()}"]
    found += [f"-2={around[-2].lower()}", f"2={around[2].lower()}"]
    pairs = ((-1, 0), (0, 1), (-1, 1), (-2, -1))
    found += [f"{one}{other}={around[one]}|{around[other]}".lower() for one, other in pairs]
    return [*found, f"ooo={''.join(_shape(around[k])[:2] for k in (-1, 0, 1))}"]


def _shape(word: str) -> str:
    return "".join("A" if c.isupper() else "a" if c.islower() else "0" for c in word)
