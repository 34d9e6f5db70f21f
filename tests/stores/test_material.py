"""Material as bytes and back."""

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.campaign import Material
from spancrew.core import LabelSet, Ragged
from spancrew.errors import JournalError
from spancrew.formats import read
from spancrew.stores import material_bytes, material_of


def same(one: Material, other: Material) -> bool:
    """Tell whether two materials are alike, in the kinds of their arrays as well."""
    arrays = [
        (mine.lengths, mine.words.values, mine.words.offsets, mine.gold.values, mine.gold.offsets)
        for mine in (one, other)
    ]
    return (one.labels.names, one.spelling) == (other.labels.names, other.spelling) and all(
        mine.dtype == theirs.dtype and np.array_equal(mine, theirs)
        for mine, theirs in zip(*arrays, strict=True)
    )


@pytest.mark.parametrize("gold", [True, False])
def test_the_material_of_a_data_set_comes_back(gold: bool) -> None:
    """With and without known labels."""
    material = Material.of(read("demo-zh").dataset, use_gold=gold)

    assert same(material_of(material_bytes(material)), material)


@given(st.lists(st.lists(st.integers(0, 99), min_size=1, max_size=4), min_size=1, max_size=5))
def test_any_material_comes_back(rows: list[list[int]]) -> None:
    """Whatever its sentences."""
    words = Ragged.of(rows, np.int32)
    spelling = tuple(f"w{number}" for number in range(100))
    material = Material(
        LabelSet(("東",)), words.lengths, words, spelling, Ragged.of([[] for _ in rows])
    )

    assert same(material_of(material_bytes(material)), material)


def packed(form: int, array: bytes) -> bytes:
    """Return something that looks like material."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as zipped:
        head = {"form": form, "labels": ["PER"], "vocabulary": 1}
        zipped.writestr("head.json", json.dumps(head))
        zipped.writestr("lengths.npy", array)
    return target.getvalue()


def pickled() -> bytes:
    """Return an array that would run code when it is read."""
    target = io.BytesIO()
    np.save(target, np.array([{}], object))
    return target.getvalue()


@pytest.mark.parametrize(
    "data", [b"", b"nonsense", packed(1, b"x"), packed(1, pickled()), packed(2, b"")]
)
def test_bytes_that_are_no_material_are_refused(data: bytes) -> None:
    """And nothing in them is ever run."""
    with pytest.raises(JournalError, match="material"):
        material_of(data)
