"""UIMA CAS of one document, as XMI or JSON, as INCEpTION exports and imports it."""

import zipfile
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from spancrew.core import Dataset
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._archive import Archive, PackedFile, inner_files, pack
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._cas import CasSentence
from spancrew.formats._cas_json import STRUCTURES, read_json_cas, write_json_cas
from spancrew.formats._cas_xmi import XMI, read_xmi, type_system, write_xmi
from spancrew.formats._json import first_fields
from spancrew.formats._layers import LayeredDocument
from spancrew.formats._text import text_in
from spancrew.formats._webanno import gold_of_document, lost_in_one_document, written_positions

_ZIP = ".xmi.zip"
_JSON = ("cas.json", ".json")


class UimaCas:
    """A file ``.xmi``, one packed with its type system, or a JSON CAS; its spans are gold."""

    name = "uima-cas"
    suffixes = (".xmi", _ZIP, "cas.json")
    follows = frozenset({"columns", "split"})

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether this is XMI, JSON with feature structures, or a packed .xmi."""
        if path.is_dir():
            return False
        if head.lstrip().startswith("{"):
            return bool(first_fields(head) & {STRUCTURES, "%TYPES"})
        return (head.lstrip().startswith("<") and XMI in head) or (not head and _is_packed(path))

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read a document."""
        place = Place(str(path))
        if path.is_dir():
            raise FormatError.expected(place, "a folder", "a file")
        document = cas_in(PackedFile(str(path), path.read_bytes()))
        options.progress(1, 1)
        return gold_of_document(document, path, options)

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write all sentences with gold, in the way that the name of the file asks for."""
        sentences = [
            CasSentence(dataset.sentences[position], dataset.gold_spans(position))
            for position in written_positions(dataset)
        ]
        if path.name.endswith(_ZIP):
            _write_packed(sentences, path)
        else:
            with path.open("w", encoding="utf-8", newline="\n") as file:
                if path.name.endswith(_JSON):
                    write_json_cas(sentences, file, ids=True)
                else:
                    write_xmi(sentences, file, Place(str(path)), ids=True)
        return _losses.report(lost_in_one_document(dataset, self.name), path)


def cas_in(file: PackedFile) -> LayeredDocument:
    """Return the document in the bytes of a file: XMI, JSON, or one of these packed."""
    start = file.data.lstrip()[:1]
    if not start:
        raise FormatError(Place(file.path), "the file is empty")
    if file.data.startswith(b"PK"):
        return cas_in(_packed(file))
    if start == b"{":
        return read_json_cas(text_in(file.data, file.path), Place(file.path))
    return read_xmi(file.data, file.path)


def _packed(outer: PackedFile) -> PackedFile:
    """Return the one document that is packed with its type system."""
    inside = inner_files(outer)
    found = [name for name in inside if name.endswith((".xmi", ".json"))]
    if len(found) != 1 or inside[found[0]].startswith(b"PK"):
        raise FormatError.expected(
            Place(outer.path), f"an archive with {len(found)} documents", "one .xmi or .json"
        )
    return PackedFile(f"{outer.path}/{found[0]}", inside[found[0]])


def _is_packed(path: Path) -> bool:
    archive = Archive.of(path)
    if archive is None:
        return False
    top = [name for name in archive.names if "/" not in name]
    return len(top) == len(archive.names) and any(name.endswith(".xmi") for name in top)


def _write_packed(sentences: Sequence[CasSentence], path: Path) -> None:
    """Write XMI with its type system, as tools outside INCEpTION need it."""
    xmi = StringIO()
    write_xmi(sentences, xmi, Place(str(path)), ids=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        pack(packed, path.name.removesuffix(".zip"), xmi.getvalue())
        pack(packed, "TypeSystem.xml", type_system(sentences))
