"""Many workers at once: look for them, change them."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from spancrew.wire._base import NO_CONTROLS, Wire
from spancrew.wire._figures import WorkerLately
from spancrew.wire._people import WorkerChange, WorkerView

MOST_AT_ONCE = 1000
"""Workers that are invited or changed by one request."""

PersonState = Literal["invited", "new", "ready", "paused", "banned", "erased"]
WorkerColumn = Literal[
    "attention", "worker", "state", "score", "trend", "speed", "agreement", "answers", "earned"
]
Concern = Literal["twin", "weak", "fast", "falling", "idle"]
_Worker = Annotated[str, StringConstraints(pattern=r"^w[0-9]{1,18}$")]


class WorkersWanted(BaseModel):
    """Which workers are looked for, as the query of an address; what is left out is any.

    ``text`` is anywhere in the name, the pseudonym or the platform's ID. With ``by``, only those
    who have joined come, in the order of this column, with how they have been doing lately.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    state: PersonState | None = None
    text: Annotated[str, StringConstraints(max_length=200, pattern=NO_CONTROLS)] = ""
    page: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    size: Annotated[int, Field(ge=1, le=1_000_000)] = 50
    by: WorkerColumn | None = None
    down: bool = False


class FoundWorker(WorkerView):
    """A worker that was found; ``state`` is ``invited`` until they come.

    ``lately`` is there where workers are asked for by a column. ``attention`` says why they need a
    look, what matters most first: they make the same mistakes as their ``twin``, are clearly weak,
    far faster than the others, falling, or were not heard of for a day.
    """

    state: PersonState
    lately: WorkerLately | None = None
    attention: tuple[Concern, ...] = ()
    twin: str | None = None


class WorkersView(Wire):
    """A page of workers; ``total`` were found, at most ``size`` on a page.

    ``found`` are all of them who can be changed, also those on other pages; ``everybody`` counts
    the campaign's. Where workers are asked for by a column, ``names`` has all that are known, by
    pseudonym, ``attention`` counts those who need a look, and ``left_out`` those who are there and
    wait because the crew is asked first: one of ``crew`` people, or where that is None of all who
    are not weak.
    """

    workers: tuple[FoundWorker, ...]
    found: tuple[str, ...]
    total: int
    everybody: int
    page: int
    size: int
    names: dict[str, str] = Field(default_factory=dict)
    attention: int = 0
    left_out: int = 0
    crew: int | None = None


class WorkersChange(WorkerChange):
    """What is to change about all these workers; what is left out stays."""

    workers: Annotated[list[_Worker], Field(min_length=1, max_length=MOST_AT_ONCE)]


class WorkersChanged(Wire):
    """How many workers were ``changed``; the others were so already."""

    changed: int
    same: int
