"""What a server says when it refuses, as the error that it would be without a server."""

import json
from typing import Any

from spancrew import errors
from spancrew.errors import SpancrewError

_BY_CODE: dict[str, type[SpancrewError]] = {
    "answer_refused": errors.AnswerRefusedError,
    "conflict": errors.ConflictError,
    "journal": errors.JournalError,
    "not_now": errors.CampaignError,
    "plan": errors.PlanError,
    "store": errors.StoreError,
    "too_many_requests": errors.StoreError,
}
"""The errors that a client may want to tell apart; all others are plain."""


def failure_of(status: int, body: bytes, address: str) -> SpancrewError:
    """Return the error of an answer that is none: its class by the code, with what to do."""
    said = _said(body)
    if said is None:
        return SpancrewError(
            f"{address} answered with HTTP status {status} and nothing that spancrew understands: "
            "is this the address of a spancrew server?"
        )
    message = str(said.get("message") or f"HTTP status {status}")
    remedy = said.get("remedy")
    text = f"{message}: {remedy}" if remedy and str(remedy) not in message else message
    return _BY_CODE.get(str(said.get("code")), SpancrewError)(text)


def _said(body: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(body)
    except ValueError:
        return None
    said = record.get("error") if isinstance(record, dict) else None
    return said if isinstance(said, dict) else None
