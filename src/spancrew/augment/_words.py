"""Where words start: what one step of shifting, expanding or shrinking is."""

import warnings
from importlib import import_module
from typing import Any, Literal, get_args

import numpy as np

from spancrew.core import BoolArray, Dataset, Ragged, frozen
from spancrew.errors import InvalidSentenceError, MissingPackageError, SpancrewError

Words = Literal["auto", "tokens", "jieba", "meta"]

FIELD = "words"
"""The field of a sentence's ``meta`` that lists the tokens that start a word."""


def word_starts(dataset: Dataset, words: Words = "auto") -> Ragged:
    """Tell for every token of every sentence whether a word starts there.

    ``tokens``: each token is a word. ``meta``: the sentence's ``meta["words"]`` lists the tokens
    that start one. ``jieba``: Chinese text is cut by jieba (extra ``chinese``). ``auto``: ``meta``
    where a sentence has it, else ``jieba`` if the tokens of the data set are characters, else
    ``tokens``.
    """
    if words not in get_args(Words):
        raise SpancrewError(f"words {words!r} is not known (one of {', '.join(get_args(Words))})")
    offsets = dataset.sentences.starts.offsets
    starts = np.ones(offsets[-1], bool)
    given = _given_starts(dataset, words)
    cut = words == "jieba" or (
        words == "auto" and len(given) < len(dataset) and _cut_small(dataset)
    )
    jieba = _jieba() if cut else None
    for position in range(len(dataset)):
        row = starts[offsets[position] : offsets[position + 1]]
        if position in given:
            _mark_given_starts(row, given[position], dataset.sentences.ids[position])
        elif jieba is not None:
            row[:] = _jieba_starts(jieba, dataset, position)
    return Ragged(frozen(starts), offsets)


def _given_starts(dataset: Dataset, words: Words) -> dict[int, Any]:
    """Return what the data says about words, by position; refuse a gap where it is asked for."""
    if words in {"tokens", "jieba"}:
        return {}
    given = {k: meta[FIELD] for k, meta in dataset.sentences.metas.items() if FIELD in meta}
    if words == "meta" and len(given) < len(dataset):
        missing = next(k for k in range(len(dataset)) if k not in given)
        raise InvalidSentenceError(
            f"sentence {dataset.sentences.ids[missing]!r} does not say where its words start: "
            f'put the tokens that start a word into its meta, as in {{"{FIELD}": [0, 2, 5]}}, or '
            "choose tokens or jieba"
        )
    return given


def _mark_given_starts(row: BoolArray, given: Any, id_: str) -> None:
    is_list = isinstance(given, list) and all(type(token) is int for token in given)
    if not is_list or any(not 0 <= token < len(row) for token in given):
        raise InvalidSentenceError(
            f"sentence {id_!r}: meta {FIELD!r} is {str(given)[:60]}; it must list the tokens that "
            f"start a word, as whole numbers from 0 to {len(row) - 1}"
        )
    row[:] = False
    row[given] = True


def _cut_small(dataset: Dataset) -> bool:
    """Tell whether the tokens are characters: most are single and touch the next one."""
    starts, ends = dataset.sentences.starts.values, dataset.sentences.ends.values
    touches = starts[1:] == ends[:-1]
    return bool(2 * np.sum(touches & (ends[:-1] - starts[:-1] == 1)) > len(starts))


def _jieba_starts(jieba: Any, dataset: Dataset, position: int) -> BoolArray:
    sentences = dataset.sentences
    lengths = [len(word) for word in jieba.cut(sentences.texts[position])]
    borders = np.cumsum([0, *lengths])
    return np.isin(sentences.starts[position], borders)


def _jieba() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # escapes in its patterns that newer Pythons dislike
            jieba = import_module("jieba")
    except ModuleNotFoundError as error:
        if error.name != "jieba":
            raise
        raise MissingPackageError(
            "the tokens are characters, and the words that SES steps by come from the package "
            "'jieba'; install it with 'pip install spancrew[chinese]', give the words in the "
            "data (meta), or choose words = tokens to step by characters",
            name="jieba",
        ) from None
    jieba.setLogLevel("ERROR")
    return jieba
