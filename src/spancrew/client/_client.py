"""A spancrew server from Python."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from spancrew.campaign import Plan
from spancrew.client._campaign import CampaignClient
from spancrew.client._expert import ExpertClient
from spancrew.client._link import Link
from spancrew.client._rehearsal_values import (
    Forecast,
    Inspection,
    forecast_of,
    inspection_of,
)
from spancrew.client._transport import PATIENCE, Retries, Transport
from spancrew.client._values import ApiToken, CampaignCard, Figures, Profile
from spancrew.client._wire import made, rows_of
from spancrew.client._worker import WorkerClient
from spancrew.errors import SpancrewError
from spancrew.formats import BUNDLED, read, write

if TYPE_CHECKING:
    import httpx


class Client:
    """A server, and who one is there: by an API ``token``, or by a ``link`` that lets one in.

    What can be repeated without harm is tried again for ``patience`` seconds when the server is
    busy or away; an answer is one of these things.
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
        if link is not None:
            self._enter(Link.of(link).secret)

    @classmethod
    def from_link(cls, link: str, *, patience: float = PATIENCE) -> "Client":
        """Go in by a link alone; it says where the server is."""
        return cls(Link.of(link).url, link=link, patience=patience)

    def _enter(self, secret: str) -> None:
        try:
            answer = self._transport.call("POST", "/api/v1/session/link", json={"token": secret})
        except BaseException:
            self.close()
            raise
        self._take_csrf(answer.json())

    def log_in(self, name: str, password: str) -> None:
        """Open a session with a password."""
        body = {"name": name, "password": password}
        self._take_csrf(self._transport.call("POST", "/api/v1/session", json=body).json())

    def _take_csrf(self, session: Mapping[str, Any]) -> None:
        self._transport.say("X-CSRF-Token", str(session["csrf"]))

    def log_out(self) -> None:
        """Close the session."""
        self._transport.call("DELETE", "/api/v1/session")

    @property
    def url(self) -> str:
        """Return the address of the server."""
        return self._transport.url

    def me(self) -> Profile:
        """Return who one is."""
        return made(Profile, self._transport.call("GET", "/api/v1/me").json())

    def set_password(self, name: str, password: str, old: str | None = None) -> None:
        """Choose a name and a password to log in with; ``old`` where there is one already."""
        body = {"name": name, "password": password, "old": old}
        self._transport.call("PUT", "/api/v1/me/password", json=body)

    def is_ready(self) -> bool:
        """Tell whether the server can reach its store."""
        return bool(self._transport.call("GET", "/health/ready").is_success)

    def campaigns(self) -> list[CampaignCard]:
        """Return all campaigns."""
        found = self._transport.call("GET", "/api/v1/campaigns").json()
        return [made(CampaignCard, each) for each in rows_of(found)]

    def figures(self, *ids: str) -> list[Figures]:
        """Return how far some campaigns are, at most 50; those that are not there are left out."""
        params = {"campaign": list(ids)}
        found = self._transport.call("GET", "/api/v1/figures", params=params).json()
        return [made(Figures, each) for each in rows_of(found)]

    def campaign(self, id_: str) -> CampaignClient:
        """Return one campaign by its id."""
        return CampaignClient(self._transport, id_)

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

    def create(
        self,
        name: str,
        data: str | Path,
        plan: Mapping[str, Any] | Plan | None = None,
        *,
        gold: Literal["use", "ignore"] = "use",
        practice: int = 0,
        format: str | None = None,  # noqa: A002  the word users know
    ) -> CampaignClient:
        """Set up a campaign on a file, or on a data set that the server knows by name.

        ``practice`` sentences with known labels are taken out of it, for workers to practise on.
        """
        form = {"name": name, "plan": _plan_text(plan), "gold": gold}
        if practice:
            form["practice"] = str(practice)
        answer = self._send("campaigns", data, form, format)
        return self.campaign(str(answer.json()["id"]))

    def inspect(
        self,
        data: str | Path,
        *,
        format: str | None = None,  # noqa: A002  the word users know
    ) -> Inspection:
        """Let the server look at data as it would for a new campaign; nothing is kept."""
        return inspection_of(self._send("inspections", data, {}, format, again=True).json())

    def rehearse(
        self,
        data: str | Path,
        plan: Mapping[str, Any] | Plan | None = None,
        *,
        runs: int = 10,
        skill: float | None = None,
        format: str | None = None,  # noqa: A002  the word users know
    ) -> Forecast:
        """Let the server rehearse a plan on data with gold; return what to expect of it.

        ``skill`` is the F1 of a worker, assumed where the data have no answers.
        """
        form = {"plan": _plan_text(plan), "runs": str(runs)}
        if skill is not None:
            form["skill"] = str(skill)
        answer = self._send("rehearsals", data, form, format, again=True)
        return forecast_of(answer.content, self.url)

    def _send(
        self,
        what: str,
        data: str | Path,
        form: dict[str, str],
        format_: str | None,
        *,
        again: bool = False,
    ) -> "httpx.Response":
        """Send data with a form; those that the server knows by name need no file."""
        if format_ is not None:
            form = form | {"format": format_}
        path = f"/api/v1/{what}"
        if str(data) in BUNDLED:
            return self._transport.call(
                "POST", path, files=_parts(form | {"data": str(data)}), again=again
            )
        with _as_file(Path(data), form) as found, found.open("rb") as file:
            parts = {**_parts(form), "file": (found.name, file)}
            return self._transport.call("POST", path, files=parts, again=again)

    def worker(self, campaign: str | None = None) -> WorkerClient:
        """Return what a worker can do, in the campaign that one belongs to."""
        return WorkerClient(self._transport, self._own(campaign))

    def expert(self, campaign: str | None = None) -> ExpertClient:
        """Return what an expert can do, in the campaign that one belongs to."""
        return ExpertClient(self._transport, self._own(campaign))

    def _own(self, campaign: str | None) -> str:
        own = campaign or self.me().campaign
        if own is None:
            raise SpancrewError("say which campaign is meant: you belong to none of them")
        return own

    def tokens(self) -> list[ApiToken]:
        """Return the tokens for programs, without their secrets."""
        found = self._transport.call("GET", "/api/v1/tokens").json()
        return [made(ApiToken, each) for each in rows_of(found)]

    def create_token(self, name: str) -> ApiToken:
        """Make a token for programs; it is shown only now."""
        answer = self._transport.call("POST", "/api/v1/tokens", json={"name": name})
        return made(ApiToken, answer.json())

    def revoke_token(self, id_: int) -> None:
        """Make a token worthless."""
        self._transport.call("DELETE", f"/api/v1/tokens/{id_}")

    def close(self) -> None:
        """Let go of the connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the client."""
        self.close()


def _plan_text(plan: Mapping[str, Any] | Plan | None) -> str:
    return json.dumps(plan.to_json() if isinstance(plan, Plan) else dict(plan or {}))


def _parts(form: Mapping[str, str]) -> dict[str, Any]:
    # A form without a file is sent as a form with parts all the same.
    return {name: (None, value) for name, value in form.items()}


@contextmanager
def _as_file(path: Path, form: dict[str, str]) -> Iterator[Path]:
    """Yield a data set as one file; a folder is converted, as only files can be sent."""
    if not path.is_dir():
        yield path
        return
    with TemporaryDirectory() as folder:
        converted = Path(folder) / f"{path.name}.jsonl"
        write(read(path, form.pop("format", None)).dataset, converted, "spancrew")
        form["format"] = "spancrew"
        yield converted
