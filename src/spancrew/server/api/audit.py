"""Routes for admins: what admins did, to look at and as a file."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse

from spancrew import wire
from spancrew.server.api.access import EXPORTED, LOOKED_AT, Owner, Server
from spancrew.server.api.parameters import USUAL, Limit
from spancrew.server.people.audit import AuditFilter, AuditRow
from spancrew.server.processes import in_thread

router = APIRouter(prefix=wire.PREFIX, tags=["audit"], responses=USUAL)

RowNumber = Annotated[int, Query(ge=0, le=wire.MOST)]


async def wanted_entries(
    campaign: Annotated[str | None, Query(pattern=r"^[a-z0-9]{1,40}$")] = None,
    person: Annotated[RowNumber | None, Query(description="id of an admin")] = None,
    action: Annotated[str | None, Query(pattern=r"^[a-z_.]{1,80}$")] = None,
    since: Annotated[float | None, Query(ge=0, le=1e12, allow_inf_nan=False)] = None,
) -> AuditFilter:
    """Return which entries are asked for; ``action`` is one, or a group such as ``people``."""
    return AuditFilter(campaign, person, action, since)


Wanted = Annotated[AuditFilter, Depends(wanted_entries)]


@router.get("/audit", dependencies=[LOOKED_AT], summary="What admins did")
async def entries(
    _admin: Owner,
    services: Server,
    wanted: Wanted,
    after: RowNumber | None = None,
    before: RowNumber | None = None,
    limit: Annotated[Limit, Query()] = 100,
) -> wire.AuditView:
    """Return entries of the audit log, the newest first, or the oldest first ``after`` an id."""
    audit = services.directory.audit
    if after is None:
        found = await in_thread(audit.newest, limit + 1, wanted, before=before)
    else:
        found = await in_thread(audit.after, after, limit + 1, wanted)
    shown = tuple(entry_view(each) for each in found[:limit])
    return wire.AuditView(entries=shown, more=len(found) > limit)


@router.get("/audit/check", summary="Is the audit log whole")
async def check(_admin: Owner, services: Server) -> wire.AuditCheckView:
    """Compute the chain of hashes again and say where it breaks, if it does."""
    found = await in_thread(services.directory.audit.verify)
    return wire.AuditCheckView(**found._asdict())


_TYPES = {"jsonl": "application/jsonl", "csv": "text/csv; charset=utf-8"}


@router.get(
    "/audit/export",
    dependencies=[EXPORTED],
    summary="The audit log as a file",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "The file",
            "content": {"application/jsonl": {}, "text/csv": {}},
        }
    },
)
async def export(
    _admin: Owner,
    services: Server,
    wanted: Wanted,
    format: Literal["jsonl", "csv"] = "jsonl",  # noqa: A002  the word users know
) -> StreamingResponse:
    """Return all entries that are asked for, the oldest first, as JSON lines or as a table."""
    rows = services.directory.audit.read(wanted)
    return StreamingResponse(
        as_lines(rows) if format == "jsonl" else as_table(rows),
        media_type=_TYPES[format],
        headers={"Content-Disposition": f'attachment; filename="audit.{format}"'},
    )


def entry_view(row: AuditRow) -> wire.AuditEntryView:
    """Return an entry as it is shown."""
    return wire.AuditEntryView(**shown(row))


def shown(row: AuditRow) -> dict[str, Any]:
    """Return the fields of an entry; without name and hash they are what the hash is of."""
    return {"id": row.id, **asdict(row.entry), "name": row.name, "hash": row.hash}


def as_lines(rows: Iterator[AuditRow]) -> Iterator[str]:
    """Yield an object of JSON for every entry."""
    for row in rows:
        yield json.dumps(shown(row), sort_keys=True, separators=(",", ":")) + "\n"


def as_table(rows: Iterator[AuditRow]) -> Iterator[str]:
    """Yield the lines of a table, first the names of its columns."""
    columns = tuple(wire.AuditEntryView.model_fields)
    yield _line(columns)
    for row in rows:
        values = shown(row)
        yield _line(tuple(_cell(values[name]) for name in columns))


def _line(cells: tuple[str, ...]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerow(cells)
    return file.getvalue()


def _cell(value: object) -> str:
    """Return a cell that a spreadsheet takes for text, never for a formula."""
    if isinstance(value, dict):
        return json.dumps(value, sort_keys=True)
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
