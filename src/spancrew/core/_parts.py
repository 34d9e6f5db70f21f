"""Cut a data set into parts, such as train and dev, that have no document in common."""

import math
from collections.abc import Mapping

import numpy as np

from spancrew.core._dataset import Dataset, Sentences
from spancrew.core._types import FloatArray, IntArray
from spancrew.errors import SpancrewError

DOCUMENT = "document"
"""The field of meta in which readers keep the document of a sentence."""


def parts_of(
    dataset: Dataset, shares: Mapping[str, float], seed: int = 0, document: str | None = None
) -> dict[str, Dataset]:
    """Return the sentences in parts of about these shares; the same seed gives the same parts.

    Sentences of one document stay together, and so do sentences with the same text: a model that
    is tested on one part has seen nothing of it in another. ``document`` is the field of ``meta``
    that names the document; ``"document"`` by default, where a sentence has it.

    >>> from spancrew.core import Sentence
    >>> texts = ["Ana left", "Bo slept", "Ana left", "Cy ran"]
    >>> data = Dataset.of([Sentence.from_text(str(k), text) for k, text in enumerate(texts)])
    >>> parts = parts_of(data, {"train": 0.75, "dev": 0.25})
    >>> [len(part) for part in parts.values()]
    [3, 1]
    """
    _refuse_shares(shares)
    group = _groups(dataset.sentences, document)
    sizes = np.bincount(group) if len(group) else np.zeros(0, np.int64)
    if len(sizes) < len(shares):
        raise SpancrewError(
            f"{len(shares)} parts cannot be made of {len(sizes)} documents, as no document goes "
            "into two of them; take fewer parts"
        )
    targets = np.array(list(shares.values())) * len(dataset)
    part = _dealt(sizes, targets, np.random.default_rng(seed))[group]
    return {name: dataset.take(np.flatnonzero(part == k)) for k, name in enumerate(shares)}


def _refuse_shares(shares: Mapping[str, float]) -> None:
    if not shares or any(not share > 0 for share in shares.values()):
        raise SpancrewError("parts need a share above 0 each, such as train=0.8 and dev=0.2")
    total = sum(shares.values())
    if not math.isclose(total, 1, abs_tol=1e-6):
        raise SpancrewError(f"the shares of the parts come to {total:g}; they must come to 1")


def _groups(sentences: Sentences, document: str | None) -> IntArray:
    """Return a number for every sentence; those that must stay together have the same."""
    name = document or DOCUMENT
    if document is not None and not any(document in meta for meta in sentences.metas.values()):
        raise SpancrewError(f"no sentence has {document!r} in its meta, so none names a document")
    above = list(range(len(sentences)))
    first: dict[tuple[str, str], int] = {}

    def root(position: int) -> int:
        while above[position] != position:
            above[position] = above[above[position]]
            position = above[position]
        return position

    for position, text in enumerate(sentences.texts):
        meta = sentences.metas.get(position, {})
        keys = [("text", text), *([("document", str(meta[name]))] if name in meta else [])]
        for key in keys:
            above[root(position)] = root(first.setdefault(key, position))
    roots = [root(position) for position in range(len(sentences))]
    return np.unique(np.array(roots, np.int64), return_inverse=True)[1]


def _dealt(sizes: IntArray, targets: FloatArray, rng: np.random.Generator) -> IntArray:
    """Return the part of every document: drawn one by one, each goes where most is missing."""
    part = np.zeros(len(sizes), np.int64)
    missing = targets.astype(np.float64)
    is_empty = np.ones(len(targets), bool)
    for left, group in zip(range(len(sizes), 0, -1), rng.permutation(len(sizes)), strict=True):
        wanted = np.where(is_empty, missing, -np.inf) if left <= is_empty.sum() else missing
        chosen = int(np.argmax(wanted))
        part[group] = chosen
        missing[chosen] -= sizes[group]
        is_empty[chosen] = False
    return part
