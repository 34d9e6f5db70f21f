"""Material as bytes, so that a restart need not read a data set again."""

import io
import json
import zipfile
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.campaign import Material
from spancrew.core import LabelSet, Ragged
from spancrew.errors import JournalError

_FORM = 1


def material_bytes(material: Material) -> bytes:
    """Return material as a zip of plain arrays, as numpy writes them."""
    head = {"form": _FORM, "labels": material.labels.names, "spelling": material.spelling}
    arrays = {
        "lengths": material.lengths,
        "words": material.words.values,
        "word_offsets": material.words.offsets,
        "gold": material.gold.values,
        "gold_offsets": material.gold.offsets,
    }
    target = io.BytesIO()
    # The lowest level: half the size for a tenth of the time of the usual one.
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        packed.writestr("head.json", json.dumps(head))
        for name, array in arrays.items():
            with packed.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
    return target.getvalue()


def material_of(data: bytes) -> Material:
    """Return the material that bytes hold; refuse what :func:`material_bytes` did not write."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            head = json.loads(packed.read("head.json"))
            return _material(packed, head)
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError) as error:
        raise JournalError(f"the kept material of the campaign cannot be read: {error}") from None


def _material(packed: zipfile.ZipFile, head: dict[str, Any]) -> Material:
    if head["form"] != _FORM:
        raise JournalError(
            f"the kept material has form {head['form']}, this version reads {_FORM}: upgrade"
        )
    return Material(
        LabelSet(tuple(head["labels"])),
        _array(packed, "lengths"),
        Ragged(_array(packed, "words"), _array(packed, "word_offsets")),
        _spelling(head),
        Ragged(_array(packed, "gold"), _array(packed, "gold_offsets")),
    )


def _spelling(head: dict[str, Any]) -> tuple[str, ...]:
    """Return the words; material of earlier versions has only their number."""
    if "spelling" in head:
        return tuple(head["spelling"])
    return tuple(str(number) for number in range(head["vocabulary"]))


def _array(packed: zipfile.ZipFile, name: str) -> npt.NDArray[Any]:
    with packed.open(f"{name}.npy") as file:
        array: npt.NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
        return array
