"""The people of a campaign, as an admin sees them."""

from typing import Any, Literal

from spancrew.client._transport import Transport
from spancrew.client._values import Invitation, Person, Standing, Worker
from spancrew.client._wire import made, rows_of

State = Literal["active", "paused", "banned"]


class Invitations:
    """Workers and experts of a campaign: letting them in, stopping them, forgetting them."""

    def __init__(self, transport: Transport, path: str) -> None:
        self._transport = transport
        self._path = path

    def invite_worker(
        self, name: str | None = None, *, price: float | None = None, cap: int | None = None
    ) -> Invitation:
        """Make a link that lets a worker in; ``price`` and ``cap`` where theirs differ."""
        return self._invite("workers", {"name": name, "price": price, "cap": cap})

    def invite_expert(self, name: str | None = None) -> Invitation:
        """Make a link that lets an expert in."""
        return self._invite("experts", {"name": name})

    def _invite(self, whom: str, body: dict[str, Any]) -> Invitation:
        record = self._transport.call("POST", f"{self._path}/{whom}", json=body).json()
        return Invitation(made(Person, record["person"]), str(record["url"]))

    def renew_link(self, worker: str) -> Invitation:
        """Make a new link for a worker; the old one and all their sessions end."""
        return self._invite(f"workers/{worker}/link", {})

    def workers(self) -> list[Worker]:
        """Return the workers with what is known of who they are and of their work."""
        answer = self._transport.call("GET", f"{self._path}/workers")
        return [_worker(each) for each in rows_of(answer.json())]

    def experts(self) -> list[Person]:
        """Return the experts."""
        answer = self._transport.call("GET", f"{self._path}/experts")
        return [made(Person, each) for each in rows_of(answer.json())]

    def remove_expert(self, expert: str) -> None:
        """Let an expert in no more."""
        self._transport.call("DELETE", f"{self._path}/experts/{expert}")

    def halt(self, worker: str, reason: str = "", *, banned: bool = False) -> None:
        """Give a worker no more assignments: until readmitted, or for good if ``banned``."""
        self._change(worker, {"state": "banned" if banned else "paused", "reason": reason})

    def readmit(self, worker: str) -> None:
        """Let a halted worker go on."""
        self._change(worker, {"state": "active"})

    def set_cap(self, worker: str, cap: int | None) -> None:
        """Change the most answers a worker may give; None for no cap of their own."""
        self._change(worker, {"cap": cap})

    def _change(self, worker: str, body: dict[str, Any]) -> None:
        self._transport.call("PATCH", f"{self._path}/workers/{worker}", json=body, again=True)

    def data(self, worker: str) -> dict[str, Any]:
        """Return everything that is known of a worker, as JSON."""
        answer = self._transport.call("GET", f"{self._path}/workers/{worker}/data")
        found: dict[str, Any] = answer.json()
        return found

    def erase(self, worker: str) -> None:
        """Forget who a worker is; their answers stay, under a pseudonym."""
        self._transport.call("DELETE", f"{self._path}/workers/{worker}/data")


def _worker(record: dict[str, Any]) -> Worker:
    standing = record["standing"]
    return Worker(
        made(Person, record["person"]), None if standing is None else made(Standing, standing)
    )
