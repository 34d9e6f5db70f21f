"""Soft labels: how the answers on a token are divided among the tags."""

from dataclasses import replace

import numpy as np

from spancrew.core import Dataset, Finals, FloatArray, gather, offsets_of
from spancrew.metrics import Metric, worker_scores

_LEAST_WEIGHT = 0.05
"""A worker who is never right still counts for a little."""


def soft_labels(dataset: Dataset) -> FloatArray:
    """Return the probability of every tag for every token, sentence by sentence (tokens x tags).

    It is the share of the answers that say so. If there are final labels, an answer counts as
    much as the exact F1 of its worker against them, and what an expert decided is certain. Tags
    are in the order of ``dataset.labels.tags``. A sentence without answers has zeros, unless an
    expert decided. Gold is not looked at.
    """
    answers = dataset.answers
    lengths = dataset.sentences.starts.lengths
    begin = offsets_of(lengths)
    found = np.zeros((int(begin[-1]), 2 * len(dataset.labels) + 1))
    sizes = answers.codes.lengths
    weight = np.repeat(_weights(dataset)[answers.worker], sizes)
    np.add.at(found, (_tokens(answers.sentence, begin, sizes), answers.codes.values), weight)
    if dataset.finals is not None:
        _make_certain(found, dataset.finals, begin)
    total = found.sum(axis=1, keepdims=True)
    return np.divide(found, total, out=found, where=total > 0)


def _tokens(sentence: np.ndarray, begin: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return the token that each code of each answer is about."""
    offsets = offsets_of(sizes)
    tokens = np.empty(int(offsets[-1]), np.int64)
    gather(np.arange(int(begin[-1])), begin[sentence], offsets, tokens)
    return tokens


def _weights(dataset: Dataset) -> FloatArray:
    """Return how much an answer of each worker counts."""
    if dataset.finals is None:
        return np.ones(len(dataset.workers))
    against = replace(dataset, gold=dataset.finals.codes, finals=None)
    f1 = worker_scores(against, Metric("exact"))[:, 2]
    return np.maximum(np.nan_to_num(f1, nan=1.0), _LEAST_WEIGHT)


def _make_certain(found: FloatArray, finals: Finals, begin: np.ndarray) -> None:
    for k in np.flatnonzero(finals.is_by_expert & finals.is_settled).tolist():
        rows = np.arange(begin[k], begin[k + 1])
        found[rows] = 0.0
        found[rows, finals.codes[k]] = 1.0
