"""A data set that comes with a form: read under a name of ours, and never unpacked blindly."""

import json
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from fastapi import Request
from starlette.datastructures import FormData, UploadFile

from spancrew import wire
from spancrew.core import Dataset, DatasetBuilder, LabelSet, parse_json
from spancrew.errors import FormatError
from spancrew.formats import (
    BUNDLED,
    LAYOUTS,
    Reading,
    ReadOptions,
    Repair,
    TableDescription,
    describe,
    follows,
    named,
    read,
    recognise,
    unpacks_above,
)
from spancrew.server.api.errors import unreadable
from spancrew.server.processes import in_thread
from spancrew.server.refusals import invalid, too_large
from spancrew.stores import SentenceRow


def text_field(form: FormData, name: str, most: int) -> str | None:
    """Return a field of a form as text; None where it is missing or empty."""
    value = form.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise invalid(f"{name}: a text is expected, not a file")
    if len(value) > most:
        raise invalid(f"{name}: at most {most:,} characters, not {len(value):,}")
    if _is_odd(value):
        raise invalid(f"{name}: control characters are not allowed")
    return value.strip() or None


def parsed_json(text: str, name: str) -> Any:
    """Return what a text says as JSON; NaN, Infinity and half characters are no JSON."""
    try:
        found = parse_json(text, _refuse_constant)
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    except ValueError as error:
        raise invalid(f"{name} is not JSON: {str(error)[:200]}") from None
    return found


def _is_odd(text: str) -> bool:
    return any(
        (character < " " and character not in "\t\r\n") or "\ud800" <= character <= "\udfff"
        for character in text
    )


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is no number")


_ARCHIVES = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"Rar!",
)
_FOLDERS = {"huggingface", "crowd-dir", "brat"}
_SUFFIXES = {
    ".txt", ".csv", ".tsv", ".tab", ".json", ".jsonl", ".xlsx", ".parquet", ".spacy",
}  # fmt: skip
"""Endings that say something of what is in a file; no other is taken over from what was sent."""
_CHUNK = 1 << 16
_MOST_PASTED = 1_000_000
_MOST_REPAIRS = 100


class DataSource(NamedTuple):
    """Where the data of a new campaign come from, and how they are to be read."""

    bundled: str | None
    file: UploadFile | None
    text: str | None
    format: str | None
    reading: wire.ReadingIn


def check_source(source: DataSource) -> None:
    """Refuse no data and data twice, what is not bundled, and what cannot be sent."""
    if sum(each is not None for each in source[:3]) != 1:
        raise invalid(
            "a campaign needs either 'data', the name of a bundled data set, or 'file', or 'text'"
        )
    if source.format in _FOLDERS:
        raise invalid(
            f"the format {source.format!r} is a folder, which cannot be uploaded",
            "make a file of it first: spancrew convert FOLDER data.jsonl",
        )
    if source.bundled is not None and source.bundled not in BUNDLED:
        raise invalid(f"data {source.bundled!r} is not bundled (one of {', '.join(BUNDLED)})")


async def read_source(source: DataSource, limit: int) -> Reading:
    """Read a data set; nothing of it stays behind."""
    check_source(source)
    return await in_thread(_read, source, limit)


async def look_at_source(source: DataSource, limit: int) -> tuple[Reading, wire.ReadingView]:
    """Read a data set, and say what it was taken for, also where it cannot be read."""
    check_source(source)
    return await in_thread(_look_at, source, limit)


def _read(source: DataSource, limit: int) -> Reading:
    with _at_hand(source, limit) as data:
        chosen = format_of(data, source)
        return read(data, chosen, **source.reading.options())


def _look_at(source: DataSource, limit: int) -> tuple[Reading, wire.ReadingView]:
    with _at_hand(source, limit) as data:
        chosen = ""
        try:
            chosen = format_of(data, source)
            found = read(data, chosen, **source.reading.options())
        except FormatError as error:
            needs_column = error.remedy is not None and error.remedy.option == "text_column"
            taken = chosen or ("json" if needs_column else "")
            raise unreadable(error, taken_for(data, taken, source) if taken else None) from None
        return found, taken_for(data, chosen, source)


def taken_for(data: Path | str, chosen: str, source: DataSource) -> wire.ReadingView:
    """Return what data were taken for; a table that cannot be opened has no columns to choose."""
    format_ = named(chosen)
    try:
        table = describe(Path(data), format_, source.reading.columns)
    except FormatError:
        table = None
    return wire.ReadingView(
        format=chosen,
        follows=tuple(sorted(follows(format_))),
        table=None if table is None else _table_view(table),
    )


def _table_view(table: TableDescription) -> wire.TableView:
    return wire.TableView(
        layout=table.layout,
        columns=tuple(wire.ColumnView(**each._asdict()) for each in table.columns),
        roles=dict(table.roles),
        workers=table.workers,
        layouts={name: wire.LayoutView(**each._asdict()) for name, each in LAYOUTS.items()},
    )


def format_of(data: Path | str, source: DataSource) -> str:
    """Return the name of a format: the one that was told, or the one that it looks like.

    Text that was pasted and looks like nothing else is text.
    """
    if source.bundled is not None:
        return "spancrew"
    if source.format is not None:
        return source.format
    try:
        return recognise(Path(data), ReadOptions(columns=source.reading.columns)).name
    except FormatError:
        if source.text is None:
            raise
        return "text"


@contextmanager
def _at_hand(source: DataSource, limit: int) -> Iterator[Path | str]:
    """Yield what to read; a file is there until the block ends."""
    if source.bundled is not None:
        yield source.bundled
        return
    with tempfile.TemporaryDirectory(prefix="spancrew-") as folder:
        yield keep_file(source, Path(folder), limit)


def keep_file(source: DataSource, folder: Path, limit: int) -> Path:
    """Keep what was sent in a folder of ours; refuse archives, and what unpacks to too much."""
    if source.text is not None:
        copy = folder / "upload"
        copy.write_text(source.text, "utf-8", newline="")
        return copy
    assert source.file is not None  # noqa: S101  the caller has checked it
    copy = folder / f"upload{_suffix(source)}"
    with copy.open("wb") as target:
        while chunk := source.file.file.read(_CHUNK):
            target.write(chunk)
    _refuse_archive(copy)
    if unpacks_above(copy, limit):
        raise too_large(limit)
    return copy


def _suffix(source: DataSource) -> str:
    """Return an ending for our copy: not the name that was sent, which may be a path."""
    if source.format == "xlsx":
        return ".xlsx"
    sent = PurePath((source.file and source.file.filename) or "").suffix.casefold()
    return sent if sent in _SUFFIXES else ""


def _refuse_archive(path: Path) -> None:
    with path.open("rb") as file:
        is_archive = file.read(8).startswith(_ARCHIVES)
    if is_archive and path.suffix != ".xlsx":
        raise invalid(
            "the file is an archive, or is compressed", "send the data set itself, as text"
        )


def prepared(dataset: Dataset, labels: tuple[str, ...], *, use_gold: bool) -> Dataset:
    """Return the sentences of a data set alone, with its gold if that is to be used.

    ``labels`` are those of the plan; gold with any other is refused.
    """
    builder = DatasetBuilder(LabelSet(labels))
    for position, sentence in enumerate(dataset.sentences):
        refuse_odd_text(sentence.id, sentence.text)
        builder.add_sentence(sentence, dataset.gold_spans(position) if use_gold else None)
    return builder.build()


def shown_repairs(repairs: Sequence[Repair]) -> list[dict[str, str]]:
    """Return the first repairs; the name under which a file was kept here helps nobody."""
    shown = []
    for each in repairs[:_MOST_REPAIRS]:
        record = each.as_json()
        line = record["place"].rpartition(", line ")
        shown.append({**record, "place": f"line {line[2]}" if line[1] else "file"})
    return shown


def rows_of(dataset: Dataset) -> Iterator[SentenceRow]:
    """Yield the sentences as a store keeps them."""
    for position, sentence in enumerate(dataset.sentences):
        gold = dataset.gold_spans(position)
        spans = None if gold is None else tuple((s.start, s.end, s.label) for s in gold)
        meta: Any = dict(sentence.meta)
        yield SentenceRow(
            sentence.id, sentence.text, sentence.bounds, spans, json.dumps(meta, default=str)
        )


def refuse_odd_text(*texts: str) -> None:
    """Refuse text that would not come back from a store as it went in."""
    for text in texts:
        if "\0" in text or _has_half_characters(text):
            raise invalid("a sentence holds NUL or half a character, which no store can keep")


def _has_half_characters(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


_FIELDS: dict[str, dict[str, Any]] = {
    "name": {"type": "string", "minLength": 1, "maxLength": 200},
    "plan": {"type": "string", "maxLength": 100_000, "description": "JSON"},
    "data": {"type": "string", "description": "the name of a bundled data set"},
    "file": {"type": "string", "format": "binary", "description": "or a file"},
    "text": {"type": "string", "maxLength": _MOST_PASTED, "description": "or text"},
    "format": {"type": "string", "maxLength": 40},
    "reading": {"type": "string", "maxLength": 100_000, "description": "JSON: how to read it"},
    "gold": {"type": "string", "enum": ["use", "ignore"]},
}


class CampaignForm(NamedTuple):
    """What a form says; ``plan`` is JSON that nobody has looked at yet."""

    name: str | None
    plan: Any
    use_gold: bool
    source: DataSource
    fields: FormData

    def whole(self, name: str, usual: int, most: int) -> int:
        """Return a whole number from 1 up."""
        text = text_field(self.fields, name, 20)
        if text is None:
            return usual
        if not (text.isascii() and text.isdigit() and 1 <= int(text) <= most):
            raise invalid(f"{name}: a whole number from 1 to {most} is expected")
        return int(text)

    def share(self, name: str) -> float | None:
        """Return a number between 0 and 1; None if it is not said."""
        text = text_field(self.fields, name, 20)
        try:
            value = None if text is None else float(text)
        except ValueError:
            value = -1.0
        if value is not None and not 0 < value < 1:
            raise invalid(f"{name}: a number between 0 and 1 is expected, such as 0.7")
        return value


@asynccontextmanager
async def campaign_form(request: Request) -> AsyncIterator[CampaignForm]:
    """Read the form of a request; its file is there until the block ends.

    It is read here, not by FastAPI, so that strangers cannot upload.
    """
    async with request.form(max_files=1, max_fields=10, max_part_size=1 << 22) as form:
        gold = text_field(form, "gold", 10) or "use"
        if gold not in {"use", "ignore"}:
            raise invalid(f"gold {gold!r} is not known (one of use, ignore)")
        file = form.get("file")
        yield CampaignForm(
            name=text_field(form, "name", 200),
            plan=parsed_json(text_field(form, "plan", 100_000) or "{}", "plan"),
            use_gold=gold == "use",
            source=DataSource(
                text_field(form, "data", 100),
                file if isinstance(file, UploadFile) else None,
                text_field(form, "text", _MOST_PASTED),
                text_field(form, "format", 40),
                _reading_field(form),
            ),
            fields=form,
        )


def _reading_field(form: FormData) -> wire.ReadingIn:
    """Return how data are to be read."""
    given = parsed_json(text_field(form, "reading", 100_000) or "{}", "reading")
    return wire.reading_of(given)


def form_schema(*required: str, **more: dict[str, Any]) -> dict[str, Any]:
    """Return the form for the OpenAPI document; ``more`` are fields of this route alone."""
    schema: dict[str, Any] = {"type": "object", "properties": {**_FIELDS, **more}}
    if required:
        schema["required"] = list(required)
    content = {"multipart/form-data": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}}
