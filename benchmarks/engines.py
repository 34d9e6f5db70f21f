"""Engines for the tagger, trained on majority votes and scored by gold on sentences held out.

Run ``python -m benchmarks.engines DATA --engine ours --sentences 600``; ``spacy`` needs spaCy,
``encoder`` what ``make test-models`` installs. All have the same five parts of the sentences.
Prints exact F1, CPU seconds of a refit of all five models, and microseconds of CPU for a token.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.tagger import features_of
from spancrew.consensus import aggregate, consensus_method, word_numbers
from spancrew.core import Dataset, IntArray, Ragged, Span, decode, encode
from spancrew.formats import read
from spancrew.metrics import Metric
from spancrew.tagger import PARTS, ROUNDS, CrossFitted, facets_of, parts_of_words

EPOCHS, BATCH = 12, 16
"""So often spaCy reads every sentence: 600 take some minutes. Chosen before any F1 was known."""
STEPS, RATE, DECAY = 400, 0.01, 1e-3
"""Training of the layer on top of the encoder."""

Tags = list[list[int]]
Learner = Callable[[IntArray], Callable[[IntArray], Tags]]
"""Trains on some sentences; what it returns tags others."""


def ours(dataset: Dataset, labels: Ragged) -> tuple[Tags, float, float]:
    """Cross-fit the tagger that spancrew has; return tags, and seconds of both."""
    words, spelling = word_numbers(dataset)
    weight, codes = np.ones(len(dataset)), 2 * len(dataset.labels) + 1
    CrossFitted.train(facets_of(spelling), words, labels, weight, codes, 1).tag(words)
    begin = time.process_time()
    tagger = CrossFitted.train(facets_of(spelling), words, labels, weight, codes, ROUNDS)
    trained = time.process_time()
    tags = tagger.tag(words)
    return [row.tolist() for row in tags], trained - begin, time.process_time() - trained


def crfsuite(algorithm: str, **options: Any) -> Callable[[Dataset, Ragged], Learner]:
    """Return what makes a learner of python-crfsuite, with as many features as ours."""

    def make(dataset: Dataset, labels: Ragged) -> Learner:
        from pycrfsuite import ItemSequence, Tagger, Trainer

        texts = [list(each.tokens) for each in dataset.sentences]
        read_as = [ItemSequence(features_of(text)) for text in texts]
        names = [[str(code) for code in row] for row in labels]

        def learn(rows: IntArray) -> Callable[[IntArray], Tags]:
            trainer = Trainer(algorithm=algorithm, verbose=False)
            trainer.set_params(options)
            for k in rows.tolist():
                trainer.append(read_as[k], names[k])
            with tempfile.TemporaryDirectory() as folder:
                trainer.train(str(Path(folder) / "model"))
                tagger = Tagger()
                tagger.open(str(Path(folder) / "model"))
            return lambda others: [[int(tag) for tag in tagger.tag(read_as[k])] for k in others]

        return learn

    return make


def spacy(dataset: Dataset, labels: Ragged) -> Learner:
    """Learn with an entity recogniser of spaCy: a blank pipeline with its small network."""
    import spacy as library
    from spacy.tokens import Doc
    from spacy.training import Example

    util: Any = library.util
    texts = [list(each.tokens) for each in dataset.sentences]
    spans = [decode(row, dataset.labels) for row in labels]

    def learn(rows: IntArray) -> Callable[[IntArray], Tags]:
        util.fix_random_seed(0)
        made = library.blank("en")
        made.add_pipe("ner")
        examples = [_example(Doc, Example, made.vocab, texts[k], spans[k]) for k in rows.tolist()]
        optimizer = made.initialize(lambda: examples)
        rng = random.Random(0)  # noqa: S311  no secret
        for _ in range(EPOCHS):
            rng.shuffle(examples)
            for some in util.minibatch(examples, BATCH):
                made.update(some, sgd=optimizer, drop=0.2)

        def tag(others: IntArray) -> Tags:
            docs = made.pipe(Doc(made.vocab, texts[k]) for k in others.tolist())
            found = ([Span(e.start, e.end, e.label_) for e in doc.ents] for doc in docs)
            return [
                encode(each, len(texts[k]), dataset.labels).tolist()
                for k, each in zip(others.tolist(), found, strict=True)
            ]

        return tag

    return learn


def _example(doc: Any, example: Any, vocab: Any, text: list[str], spans: Iterable[Span]) -> Any:
    named = ["O"] * len(text)
    for each in spans:
        inner = [f"I-{each.label}"] * (each.end - each.start - 1)
        named[each.start : each.end] = [f"B-{each.label}", *inner]
    return example(doc(vocab, text), doc(vocab, text, ents=named))


def encoder(dataset: Dataset, labels: Ragged) -> Learner:
    """Learn one layer on top of a small encoder that is read once and not trained."""
    import torch

    from spancrew.effect._networks._encoder import Encoder

    torch.manual_seed(0)
    begin = time.process_time()
    vectors = torch.tensor(Encoder("minilm").vectors(dataset)).float()
    print(f"reading all sentences once: {time.process_time() - begin:.1f} CPU s", flush=True)
    vectors = (vectors - vectors.mean(0)) / (vectors.std(0) + 1e-6)
    target = torch.tensor(labels.values.astype(np.int64))
    codes, offsets = 2 * len(dataset.labels) + 1, labels.offsets

    def places(rows: IntArray) -> Any:
        return torch.tensor(np.concatenate([np.arange(*offsets[k : k + 2]) for k in rows]))

    def learn(rows: IntArray) -> Callable[[IntArray], Tags]:
        layer = torch.nn.Linear(vectors.shape[1], codes)
        steps = torch.optim.AdamW(layer.parameters(), lr=RATE, weight_decay=DECAY)
        inside = places(rows)
        for _ in range(STEPS):
            some = inside[torch.randint(len(inside), (2048,))]
            loss = torch.nn.functional.cross_entropy(layer(vectors[some]), target[some])
            steps.zero_grad()
            loss.backward()
            steps.step()

        def tag(others: IntArray) -> Tags:
            with torch.inference_mode():
                best = layer(vectors[places(others)]).argmax(1).tolist()
            ends = np.cumsum(np.diff(offsets)[others]).tolist()
            starts = [0, *ends[:-1]]
            return [_whole(best[a:b]) for a, b in zip(starts, ends, strict=True)]

        return tag

    return learn


def _whole(codes: list[int]) -> list[int]:
    """Let what continues nothing begin a span."""
    found: list[int] = []
    for code in codes:
        is_loose = code and code % 2 == 0 and (not found or found[-1] not in (code - 1, code))
        found.append(code - 1 if is_loose else code)
    return found


LEARNERS: dict[str, Callable[[Dataset, Ragged], Learner]] = {
    "crfsuite-ap": crfsuite("ap", max_iterations=ROUNDS),
    "crfsuite-lbfgs": crfsuite("lbfgs", c1=0.1, c2=0.1, max_iterations=50),
    "spacy": spacy,
    "encoder": encoder,
}


def cross_fitted(learner: Learner, part: IntArray) -> tuple[Tags, float, float]:
    """Train on four parts of five and tag the fifth, five times; return tags and seconds."""
    found: dict[int, list[int]] = {}
    trained = tagged = 0.0
    for each in range(PARTS):
        rows = np.flatnonzero(part == each)
        begin = time.process_time()
        tag = learner(np.flatnonzero(part != each))
        between = time.process_time()
        found |= zip(rows.tolist(), tag(rows), strict=True)
        trained += between - begin
        tagged += time.process_time() - between
    return [found[k] for k in range(len(part))], trained, tagged


def measured(dataset: Dataset, engine: str) -> str:
    """Return a row of the table."""
    labels = aggregate(dataset, consensus_method("mv")).finals.codes
    words, spelling = word_numbers(dataset)
    part = parts_of_words(facets_of(spelling), words.values, words.offsets, PARTS)
    if engine == "ours":
        tags, trained, tagged = ours(dataset, labels)
    else:
        tags, trained, tagged = cross_fitted(LEARNERS[engine](dataset, labels), part)
    f1 = Metric("exact").pool(Ragged.of(tags, dataset.labels.dtype), dataset.gold).f1
    micros = 1e6 * tagged / len(words.values)
    return f"{engine} | {len(dataset):,} | {f1:.3f} | {trained:.1f} s | {micros:.1f} us"


def main() -> None:
    """Measure one engine on some sentences, drawn by a seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("--engine", choices=["ours", *LEARNERS], action="append", required=True)
    parser.add_argument("--sentences", type=int, action="append", required=True)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    whole = read(given.data).dataset
    order = np.random.default_rng(given.seed).permutation(len(whole))
    for count in given.sentences:
        for engine in given.engine:
            print(measured(whole.take(np.sort(order[:count])), engine), flush=True)


if __name__ == "__main__":
    main()
