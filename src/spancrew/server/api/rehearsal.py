"""Routes for admins before there is a campaign: look at data, find and rehearse a plan."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any

import numpy as np
from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from spancrew import wire
from spancrew.core import Dataset, Ragged, is_model, span_table
from spancrew.formats import Reading, write
from spancrew.server.api.access import Admin, Server
from spancrew.server.api.parameters import USUAL
from spancrew.server.api.pilots import CAMPAIGN_FIELD, pilot_given
from spancrew.server.api.sources import check_source, format_of, keep_file, look_at_source
from spancrew.server.api.upload import (
    CampaignForm,
    campaign_form,
    form_schema,
    parsed_json,
    refuse_odd_text,
    shown_repairs,
    text_field,
)
from spancrew.server.pages.problems import language_of
from spancrew.server.people.sessions import Caller
from spancrew.server.processes import in_thread, is_stopping
from spancrew.server.refusals import RefusedError, invalid
from spancrew.server.rehearsal.run import Line, RehearsalJob, RehearsalProcess
from spancrew.server.services import Services

router = APIRouter(prefix=wire.PREFIX, tags=["rehearsal"], responses=USUAL)

USUAL_RUNS, MOST_RUNS = 10, 50
_LONGER = 3.0
"""How many times as long as a rehearsal the search for a plan may take: it is many of them."""
_LINES = "application/x-ndjson"
_PILOT = "pilot.jsonl"
"""The file for the data of a pilot that is on this server."""
_AS_KEPT = wire.ReadingView(format="spancrew", follows=(), table=None)
"""What data are taken for that need no reading."""
_MORE: dict[str, dict[str, Any]] = {
    "runs": {"type": "integer", "minimum": 1, "maximum": MOST_RUNS},
    "skill": {"type": "number", "description": "F1 of a worker, where no answers tell"},
}
_WISHES: dict[str, dict[str, Any]] = {
    "wishes": {"type": "string", "maxLength": 10_000, "description": "JSON: target and people"},
    "assume": {"type": "string", "maxLength": 200, "description": "a crowd in place of data"},
}


@router.post(
    "/inspections",
    summary="Look at a data set",
    openapi_extra=form_schema(campaign=CAMPAIGN_FIELD),
)
async def inspect(request: Request, admin: Admin, services: Server) -> wire.InspectionView:
    """Read a bundled data set, a file, a text or a pilot and say what is in it; nothing is kept.

    ``reading`` says how to read it. An error names the option that would help, and what the file
    was taken for, so that another call can choose better.
    """
    async with campaign_form(request) as form:
        pilot = await pilot_given(form, request, admin, services)
        if pilot is None:
            reading, taken = await look_at_source(form.source, services.settings.upload_limit)
        else:
            reading, taken = Reading(pilot, ()), _AS_KEPT
    return await in_thread(inspection_of, reading, taken, language_of(request))


@router.post(
    "/rehearsals",
    summary="Rehearse a plan",
    response_class=StreamingResponse,
    openapi_extra=form_schema(campaign=CAMPAIGN_FIELD, **_MORE),
    responses={200: {"description": "Lines of JSON", "content": {_LINES: {}}}},
)
async def rehearse(request: Request, admin: Admin, services: Server) -> StreamingResponse:
    """Play a campaign through on a pilot with gold, many times, and forecast quality and cost.

    The answer are lines of JSON: how far it is, then the ``forecast`` or an ``error``. It is done
    by a process of its own, which ends when the caller goes away; nothing is kept.
    """
    return await _done_elsewhere(request, admin, services, _job)


@router.post(
    "/plans",
    summary="Find a plan for what is wanted",
    response_class=StreamingResponse,
    openapi_extra=form_schema("wishes", campaign=CAMPAIGN_FIELD, **_WISHES),
    responses={200: {"description": "Lines of JSON", "content": {_LINES: {}}}},
)
async def plan(request: Request, admin: Admin, services: Server) -> StreamingResponse:
    """Look for the cheapest way to reach a quality with these people, by rehearsals on a pilot.

    The pilot is the data's sentences with gold and answers; without any, say what to ``assume``.
    The answer are lines of JSON: how far it is, with the seconds ``left``, then the ``plan`` or an
    ``error``. It is done as a rehearsal is, and counts as one.
    """
    return await _done_elsewhere(request, admin, services, _plan_job, _LONGER)


MakeJob = Callable[[CampaignForm, RehearsalProcess, int], Awaitable[RehearsalJob]]


async def _done_elsewhere(
    request: Request, admin: Caller, services: Services, make_job: MakeJob, times: float = 1.0
) -> StreamingResponse:
    """Let a process do the job that a form asks for, and answer with what it says."""
    rehearsal = services.rehearsals.begin(times)
    try:
        async with campaign_form(request) as form:
            if (pilot := await pilot_given(form, request, admin, services)) is not None:
                await in_thread(write, pilot, rehearsal.folder / _PILOT, "spancrew")
            job = await make_job(form, rehearsal, services.settings.upload_limit)
        await rehearsal.start(job)
        lines = rehearsal.lines(partial(_is_gone, request))
        first = await anext(lines, None)
        _refuse_at_once(first)
    except BaseException:
        await rehearsal.close()
        raise
    return _Lines(first, lines, rehearsal)


async def _is_gone(request: Request) -> bool:
    """Tell whether there is nobody to tell any more, or nobody to do it."""
    return is_stopping() or await request.is_disconnected()


class _Lines(StreamingResponse):
    """Sends lines as they come; the rehearsal ends with the answer, however that ends."""

    def __init__(
        self, first: Line | None, lines: AsyncIterator[Line], rehearsal: RehearsalProcess
    ) -> None:
        super().__init__(_sent(first, lines), media_type=_LINES)
        self._rehearsal = rehearsal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._rehearsal.close()


async def _sent(first: Line | None, lines: AsyncIterator[Line]) -> AsyncIterator[str]:
    if first is not None:
        yield _text(first)
    async for line in lines:
        yield _text(line)


def _text(line: Line) -> str:
    return json.dumps({k: v for k, v in line.items() if k != "status"}) + "\n"


async def _job(form: CampaignForm, rehearsal: RehearsalProcess, limit: int) -> RehearsalJob:
    """Return what is to be rehearsed."""
    if not isinstance(form.plan, dict):
        raise invalid("plan: an object is expected")
    runs = form.whole("runs", USUAL_RUNS, MOST_RUNS)
    skill, reading = form.share("skill"), form.source.reading.model_dump()
    data, format_ = await _kept(form, rehearsal, limit)
    return RehearsalJob(data, format_, form.plan, runs, skill, reading)


async def _plan_job(form: CampaignForm, rehearsal: RehearsalProcess, limit: int) -> RehearsalJob:
    """Return what is to be planned; where a crowd is assumed, no data are needed."""
    given = parsed_json(text_field(form.fields, "wishes", 10_000) or "{}", "wishes")
    wishes, assume = wire.wishes_of(given), text_field(form.fields, "assume", 200)
    if assume is not None:
        return RehearsalJob("", None, {}, 1, None, wishes=wishes, assume=assume)
    data, format_ = await _kept(form, rehearsal, limit)
    reading = form.source.reading.model_dump()
    return RehearsalJob(data, format_, {}, 1, None, reading, wishes)


async def _kept(form: CampaignForm, rehearsal: RehearsalProcess, limit: int) -> tuple[str, str]:
    """Return the data and their format; a file is kept as long as the rehearsal."""
    pilot = rehearsal.folder / _PILOT
    if await in_thread(pilot.exists):
        return str(pilot), "spancrew"
    check_source(form.source)
    data = form.source.bundled
    if data is None:
        data = str(await in_thread(keep_file, form.source, rehearsal.folder, limit))
    return data, await in_thread(format_of, data, form.source)


def _refuse_at_once(first: Line | None) -> None:
    """Refuse with a status what is wrong before anything has begun."""
    if first is None:
        raise RefusedError(409, "not_now", "nobody waits for the rehearsal any more")
    if "error" in first:
        error = first["error"]
        status = int(first.get("status", 503))
        details = {name: error[name] for name in ("option", "value") if name in error}
        raise RefusedError(
            status, error["code"], error["message"], error.get("remedy"), details=details
        )


_EXAMPLES = 3
_ANSWERS = 3
_AMONG = 1_000
"""Sentences among which examples are looked for."""
_LONGEST = 400
"""Characters of an example, if there are such short ones."""


def inspection_of(reading: Reading, taken: wire.ReadingView, language: str) -> wire.InspectionView:
    """Look at a data set; refuse text that no store could keep."""
    dataset = reading.dataset
    for sentence in dataset.sentences:
        refuse_odd_text(sentence.id, sentence.text)
    gold = int(dataset.has_gold.sum())
    return wire.InspectionView(
        format=taken.format,
        sentences=len(dataset),
        tokens=len(dataset.sentences.starts.values),
        labels=_counts(dataset, dataset.gold if gold else dataset.answers.codes),
        gold=gold,
        workers=len(dataset.workers),
        models=sum(map(is_model, dataset.workers)),
        answers=len(dataset.answers),
        examples=tuple(_example(dataset, k) for k in _chosen(dataset)),
        repairs=shown_repairs(reading.repairs, language),
        repaired=len(reading.repairs),
        reading=taken,
    )


def _example(dataset: Dataset, position: int) -> wire.ExampleSentence:
    rows = np.flatnonzero(dataset.answers.sentence == position)[:_ANSWERS].tolist()
    answers = tuple(
        wire.ExampleAnswer(worker=found.worker, spans=found.spans)
        for found in map(dataset.answer, rows)
    )
    spans = dataset.gold_spans(position)
    return wire.ExampleSentence(sentence=dataset.sentences[position], spans=spans, answers=answers)


def _counts(dataset: Dataset, codes: Ragged) -> tuple[wire.InspectedLabel, ...]:
    found = np.bincount(span_table(codes).label, minlength=len(dataset.labels))
    return tuple(
        wire.InspectedLabel(name=name, spans=int(count))
        for name, count in zip(dataset.labels, found, strict=True)
    )


def _chosen(dataset: Dataset) -> list[int]:
    """Return a few sentences: rather short ones, with spans, in their order."""

    def is_poor(position: int) -> tuple[bool, bool]:
        short = len(dataset.sentences[position].text) <= _LONGEST
        return not short, not dataset.gold_spans(position)

    among = range(min(len(dataset), _AMONG))
    return sorted(sorted(among, key=is_poor)[:_EXAMPLES])
