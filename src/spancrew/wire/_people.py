"""People, sessions and tokens."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from spancrew.core import Span
from spancrew.wire._base import Line, Money, Name, Number, Secret, Wire
from spancrew.wire._figures import StandingView

_Password = Annotated[str, StringConstraints(min_length=12, max_length=1000)]
Cap = Annotated[int, Field(ge=1, le=1_000_000_000)]


class SignIn(Wire):
    """A name and a password."""

    name: Name
    password: Secret


class LinkIn(Wire):
    """The secret of an invitation."""

    token: Secret


class PasswordIn(Wire):
    """A name to sign in with and a new password; ``old`` if there is one already."""

    name: Name
    password: _Password
    old: Secret | None = None


class Me(Wire):
    """Who is calling; ``csrf`` goes into the header X-CSRF-Token of calls with a cookie."""

    role: Literal["admin", "expert", "worker"]
    pseudonym: str
    name: str | None
    campaign: str | None
    csrf: str | None = None


class TokenIn(Wire):
    """What a new token is for."""

    name: Name


class TokenView(Wire):
    """A token in the list."""

    id: int
    name: str | None
    created_at: float


class NewToken(TokenView):
    """A new token with its secret, which is shown only now."""

    token: str


class WorkerIn(Wire):
    """A worker to invite; ``price`` and ``cap`` where they differ from the plan's."""

    name: Name | None = None
    price: Money | None = None
    cap: Cap | None = None


class ExpertIn(Wire):
    """An expert to invite."""

    name: Name | None = None


class PersonView(Wire):
    """Somebody who takes part; ``pseudonym`` is their name in the journal."""

    pseudonym: str
    name: str | None
    platform: str | None
    platform_id: str | None
    created_at: float
    seen_at: float | None
    erased: bool


class Invitation(Wire):
    """A person with the secret of their link, which is shown only now."""

    person: PersonView
    token: str
    url: str


class WorkerView(Wire):
    """A worker with the standing of their work, null before they come."""

    person: PersonView
    standing: StandingView | None


class WorkerChange(Wire):
    """What is to change about a worker; what is left out stays. ``cap`` null lifts the cap."""

    state: Literal["active", "paused", "banned"] | None = None
    reason: Line = ""
    cap: Cap | None = None


class AnswerRecord(Wire):
    """An answer of a worker, as it is kept."""

    version: int
    assignment: int
    sentence: str
    spans: tuple[Span, ...]
    at: float
    seconds: float | None
    paid: float
    late: bool
    surplus: bool


class WorkerData(Wire):
    """Everything that is known of a worker."""

    person: PersonView
    platform_details: str | None
    standing: StandingView | None
    sessions: tuple[float, ...]
    practised: tuple[float, ...]
    assignments: Number
    answers: tuple[AnswerRecord, ...]


class JoinView(Wire):
    """Where a crowd worker has come; a preview has no session."""

    preview: bool
    me: Me | None
