"""Parameters of paths and queries, and the refusals that routes announce."""

from typing import Annotated, Any

from fastapi import Path
from pydantic import Field

from spancrew import wire

CAMPAIGN_ID = r"^[a-z0-9]{1,40}$"
CampaignId = Annotated[str, Path(pattern=CAMPAIGN_ID, description="id of a campaign")]
WorkerName = Annotated[str, Path(pattern=r"^w[0-9]{1,18}$", description="a worker, such as w7")]
ExpertName = Annotated[str, Path(pattern=r"^e[0-9]{1,18}$", description="an expert, such as e2")]
RowId = Annotated[int, Path(ge=0, le=wire.MOST)]
Position = Annotated[int, Path(ge=0, lt=wire.MOST_SENTENCES, description="of a sentence, from 0")]
After = Annotated[int, Field(ge=0, le=wire.MOST, description="the last version that is known")]
Limit = Annotated[int, Field(ge=1, le=1000)]

_DESCRIPTIONS = {
    400: "The body is not what its type says",
    401: "Nobody is signed in",
    403: "Not for this role, or without a valid CSRF token",
    404: "Not there, or not for this caller",
    409: "Not possible now",
    413: "The body is too large",
    422: "Values that cannot be used",
    429: "Too many requests; wait as Retry-After says",
    501: "A package that this needs is not installed",
    503: "The store does not answer now; wait as Retry-After says",
}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the answers that a route may refuse with, for the OpenAPI document."""
    return {
        status: {"model": wire.ErrorAnswer, "description": _DESCRIPTIONS[status]}
        for status in statuses
    }


USUAL = refusals(400, 401, 403, 404, 409, 413, 422, 429, 503)
"""What every route behind a session may refuse with."""
