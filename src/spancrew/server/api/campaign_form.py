"""The form of a new campaign: a name, a plan, and where its data come from."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from fastapi import Request
from starlette.datastructures import FormData, UploadFile

from spancrew.server.api.form_fields import parsed_json, text_field
from spancrew.server.api.upload import Source
from spancrew.server.refusals import invalid

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
    source: Source
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
            source=Source(
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
