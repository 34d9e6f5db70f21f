"""A trained tagger in a folder: its weights, its labels, and what is known of it."""

import json
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from spancrew.core import LabelSet
from spancrew.errors import FormatError, Place, SpancrewError
from spancrew.formats._appearing import appearing
from spancrew.tagger import Field, TrainedTagger

_FORM = 1
_ABOUT, _WEIGHTS = "about.json", "weights.npz"
_DAMAGE = (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, SpancrewError)


class SavedTagger(NamedTuple):
    """A tagger with its labels; ``about`` says what it was trained on and how good it is."""

    tagger: TrainedTagger
    labels: LabelSet
    about: dict[str, Any]


def write_tagger(saved: SavedTagger, target: Path) -> None:
    """Write a tagger to a folder, which appears only if all goes well."""
    about = {"form": _FORM, "labels": saved.labels.names, **saved.about}
    with appearing(target) as draft:
        draft.mkdir()
        (draft / _ABOUT).write_text(f"{json.dumps(about, indent=2)}\n", encoding="utf-8")
        np.savez_compressed(draft / _WEIGHTS, **saved.tagger.field._asdict())


def read_tagger(folder: Path) -> SavedTagger:
    """Read a tagger; refuse what is none."""
    if not folder.is_dir():
        raise FormatError(
            Place(str(folder)),
            "there is no such folder: give one that 'spancrew train' has written",
        )
    try:
        about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
        form, labels = about.pop("form"), LabelSet(tuple(about.pop("labels")))
        with np.load(folder / _WEIGHTS, allow_pickle=False) as file:
            field = Field(file["features"], file["moves"])
    except _DAMAGE as error:
        raise FormatError(
            Place(str(folder)),
            f"this is no tagger ({error}): give a folder that 'spancrew train' has written",
        ) from None
    codes = 2 * len(labels) + 1
    fits = field.features.ndim == 2 and field.features.shape[1] == codes
    if form != _FORM or not fits or field.moves.shape != (codes + 1, codes):
        raise FormatError(
            Place(str(folder)), "another version of spancrew wrote this tagger: train it again"
        )
    return SavedTagger(TrainedTagger(field), labels, about)
