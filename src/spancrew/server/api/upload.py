"""A form with a data set: its fields, and what becomes of the sentences."""

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from fastapi import Request
from starlette.datastructures import FormData, UploadFile

from spancrew import wire
from spancrew.core import Dataset, DatasetBuilder, LabelSet, parse_json
from spancrew.formats import (
    Repair,
)
from spancrew.server.api.sources import DataSource
from spancrew.server.pages.problems import in_words
from spancrew.server.refusals import invalid, told_place
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


_MOST_PASTED = 1_000_000
_MOST_REPAIRS = 100


def prepared(dataset: Dataset, labels: tuple[str, ...], *, use_gold: bool) -> Dataset:
    """Return the sentences of a data set alone, with its gold if that is to be used.

    ``labels`` are those of the plan; gold with any other is refused.
    """
    builder = DatasetBuilder(LabelSet(labels), dataset.kind)
    for position, sentence in enumerate(dataset.sentences):
        refuse_odd_text(sentence.id, sentence.text)
        builder.add_sentence(sentence, dataset.gold_spans(position) if use_gold else None)
    return builder.build()


def shown_repairs(repairs: Sequence[Repair], language: str) -> list[dict[str, str]]:
    """Return the first repairs; the name under which a file was kept here helps nobody."""
    return [
        {
            "kind": each.kind,
            "place": in_words(told_place(each.place) or "file", language),
            "what": in_words(each.what, language),
        }
        for each in repairs[:_MOST_REPAIRS]
    ]


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


def form_schema(*required: str, **more: dict[str, Any] | None) -> dict[str, Any]:
    """Return the form for the OpenAPI document; ``more`` are fields of this route alone.

    One that is None is a field that this route does not have.
    """
    fields = {name: field for name, field in {**_FIELDS, **more}.items() if field is not None}
    schema: dict[str, Any] = {"type": "object", "properties": fields}
    if required:
        schema["required"] = list(required)
    content = {"multipart/form-data": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}}
