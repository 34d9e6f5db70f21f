"""The people for whom a bridge works, and the tokens that let it in as them."""

import json
import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from spancrew.bridges._seats import ExpertSeat, Seat, WorkerSeat
from spancrew.bridges._tool import Person, Role
from spancrew.client import CampaignClient, Client
from spancrew.errors import SpancrewError, StoreError

if TYPE_CHECKING:
    from spancrew.wire import Invitation

_DAYS = 3650.0
_PATIENCE = 5.0
"""Seconds to wait for a server that is away; a bridge tries again itself."""


class Roster:
    """The people of one campaign by role and name, in a file that only its owner can read.

    Where a token is lost, a worker gets a new link, with which the old one ends; an expert is
    dismissed and invited again.
    """

    def __init__(self, file: Path, campaign: CampaignClient) -> None:
        self._file = file
        self._campaign = campaign
        self._tokens = _read(file)
        self._guests = ExitStack()

    def seats(self, workers: Iterable[str] = (), experts: Iterable[str] = ()) -> list[Seat]:
        """Return everybody who is named here or was earlier; invite those who are new."""
        named: list[tuple[Role, str]] = [("worker", name) for name in workers]
        named += [("expert", name) for name in experts]
        everybody = dict.fromkeys([*self._known(), *named])
        if not everybody:
            raise SpancrewError("nobody works there yet: name people with --worker and --expert")
        return [self._seat(role, name) for role, name in everybody]

    def _known(self) -> list[tuple[Role, str]]:
        roles: tuple[Role, ...] = ("worker", "expert")
        return [(role, name) for role in roles for name in self._tokens.get(role, {})]

    def _seat(self, role: Role, name: str) -> Seat:
        client = self._guests.enter_context(self._client(role, name))
        person = Person(self._campaign.id, name, role)
        if role == "worker":
            return WorkerSeat(person, client.worker(self._campaign.id))
        return ExpertSeat(person, client.expert(self._campaign.id))

    def _client(self, role: Role, name: str) -> Client:
        token = self._tokens.get(role, {}).get(name)
        if token is not None:
            client = Client(self._server, token=token, patience=_PATIENCE)
            if _is_let_in(client):
                return client
            client.close()
        invited = self._invited_worker(name) if role == "worker" else self._invited_expert(name)
        with Client.from_link(invited.url) as guest:
            made = guest.create_token("bridge", days=_DAYS)
        self._tokens.setdefault(role, {})[name] = made.token
        _write(self._file, self._tokens)
        return Client(self._server, token=made.token, patience=_PATIENCE)

    @property
    def _server(self) -> str:
        return self._campaign.server

    def _invited_worker(self, name: str) -> "Invitation":
        people = self._campaign.people
        for each in people.workers():
            if each.person.name == name and not each.person.erased:
                return people.renew_link(each.person.pseudonym)
        return people.invite_worker(name)

    def _invited_expert(self, name: str) -> "Invitation":
        people = self._campaign.people
        for each in people.experts():
            if each.name == name and not each.erased:
                people.remove_expert(each.pseudonym)
        return people.invite_expert(name)

    def close(self) -> None:
        """Close all connections."""
        self._guests.close()


def _is_let_in(client: Client) -> bool:
    try:
        client.me()
    except StoreError:
        raise
    except SpancrewError:
        return False
    return True


def _read(file: Path) -> dict[str, dict[str, str]]:
    try:
        known = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        known = None
    if not isinstance(known, dict) or not all(isinstance(each, dict) for each in known.values()):
        raise SpancrewError(f"{file} cannot be read; remove it, and name all people again")
    return known


def _write(file: Path, tokens: dict[str, dict[str, str]]) -> None:
    """Keep tokens where only their owner can read them."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_suffix(".new")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        json.dump(tokens, out, indent=2)
    draft.replace(file)
