"""Summaries of campaigns in a database: one row for each, written with its journal."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Select, func, select, text

from spancrew.stores._base import JournalSummary
from spancrew.stores._schema import journal, summaries

_PUT = text(
    "INSERT INTO summaries (campaign, version, due, body) "
    "VALUES (:campaign, :version, :due, :body) ON CONFLICT (campaign) DO UPDATE "
    "SET version = excluded.version, due = excluded.due, body = excluded.body"
)


def put_summary(connection: Connection, campaign: str, summary: JournalSummary) -> None:
    """Replace the summary of a campaign."""
    connection.execute(_PUT, {"campaign": campaign, **summary._asdict()})


def fresh_summaries(campaigns: Collection[str] | None) -> Select[Any]:
    """Return the query for summaries that are as new as their journals."""
    last = select(func.max(journal.c.version)).where(journal.c.campaign == summaries.c.campaign)
    query = select(summaries).where(summaries.c.version == last.scalar_subquery())
    return query if campaigns is None else query.where(summaries.c.campaign.in_(campaigns))


def due_summaries(now: float) -> Select[Any]:
    """Return the query for campaigns that time changes."""
    return select(summaries.c.campaign).where(summaries.c.due <= now)
