"""A spancrew server from Python."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self
from urllib.parse import parse_qs, urlsplit

from spancrew.calling import Retries
from spancrew.campaign import Plan
from spancrew.client._audit import AuditClient
from spancrew.client._campaign import CampaignClient
from spancrew.client._sending import how_to_read, send_data
from spancrew.client._transport import PATIENCE, Api, Transport, failure_of, read, request
from spancrew.client._wire import wire
from spancrew.client._work import ExpertClient, WorkerClient
from spancrew.core import parse_json, refuse_deep
from spancrew.errors import PlanError, SpancrewError

if TYPE_CHECKING:
    pass


class Link(NamedTuple):
    """A link that lets somebody in: the address of a server and a secret."""

    url: str
    secret: str

    @classmethod
    def of(cls, text: str) -> "Link":
        """Take a link apart.

        >>> Link.of("http://127.0.0.1:8000/enter#abc")
        Link(url='http://127.0.0.1:8000', secret='abc')
        """
        parts = urlsplit(text.strip())
        said = parse_qs(parts.query).get("token", [])
        secret = parts.fragment or (said[0] if said else parts.path.rpartition("/")[2])
        if parts.scheme not in {"http", "https"} or not parts.netloc or not secret:
            raise SpancrewError(
                f"{text!r} is no link of a spancrew server: copy all of it, from http to the end"
            )
        return cls(f"{parts.scheme}://{parts.netloc}", secret)


class Client:
    """A server, called by an API ``token`` or as the person whom a ``link`` lets in.

    Requests that can be repeated without harm are tried again for ``patience`` seconds while the
    server is busy or away; answers are among them.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        link: str | None = None,
        *,
        patience: float = PATIENCE,
    ) -> None:
        self._transport = Transport(url, token, retries=Retries(patience))
        self._api = Api(self._transport, wire.PREFIX)
        self.audit = AuditClient(self._api)
        if link is not None:
            self._enter(Link.of(link).secret)

    @classmethod
    def from_link(cls, link: str, *, patience: float = PATIENCE) -> "Client":
        """Enter by a link alone; it says where the server is."""
        return cls(Link.of(link).url, link=link, patience=patience)

    def _enter(self, secret: str) -> None:
        try:
            self._open_session("/session/link", request(wire.LinkIn, token=secret))
        except BaseException:
            self.close()
            raise

    def log_in(self, name: str, password: str, code: str | None = None) -> None:
        """Open a session with a password, and a code for those who have a second factor."""
        body = request(wire.SignIn, name=name, password=password, code=code)
        self._open_session("/session", body)

    def _open_session(self, path: str, body: "wire.Wire") -> None:
        me = self._api.send(wire.Me, "POST", path, body)
        self._transport.set_header("X-CSRF-Token", str(me.csrf))

    def log_out(self) -> None:
        """Close the session."""
        self._api.call("DELETE", "/session")

    @property
    def url(self) -> str:
        """Return the address of the server."""
        return self._transport.url

    def me(self) -> "wire.Me":
        """Return who one is."""
        return self._api.get(wire.Me, "/me")

    def set_password(self, name: str, password: str, old: str | None = None) -> None:
        """Choose a name and a password to log in with; ``old`` where there is one already."""
        body = request(wire.PasswordIn, name=name, password=password, old=old)
        self._api.call("PUT", "/me/password", body)

    def is_ready(self) -> bool:
        """Tell whether the server can reach its store."""
        return self._transport.call("GET", "/health/ready").is_success

    def campaigns(self) -> "list[wire.CampaignSummary]":
        """Return all campaigns."""
        return self._api.get(list[wire.CampaignSummary], "/campaigns")

    def figures(self, *ids: str) -> "list[wire.FiguresView]":
        """Return how far some campaigns are, at most 50; those that are not there are left out."""
        return self._api.get(list[wire.FiguresView], "/figures", campaign=list(ids))

    def alerts(self) -> "list[wire.AlertView]":
        """Return what needs a look, in all campaigns and on the server, the oldest first."""
        return self._api.get(list[wire.AlertView], "/alerts")

    def campaign(self, id_: str) -> CampaignClient:
        """Return one campaign by its id."""
        return CampaignClient(self._api, id_)

    def find(self, name: str) -> CampaignClient:
        """Return one campaign by its id or, where only one has it, its name."""
        cards = self.campaigns()
        fitting = [each for each in cards if each.id == name]
        fitting = fitting or [each for each in cards if each.name == name]
        if len(fitting) == 1:
            return self.campaign(fitting[0].id)
        if fitting:
            ids = ", ".join(each.id for each in fitting)
            raise SpancrewError(f"{len(fitting)} campaigns are called {name!r}; use an id ({ids})")
        known = ", ".join(f"{each.id} ({each.name})" for each in cards) or "none"
        raise SpancrewError(f"there is no campaign {name!r} on {self.url}; there are: {known}")

    def create(  # noqa: PLR0913  one argument for each choice
        self,
        name: str,
        data: str | Path | CampaignClient,
        plan: Mapping[str, Any] | Plan | None = None,
        *,
        gold: Literal["use", "ignore"] = "use",
        practice: int = 0,
        pilot: int | None = None,
        format: str | None = None,  # noqa: A002  the word users know
        reading: Mapping[str, Any] | None = None,
    ) -> CampaignClient:
        """Set up a campaign on a file, on data that the server knows by name, or after a pilot.

        ``practice`` sentences with known labels are taken out of it, for workers to practise on.
        With ``pilot`` it has so many sentences, which workers and an expert label; once it is
        done, give it as ``data`` to rehearse, plan and set up the campaign on the others.
        Where all labels are known, ``gold`` must be "ignore". ``reading`` has options of
        ``spancrew.read``, such as ``{"columns": {"text": "body"}, "split": "sentences"}``.
        """
        form = {"name": name, "plan": _plan_text(plan), "gold": gold}
        if practice:
            form["practice"] = str(practice)
        if pilot is not None:
            form["pilot"] = str(pilot)
        answer = send_data(self._api, "/campaigns", data, form, how_to_read(format, reading))
        return self.campaign(read(wire.NewCampaign, answer.content).id)

    def pilots(self) -> "list[wire.PilotView]":
        """Return all pilots, and how many of their sentences still miss their labels."""
        return self._api.get(list[wire.PilotView], "/pilots")

    def inspect(
        self,
        data: str | Path | CampaignClient,
        *,
        format: str | None = None,  # noqa: A002  the word users know
        reading: Mapping[str, Any] | None = None,
    ) -> "wire.InspectionView":
        """Let the server look at data as it would for a new campaign; nothing is kept."""
        answer = send_data(
            self._api, "/inspections", data, {}, how_to_read(format, reading), again=True
        )
        return read(wire.InspectionView, answer.content)

    def rehearse(
        self,
        data: str | Path | CampaignClient,
        plan: Mapping[str, Any] | Plan | None = None,
        *,
        runs: int = 10,
        skill: float | None = None,
        format: str | None = None,  # noqa: A002  the word users know
        reading: Mapping[str, Any] | None = None,
    ) -> "wire.ForecastView":
        """Let the server rehearse a plan on data with gold; return what to expect of it.

        ``skill`` is the F1 of a worker, assumed where the data have no answers.
        """
        form = {"plan": _plan_text(plan), "runs": str(runs)}
        if skill is not None:
            form["skill"] = str(skill)
        answer = send_data(
            self._api, "/rehearsals", data, form, how_to_read(format, reading), again=True
        )
        return forecast_of(answer.content, self.url)

    def plan(
        self,
        data: str | Path | CampaignClient,
        wishes: Mapping[str, Any] | None = None,
        *,
        assume: str | None = None,
        format: str | None = None,  # noqa: A002  the word users know
        reading: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Let the server find a plan for what is wanted, as :func:`spancrew.plan` does.

        ``data`` is the pilot; ``wishes`` has its options, such as ``{"quality": 0.95}``. Where no
        sentence has gold and answers, ``assume`` says what the crowd is like.
        """
        form = {"wishes": json.dumps(dict(wishes or {}))}
        if assume is not None:
            form["assume"] = assume
        answer = send_data(
            self._api, "/plans", data, form, how_to_read(format, reading), again=True
        )
        found: dict[str, Any] = _last_of(answer.content, "plan", self.url)
        return found

    def worker(self, campaign: str | None = None) -> WorkerClient:
        """Return what a worker can do, in the campaign that one belongs to."""
        return WorkerClient(self._api, self._own(campaign))

    def expert(self, campaign: str | None = None) -> ExpertClient:
        """Return what an expert can do, in the campaign that one belongs to."""
        return ExpertClient(self._api, self._own(campaign))

    def _own(self, campaign: str | None) -> str:
        own = campaign or self.me().campaign
        if own is None:
            raise SpancrewError("say which campaign is meant: you belong to none of them")
        return own

    def tokens(self, *, everyone: bool = False) -> "list[wire.TokenView]":
        """Return the tokens for programs, without their secrets; admins see their people's."""
        params = {"everyone": "true"} if everyone else {}
        return self._api.get(list[wire.TokenView], "/tokens", **params)

    def create_token(
        self,
        name: str,
        scope: "wire.Scope | None" = None,
        *,
        campaign: str | None = None,
        days: float = 90.0,
    ) -> "wire.NewToken":
        """Make a token for a program; it is shown only now.

        Without ``scope`` it may do what its owner may; with ``campaign`` only in that one.
        """
        body = request(wire.TokenIn, name=name, scope=scope, campaign=campaign, days=days)
        return self._api.send(wire.NewToken, "POST", "/tokens", body)

    def revoke_token(self, id_: int) -> None:
        """End a token."""
        self._api.call("DELETE", f"/tokens/{id_}")

    def admins(self) -> "list[wire.AdminView]":
        """Return all admins with their campaigns."""
        return self._api.get(list[wire.AdminView], "/admins")

    def invite_admin(
        self, name: str, campaigns: Sequence[str] | None, *, email: str | None = None
    ) -> "wire.Invitation":
        """Make a link for an admin of some campaigns; None makes an owner of them."""
        ids = None if campaigns is None else list(campaigns)
        return self._api.invite(
            "/admins", request(wire.AdminIn, name=name, email=email, campaigns=ids)
        )

    def set_admin(self, admin: str, campaigns: Sequence[str] | None) -> "wire.AdminView":
        """Give an admin these campaigns and no others; None makes an owner of them."""
        ids = None if campaigns is None else list(campaigns)
        body = request(wire.AdminChange, campaigns=ids)
        return self._api.send(wire.AdminView, "PATCH", f"/admins/{admin}", body, again=True)

    def renew_admin_link(self, admin: str) -> "wire.Invitation":
        """Make a new link for an admin; all else by which they could come in ends."""
        return self._api.invite(f"/admins/{admin}/link")

    def remove_admin(self, admin: str) -> None:
        """End the access of an admin; their campaigns stay."""
        self._api.call("DELETE", f"/admins/{admin}")

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the client."""
        self.close()


def forecast_of(content: bytes, address: str) -> "wire.ForecastView":
    """Return the forecast in the last line of a rehearsal; raise its error instead."""
    return read(wire.ForecastView, json.dumps(_last_of(content, "forecast", address)))


def _last_of(content: bytes, what: str, address: str) -> Any:
    """Return what the last line is about; raise its error instead."""
    lines = content.splitlines()
    last = _parsed(lines[-1], address) if lines else {}
    if "error" in last:
        raise failure_of(503, lines[-1], address)
    if what not in last:
        raise SpancrewError(f"{address} ended the rehearsal early: try again")
    return last[what]


def _parsed(line: bytes, address: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = parse_json(line.decode())
    except ValueError as error:
        raise SpancrewError(f"{address} sent a rehearsal that is not JSON: {error}") from None
    return found


def _plan_text(plan: Mapping[str, Any] | Plan | None) -> str:
    given = plan.to_json() if isinstance(plan, Plan) else dict(plan or {})
    try:
        refuse_deep(given)
    except ValueError as error:
        raise PlanError(f"plan: {error}") from None
    return json.dumps(given)
