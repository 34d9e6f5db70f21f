"""Say why nothing was recognised: what a file or folder nearly is, and what to do."""

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from spancrew.errors import FormatError, Place, Remedy
from spancrew.formats._archive import ZIP
from spancrew.formats._base import Format
from spancrew.formats._columns import label_in, odd_tag
from spancrew.formats._crowd_layout import is_crowd_directory
from spancrew.formats._file_names import visible
from spancrew.formats._foreign import foreign
from spancrew.formats._json import first_fields, first_record, inner_fields
from spancrew.formats._text import head as head_of
from spancrew.formats._text import refuse_binary, start_of

_LOOKED_AT = 50
"""How many things in a folder are looked at to say what they are."""
_PYTHON = re.compile(r"[\[(\s]*\{\s*'")
_COLUMNS = (
    (
        re.compile(r"^1\t[^\t\n]+(\t[^\t\n]+){8}$", re.MULTILINE),
        "CoNLL-U, which has no column of tags",
    ),
    (re.compile("^#begin document"), "CoNLL-2012, whose spans are in brackets"),
)
"""Files in columns whose spans are not in the last one."""
_WRAPPED = re.compile(r'\s*\{\s*"([^"\\]+)"\s*:\s*\[\s*\{')


def unknown(path: Path, head: str, formats: Mapping[str, Format]) -> FormatError:
    """Return an error with the best guess of what the path is."""
    place = Place(str(path))
    if path.is_dir():
        return _unknown_folder(path, place, formats)
    if path.stat().st_size == 0:
        return FormatError(place, "the file is empty")
    found = foreign(path) or _known_ending(path, place)
    return found or _unknown_text(path, head, formats)


def _known_ending(path: Path, place: Place) -> FormatError | None:
    """Return what is to be done with a file whose kind is clear from outside."""
    if path.suffix == ".spacy":
        return FormatError.expected(
            place, "data that is not compressed", "a .spacy file as DocBin.to_disk writes it"
        )
    if path.suffix == ".ann":
        return FormatError(place, f"this is a part of brat's files; read the folder {path.parent}")
    if zipfile.is_zipfile(path):
        return FormatError(
            place, "this is a zip archive of no known format; unpack it and read what is in it"
        )
    if start_of(path).startswith(ZIP):
        return FormatError(place, "this zip archive is not whole; pack it again")
    return None


def _unknown_text(path: Path, head: str, formats: Mapping[str, Format]) -> FormatError:
    place = Place(str(path))
    refuse_binary(path)
    if not head.strip():
        return FormatError(place, "the file is empty")
    if head.lstrip().startswith(("{", "[")) and (fields := first_fields(head)):
        return _unknown_json(head, fields, place)
    if _PYTHON.match(head):
        return FormatError(place, "this is Python's notation, not JSON; write it with json.dump")
    if found := next((what for form, what in _COLUMNS if form.search(head)), None):
        return FormatError(
            place,
            f"this looks like {found}; write each token with its tag in the last column, "
            "such as B-PER, or the texts alone as .txt",
        )
    return _bad_tag(path, head) or FormatError(
        place,
        "no known format looks like this; the format of plain text is called text",
        Remedy("format", ", ".join(formats)),
    )


def _unknown_json(head: str, fields: frozenset[str], place: Place) -> FormatError:
    """Return where the text may be: in a field inside another, or in a list of records."""
    wrapped = _WRAPPED.match(head)
    if wrapped is not None:
        return FormatError(
            place, f"the records are in the field {wrapped[1]!r}; save that list as a file alone"
        )
    shown = sorted({*fields, *inner_fields(first_record(head))})
    return FormatError(
        place,
        "this is JSON of no known format, and no field looks like the text (fields: "
        f"{', '.join(shown)})",
        Remedy("text_column"),
    )


def _bad_tag(path: Path, head: str) -> FormatError | None:
    """Return what is wrong with the first tag, if the lines look like tokens with tags."""
    bad = odd_tag(head)
    if bad is None:
        return None
    label = label_in(bad[1])
    return FormatError(
        Place(str(path), bad[0]),
        f"this looks like conll, but the tag {bad[1]!r} is not O, and has no position in front of "
        f"its label; write B-{label} where a span begins and I-{label} where it goes on",
    )


def _unknown_folder(path: Path, place: Place, formats: Mapping[str, Format]) -> FormatError:
    inside = visible(path)
    if not inside:
        return FormatError(place, "the folder is empty; name one with data in it")
    parts = [part for part in inside if is_crowd_directory(part)]
    if parts:
        return FormatError(
            place,
            f"the data sets are in folders inside ({', '.join(p.name for p in parts)}); read one "
            f"of them, such as {parts[0]}",
        )
    what = f"no known format looks like this folder ({_few(inside)})"
    found = dict(_inside(inside, formats))
    if not found:
        return FormatError(
            place, f"{what}; read one of its files", Remedy("format", ", ".join(formats))
        )
    first = next(iter(found))
    alike = [each for each, name in found.items() if name == found[first]]
    if len(alike) == 1:
        return FormatError(
            place, f"{what}, but {first} looks like {found[first]}; take that alone"
        )
    if found[first] == "text" and first.parent == path:
        return FormatError(
            place,
            f"{what}, but {len(alike)} of its files look like text; move away what does not "
            f"({_few([each for each in inside if each not in alike])})",
        )
    return FormatError(
        place,
        f"{what}, but {len(alike)} files in it look like {found[first]} ({_few(alike)}); read one "
        "after the other, or make one file of them",
    )


def _few(paths: Sequence[Path]) -> str:
    return ", ".join(each.name for each in paths[:5]) + (", ..." if len(paths) > 5 else "")


def _inside(near: Sequence[Path], formats: Mapping[str, Format]) -> Iterator[tuple[Path, str]]:
    """Yield what in a folder, or in the folders of it, is of a known format."""
    below = (each for part in near if part.is_dir() for each in visible(part))
    for each in (*near[:_LOOKED_AT], *islice(below, _LOOKED_AT)):
        start = head_of(each)
        for name, candidate in formats.items():
            if candidate.recognises(each, start):
                yield each, name
