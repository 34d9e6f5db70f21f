"""People, sessions and tokens."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from spancrew.core import Span
from spancrew.wire._base import Line, Money, Name, Number, Secret, Wire
from spancrew.wire._figures import StandingView

_Password = Annotated[str, StringConstraints(min_length=12, max_length=1000)]
Cap = Annotated[int, Field(ge=1, le=1_000_000_000)]


Scope = Literal["read", "work", "expert", "admin"]
_Code = Annotated[str, StringConstraints(pattern=r"^[0-9]{6}$")]
_Email = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^@\s]+@[^@\s]+$")]
_CampaignIds = Annotated[
    list[Annotated[str, StringConstraints(max_length=40)]], Field(max_length=1000)
]


class SignIn(Wire):
    """A name and a password; ``code`` for those who have a second factor."""

    name: Name
    password: Secret
    code: _Code | None = None


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


class SecondFactor(Wire):
    """A secret for an authenticator app, which is shown only now."""

    secret: str
    url: str


class FactorIn(Wire):
    """The secret that an app has taken over, a code of it, and the password."""

    secret: Annotated[str, StringConstraints(pattern=r"^[A-Z2-7]{32}$")]
    code: _Code
    password: Secret


class CodeIn(Wire):
    """A code of an authenticator app."""

    code: _Code


class TokenIn(Wire):
    """What a new token is for, and what it may do; without ``scope`` all that its owner may."""

    name: Name
    scope: Scope | None = None
    campaign: str | None = None
    days: Annotated[float, Field(gt=0, le=3650)] = 90.0


class TokenView(Wire):
    """A token in the list; one without an end was made by an earlier release."""

    id: int
    name: str | None
    person: str
    role: Literal["admin", "expert", "worker"]
    scope: Scope | None
    campaign: str | None
    created_at: float
    expires_at: float | None
    used_at: float | None


class NewToken(TokenView):
    """A new token with its secret, which is shown only now."""

    token: str


_ModelName = Annotated[str, StringConstraints(max_length=80, pattern=r"^\S(.*\S)?$")]


class WorkerIn(Wire):
    """A worker to invite; ``price`` and ``cap`` where they differ from the plan's.

    With ``model`` it is a model of this name, which costs nothing unless it has a price.
    """

    name: Name | None = None
    price: Money | None = None
    cap: Cap | None = None
    model: _ModelName | None = None
    version: Annotated[str, StringConstraints(max_length=200)] = ""


class ExpertIn(Wire):
    """An expert to invite; ``email`` lets them sign in by the identity provider of the team."""

    name: Name | None = None
    email: _Email | None = None


class AdminIn(Wire):
    """An admin to invite: of some campaigns, or with null an owner of the server."""

    name: Name
    email: _Email | None = None
    campaigns: _CampaignIds | None


class AdminChange(Wire):
    """The campaigns of an admin from now on; null makes an owner of them."""

    campaigns: _CampaignIds | None


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


class AdminView(Wire):
    """An admin; ``campaigns`` is null for an owner."""

    person: PersonView
    email: str | None
    campaigns: list[str] | None


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
