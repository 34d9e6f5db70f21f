"""Find the format for a path, and read or write through it."""

from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from spancrew.core import Dataset, Kind, LabelSet, Unit
from spancrew.errors import FormatError, KindError, Place, Remedy
from spancrew.formats._appearing import appearing
from spancrew.formats._base import (
    Columns,
    Discontinuous,
    Format,
    Overlaps,
    Progress,
    Reading,
    ReadOptions,
    Repair,
    Split,
    silent,
)
from spancrew.formats._final_place import placed
from spancrew.formats._soft import SoftFormat, SoftLabels
from spancrew.formats._table import Table, TableDescription, described, taken
from spancrew.formats._table_frame import PLACE, DataFrame, frame_rows
from spancrew.formats._text import head
from spancrew.formats._unknown import unknown
from spancrew.formats._zipped import is_zipped, unzip, unzipped

Writer = Callable[[Dataset, Path], tuple[Repair, ...]]

BUNDLED = ("demo", "demo-zh")
"""Data sets that come with spancrew and are read by name."""


@cache
def formats() -> dict[str, Format]:
    """Return every installed format by name; at most one of them recognises a path."""
    found = entry_points(group="spancrew.formats")
    return {entry.name: entry.load()() for entry in found}


def formats_for(kind: Kind) -> dict[str, Format]:
    """Return the formats that can be written with spans or with choices, by name."""
    return {name: each for name, each in formats().items() if kind in _kinds(each)}


def _kinds(chosen: Format) -> tuple[Kind, ...]:
    found: tuple[Kind, ...] = getattr(chosen, "kinds", ("spans",))
    return found


def read(  # noqa: PLR0913  one keyword for each option
    path: str | Path | DataFrame,
    format: str | None = None,  # noqa: A002  the word users know
    *,
    overlaps: Overlaps | None = None,
    unit: Unit | None = None,
    labels: tuple[str, ...] | None = None,
    progress: Progress = silent,
    columns: Columns | None = None,
    split: Split | None = None,
    discontinuous: Discontinuous | None = None,
    skip_unequal: bool = False,
) -> Reading:
    """Read a data set from a file, a folder, a DataFrame, or by the name of a bundled one.

    The options are those of :class:`ReadOptions`. A DataFrame of pandas or polars is read as any
    other table.

    >>> dataset, repairs = read("demo")
    >>> len(dataset.workers), len(repairs)
    (30, 0)
    """
    options = ReadOptions(
        overlaps,
        unit,
        LabelSet(labels) if labels else None,
        progress,
        columns or {},
        split,
        discontinuous,
        skip_unequal,
    )
    if not isinstance(path, str | Path):
        return taken(frame_rows(path), options, PLACE)
    if path in BUNDLED and format is None and options == ReadOptions():
        return _bundled(str(path))
    source = locate(path)
    if not _is_to_unzip(source, format):
        return _read(source, format, options)
    with unzipped(source) as inside, inside.told():
        return inside.reading(_read(inside.data(is_recognised), format, options))


@cache
def _bundled(name: str) -> Reading:
    """Return a bundled data set, which nobody can change."""
    return _read(locate(name), None, ReadOptions())


def _read(path: Path, name: str | None, options: ReadOptions) -> Reading:
    chosen = named(name) if name else recognise(path, options)
    _refuse_others_options(chosen, options, path)
    return chosen.read(path, options)


def _is_to_unzip(path: Path, name: str | None) -> bool:
    """Tell whether a path is an archive that no format, or not the named one, reads as it is."""
    readers = [named(name)] if name else formats().values()
    return is_zipped(path) and not any(each.recognises(path, "") for each in readers)


def unzip_upload(path: Path, folder: Path, name: str | None, most: int) -> Path:
    """Return what to read of a file that was sent: it may be an archive, which is unpacked."""
    if not _is_to_unzip(path, name):
        return path
    return unzip(path, folder, most).data(is_recognised)


def is_recognised(path: Path) -> bool:
    """Tell whether some format recognises the path."""
    start = head(path)
    return any(each.recognises(path, start) for each in formats().values())


class Preview(NamedTuple):
    """What a file is read as, or why it cannot be; and what it is taken for if it is a table."""

    reading: Reading | FormatError
    table: TableDescription | None


def preview(path: str | Path, chosen: Format, options: ReadOptions) -> Preview:
    """Read a file and say what it is taken for; a table is parsed once for both."""
    source = locate(path)
    place = Place(str(source))
    rows = description = None
    try:
        if isinstance(chosen, Table):
            rows = chosen.rows(source, options.progress)
            description = described(rows, options.columns, place)
        _refuse_others_options(chosen, options, source)
        found = chosen.read(source, options) if rows is None else taken(rows, options, place)
    except FormatError as error:
        return Preview(error, description)
    return Preview(found, description)


def write(
    dataset: Dataset,
    path: str | Path,
    format: str | None = None,  # noqa: A002  the word users know
    *,
    soft: bool = False,
) -> tuple[Repair, ...]:
    """Write a data set; the file or folder appears whole or not at all.

    Final labels stand in the place of gold where the format has no other. ``soft`` adds the
    probability of every tag for every token, for formats that train models. Returns what the
    format cannot hold and was therefore left out.
    """
    target = Path(path)
    chosen = format_for(target, format)
    _refuse_other_kind(chosen, dataset, target, soft=soft)
    writer = _soft_writer(chosen, dataset, target) if soft else chosen.write
    place = Place(str(target))
    fitting, lost = placed(dataset, chosen, target)
    try:
        with appearing(target) as draft:
            losses = (*lost, *writer(fitting, draft))
    except UnicodeEncodeError as error:
        raise FormatError(place, f"the text holds what UTF-8 cannot write: {error}") from None
    return tuple(loss._replace(place=place) for loss in losses)


def _refuse_other_kind(chosen: Format, dataset: Dataset, path: Path, *, soft: bool) -> None:
    """Refuse a format that cannot hold what the answers are made of."""
    fit = formats_for(dataset.kind)
    if dataset.kind not in _kinds(chosen):
        raise KindError(
            f"{path}: the format {chosen.name!r} has no place for {dataset.kind}; write "
            f"{', '.join(fit)}"
        )
    if soft and dataset.kind == "choices":
        raise KindError(
            f"{path}: soft labels are the probabilities of tags, and choices have none"
        )


def _soft_writer(chosen: Format, dataset: Dataset, path: Path) -> Writer:
    """Return what writes soft labels, too; refuse a format that has no place for them."""
    if not isinstance(chosen, SoftFormat):
        fit = [name for name, each in formats().items() if isinstance(each, SoftFormat)]
        raise FormatError(
            Place(str(path)),
            f"the format {chosen.name!r} has no place for soft labels; write {', '.join(fit)}",
        )
    return partial(chosen.write_soft, soft=SoftLabels.of(dataset))


def format_for(
    path: str | Path,
    format: str | None = None,  # noqa: A002  the word users know
) -> Format:
    """Return the format that :func:`write` takes: as named, or as the file name asks for."""
    return named(format) if format else by_suffix(Path(path))


def locate(path: str | Path) -> Path:
    """Return the path of a data set; refuse one that is not there."""
    if str(path) in BUNDLED:
        return Path(str(files("spancrew.formats") / "bundled" / f"{path}.jsonl"))
    found = Path(path)
    if not found.exists():
        raise FormatError(
            Place(str(path)),
            f"there is no such file or folder (bundled data sets: {', '.join(BUNDLED)})",
        )
    return found


def named(name: str) -> Format:
    """Return a format by name."""
    try:
        return formats()[name]
    except KeyError:
        raise FormatError(
            Place(name), f"there is no such format; choose from {', '.join(formats())}"
        ) from None


def recognise(path: Path, options: ReadOptions | None = None) -> Format:
    """Return the first format that recognises the path.

    A file that nobody recognises is a table if the options say which column is the text.
    """
    start = head(path)
    for candidate in formats().values():
        if candidate.recognises(path, start):
            return candidate
    if options is not None and options.columns and path.is_file() and start.strip():
        return formats()["json" if start.lstrip().startswith(("{", "[")) else "csv"]
    raise unknown(path, start, formats())


_OPTIONS = {
    "columns": "name columns",
    "split": "cut documents into sentences",
    "discontinuous": "have spans in several pieces",
    "skip_unequal": "have the same sentence twice",
}


def _refuse_others_options(chosen: Format, options: ReadOptions, path: Path) -> None:
    """Refuse an option that would change nothing."""
    for option, what in _OPTIONS.items():
        if getattr(options, option) and option not in follows(chosen):
            raise FormatError(
                Place(str(path)),
                f"files of the format {chosen.name!r} do not {what}",
                Remedy("unused", option),
            )


def follows(chosen: Format) -> frozenset[str]:
    """Return the options that only some formats follow, and this one does."""
    found: frozenset[str] = getattr(chosen, "follows", frozenset())
    return found


def by_suffix(path: Path) -> Format:
    """Return the format that a file name asks for; the longest fitting ending wins."""
    fitting = [
        (len(suffix), name)
        for name, candidate in formats().items()
        for suffix in candidate.suffixes
        if path.name.endswith(suffix)
    ]
    if fitting:
        return formats()[max(fitting)[1]]
    raise FormatError(
        Place(str(path)),
        f"the name {path.name!r} does not say which format is meant",
        Remedy("to", ", ".join(formats())),
    )
