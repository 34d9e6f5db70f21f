"""A data set that comes with a form: read under a name of ours, and never unpacked blindly."""

import json
import tempfile
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import Request
from starlette.datastructures import FormData, UploadFile

from spancrew.core import Dataset, DatasetBuilder, LabelSet, parse_json
from spancrew.formats import BUNDLED, Reading, Repair, read, recognise
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
    b"PAR1",  # Parquet is compressed, too, and may come to any size
)
_FOLDERS = {"huggingface", "crowd-dir", "brat"}
_CHUNK = 1 << 16
_MOST_REPAIRS = 100


class DataSource(NamedTuple):
    """Where the data of a new campaign come from."""

    bundled: str | None
    file: UploadFile | None
    format: str | None


def check_source(source: DataSource) -> None:
    """Refuse no data and data twice, what is not bundled, and what cannot be sent."""
    if (source.bundled is None) == (source.file is None):
        raise invalid("a campaign needs either 'data', the name of a bundled data set, or 'file'")
    if source.format in _FOLDERS:
        raise invalid(
            f"the format {source.format!r} is a folder, which cannot be uploaded",
            "make a file of it first: spancrew convert FOLDER data.jsonl",
        )
    if source.bundled is not None and source.bundled not in BUNDLED:
        raise invalid(f"data {source.bundled!r} is not bundled (one of {', '.join(BUNDLED)})")


async def read_source(source: DataSource, limit: int) -> tuple[Reading, str]:
    """Read a data set; return it with the name of its format."""
    check_source(source)
    if source.bundled is not None:
        return await in_thread(read, source.bundled), "spancrew"
    return await in_thread(_read_file, source, limit)


def _read_file(source: DataSource, limit: int) -> tuple[Reading, str]:
    with tempfile.TemporaryDirectory(prefix="spancrew-") as folder:
        copy = keep_file(source, Path(folder), limit)
        format_ = source.format or recognise(copy).name
        return read(copy, format_), format_


def keep_file(source: DataSource, folder: Path, limit: int) -> Path:
    """Keep a file that was sent in a folder of ours; refuse archives."""
    assert source.file is not None  # noqa: S101  the caller has checked it
    # Not the name that was sent: it may be a path, or ask for a format.
    copy = folder / "upload"
    with copy.open("wb") as target:
        while chunk := source.file.file.read(_CHUNK):
            target.write(chunk)
    _refuse_archive(copy)
    if source.format == "spacy":
        _refuse_bomb(copy, limit)
    return copy


def _refuse_archive(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(8).startswith(_ARCHIVES):
            raise invalid(
                "the file is an archive, or is compressed", "send the data set itself, as text"
            )


def _refuse_bomb(path: Path, limit: int) -> None:
    """Refuse compressed data that would not fit the limit when unpacked."""
    unpacker, size = zlib.decompressobj(), 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            while chunk:
                try:
                    size += len(unpacker.decompress(chunk, _CHUNK))
                except zlib.error:
                    return  # the format says it better
                if size > limit:
                    raise too_large(limit)
                chunk = unpacker.unconsumed_tail


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
    "format": {"type": "string", "maxLength": 40},
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
    async with request.form(max_files=1, max_fields=8, max_part_size=1 << 20) as form:
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
                text_field(form, "format", 40),
            ),
            fields=form,
        )


def form_schema(*required: str, **more: dict[str, Any]) -> dict[str, Any]:
    """Return the form for the OpenAPI document; ``more`` are fields of this route alone."""
    schema: dict[str, Any] = {"type": "object", "properties": {**_FIELDS, **more}}
    if required:
        schema["required"] = list(required)
    content = {"multipart/form-data": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}}
