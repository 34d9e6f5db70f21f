"""Say why nothing was recognised: what a file or folder nearly is, and what to do."""

from collections.abc import Iterable
from pathlib import Path

from spancrew.errors import FormatError, Place, Remedy
from spancrew.formats._columns import cells, is_tag
from spancrew.formats._crowd_layout import is_crowd_directory
from spancrew.formats._json import first_fields
from spancrew.formats._text import refuse_binary


def unknown(path: Path, head: str, names: Iterable[str]) -> FormatError:
    """Return an error with the best guess of what the path is."""
    place = Place(str(path))
    if path.is_dir():
        return _unknown_folder(path, place, names)
    if path.suffix == ".spacy":
        return FormatError.expected(
            place, "data that is not compressed", "a .spacy file as DocBin.to_disk writes it"
        )
    if path.suffix == ".ann":
        return FormatError(place, f"this is a part of brat's files; read the folder {path.parent}")
    refuse_binary(path)
    if not head.strip():
        return FormatError(place, "the file is empty")
    if head.lstrip().startswith(("{", "[")) and (fields := first_fields(head)):
        return FormatError(
            place,
            "this is JSON of no known format, and no field looks like the text (fields: "
            f"{', '.join(sorted(fields))})",
            Remedy("text_column"),
        )
    return _bad_tag(path, head) or FormatError(
        place, "no known format looks like this", Remedy("format", ", ".join(names))
    )


def _bad_tag(path: Path, head: str) -> FormatError | None:
    """Return what is wrong with the first tag, if the lines look like tokens with tags."""
    rows = [(k, cells(line)) for k, line in enumerate(head.split("\n")[:-1], 1) if line.strip()]
    widths = {len(row) for _, row in rows}
    tags = [(k, row[-1]) for k, row in rows]
    bad = next(((k, tag) for k, tag in tags if not is_tag(tag)), None)
    if len(widths) != 1 or 1 in widths or bad is None or not any(is_tag(tag) for _, tag in tags):
        return None
    return FormatError(
        Place(str(path), bad[0]),
        f"this looks like conll, but the tag {bad[1]!r} is not O, and has no position in front of "
        f"its label; write B-{bad[1]} where a span begins and I-{bad[1]} where it goes on",
    )


def _unknown_folder(path: Path, place: Place, names: Iterable[str]) -> FormatError:
    visible = [each for each in sorted(path.iterdir()) if not each.name.startswith(".")]
    if not visible:
        return FormatError(place, "the folder is empty")
    parts = [each for each in visible if is_crowd_directory(each)]
    if parts:
        return FormatError(
            place,
            f"the data sets are in folders inside ({', '.join(p.name for p in parts)}); read one "
            f"of them, such as {parts[0]}",
        )
    shown = ", ".join(each.name for each in visible[:5]) + (", ..." if len(visible) > 5 else "")
    return FormatError(
        place,
        f"no known format looks like this folder ({shown}); read one of its files",
        Remedy("format", ", ".join(names)),
    )
