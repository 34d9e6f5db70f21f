"""The people of a campaign, as an admin sees them."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from spancrew.client._transport import Api, read, request
from spancrew.client._wire import wire
from spancrew.errors import FormatError, Place


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

    def invite_workers(self, path: str | Path) -> "list[wire.Invitation]":
        """Make a link for every worker of a CSV, all or none; its first line names the columns.

        They are ``name``, and ``price`` and ``cap`` where these differ from the plan's.
        """
        with Path(path).open("rb") as file:
            try:
                answer = self._api.call("POST", "/invitations", files={"file": file})
            except FormatError as error:
                raise FormatError(Place(str(path)), error.problem) from None
        made = read(list[wire.Invitation], answer.content)
        return [each.model_copy(update={"url": self._api.located(each.url)}) for each in made]

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

    def page(self, page: int = 0, **wanted: Any) -> "wire.WorkersView":
        """Return a page of 50 workers; ``wanted`` are any of state and text."""
        given = {name: value for name, value in wanted.items() if value is not None}
        return self._api.get(wire.WorkersView, "/workers/page", page=page, **given)

    def find(self, **wanted: Any) -> "Iterator[wire.FoundWorker]":
        """Yield all workers on whom ``wanted`` fits: any of state and text."""
        page = 0
        while (found := self.page(page, **wanted)).workers:
            yield from found.workers
            page += 1

    def experts(self) -> "list[wire.PersonView]":
        """Return the experts."""
        return self._api.get(list[wire.PersonView], "/experts")

    def remove_expert(self, expert: str) -> None:
        """End the access of an expert."""
        self._api.call("DELETE", f"/experts/{expert}")

    def halt(self, worker: str | Iterable[str], reason: str = "", *, banned: bool = False) -> None:
        """Give a worker, or many, no more assignments: for now, or for good if ``banned``.

        Where there are many, it is done with all of them, or with none.
        """
        self._change(worker, state="banned" if banned else "paused", reason=reason)

    def readmit(self, worker: str | Iterable[str]) -> None:
        """Let a halted worker go on, or many."""
        self._change(worker, state="active")

    def set_cap(self, worker: str | Iterable[str], cap: int | None) -> None:
        """Change the most answers a worker may give, or each of many; None for the plan's."""
        self._change(worker, cap=cap)

    def _change(self, worker: str | Iterable[str], **change: Any) -> None:
        workers = [worker] if isinstance(worker, str) else list(worker)
        if len(workers) == 1:
            one = request(wire.WorkerChange, **change)
            self._api.call("PATCH", f"/workers/{workers[0]}", one, again=True)
        else:
            many = request(wire.WorkersChange, workers=workers, **change)
            self._api.call("PATCH", "/workers", many, again=True)

    def data(self, worker: str) -> "wire.WorkerData":
        """Return everything that is known of a worker."""
        return self._api.get(wire.WorkerData, f"/workers/{worker}/data")

    def erase(self, worker: str) -> None:
        """Forget who a worker is; their answers stay, under a pseudonym."""
        self._api.call("DELETE", f"/workers/{worker}/data")
