"""The people of a campaign, as an admin sees them."""

from spancrew.client._transport import Api, request
from spancrew.client._wire import wire


class Invitations:
    """Workers and experts of a campaign: invite, stop and forget them."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def invite_worker(
        self, name: str | None = None, *, price: float | None = None, cap: int | None = None
    ) -> "wire.Invitation":
        """Make a link for a worker; ``price`` and ``cap`` where they differ from the plan's."""
        body = request(wire.WorkerIn, name=name, price=price, cap=cap)
        return self._api.invite("/workers", body)

    def add_model(
        self, name: str, *, version: str = "", price: float = 0.0, cap: int | None = None
    ) -> "wire.Invitation":
        """Make a link for a model, which becomes the worker ``model:NAME``."""
        body = request(wire.WorkerIn, model=name, version=version, price=price, cap=cap)
        return self._api.invite("/workers", body)

    def invite_expert(
        self, name: str | None = None, *, email: str | None = None
    ) -> "wire.Invitation":
        """Make a link for an expert; with ``email`` they can sign in with their team, too."""
        return self._api.invite("/experts", request(wire.ExpertIn, name=name, email=email))

    def renew_link(self, worker: str) -> "wire.Invitation":
        """Make a new link for a worker; all else by which they could come in ends."""
        return self._api.invite(f"/workers/{worker}/link")

    def workers(self) -> "list[wire.WorkerView]":
        """Return the workers with their standings."""
        return self._api.get(list[wire.WorkerView], "/workers")

    def experts(self) -> "list[wire.PersonView]":
        """Return the experts."""
        return self._api.get(list[wire.PersonView], "/experts")

    def remove_expert(self, expert: str) -> None:
        """End the access of an expert."""
        self._api.call("DELETE", f"/experts/{expert}")

    def halt(self, worker: str, reason: str = "", *, banned: bool = False) -> None:
        """Give a worker no more assignments: until readmitted, or for good if ``banned``."""
        body = request(wire.WorkerChange, state="banned" if banned else "paused", reason=reason)
        self._change(worker, body)

    def readmit(self, worker: str) -> None:
        """Let a halted worker go on."""
        self._change(worker, request(wire.WorkerChange, state="active"))

    def set_cap(self, worker: str, cap: int | None) -> None:
        """Change the most answers a worker may give; None for no cap of their own."""
        self._change(worker, request(wire.WorkerChange, cap=cap))

    def _change(self, worker: str, body: "wire.WorkerChange") -> None:
        self._api.call("PATCH", f"/workers/{worker}", body, again=True)

    def data(self, worker: str) -> "wire.WorkerData":
        """Return everything that is known of a worker."""
        return self._api.get(wire.WorkerData, f"/workers/{worker}/data")

    def erase(self, worker: str) -> None:
        """Forget who a worker is; their answers stay, under a pseudonym."""
        self._api.call("DELETE", f"/workers/{worker}/data")
