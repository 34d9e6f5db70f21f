"""The audit log of a server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from spancrew.client._transport import Api, request
from spancrew.client._wire import wire
from spancrew.formats import appearing

_AT_ONCE = 1000


class AuditClient:
    """What admins did, for an owner of the server to read, to keep and to send elsewhere."""

    def __init__(self, api: Api) -> None:
        self._api = api.below("/audit")

    def newest(
        self,
        limit: int = 100,
        *,
        campaign: str | None = None,
        person: int | None = None,
        action: str | None = None,
        since: float | None = None,
    ) -> "list[wire.AuditEntryView]":
        """Return the last entries, the newest first.

        ``action`` is one, such as "people.erase", or a group of them, such as "people".
        """
        wanted = _given(campaign=campaign, person=person, action=action, since=since)
        found = self._api.get(wire.AuditView, limit=min(limit, _AT_ONCE), **wanted)
        return list(found.entries)

    def all(self, after: int = 0) -> "Iterator[wire.AuditEntryView]":
        """Yield all entries after an id, the oldest first."""
        more = True
        while more:
            page = self._api.get(wire.AuditView, after=after, limit=_AT_ONCE)
            yield from page.entries
            more, after = page.more, page.entries[-1].id if page.entries else after

    def check(self) -> "wire.AuditCheckView":
        """Let the server compute the chain of hashes again."""
        return self._api.get(wire.AuditCheckView, "/check")

    def export(
        self,
        path: str | Path,
        format: Literal["jsonl", "csv"] = "jsonl",  # noqa: A002  the word users know
        *,
        campaign: str | None = None,
    ) -> None:
        """Write all entries to a file, the oldest first."""
        wanted = _given(format=format, campaign=campaign)
        answer = self._api.call("GET", "/export", params=wanted)
        with appearing(Path(path)) as draft:
            draft.write_bytes(answer.content)

    def add_webhook(self, url: str, *, after: int | None = None) -> "wire.NewWebhook":
        """Send entries to an address: those from now on, or all after an id."""
        body = request(wire.WebhookIn, url=url, kinds=[], after=after)
        return self._api.send(wire.NewWebhook, "POST", "/webhooks", body)

    def webhooks(self) -> "list[wire.WebhookView]":
        """Return where entries are sent."""
        return self._api.get(list[wire.WebhookView], "/webhooks")

    def remove_webhook(self, id_: int) -> None:
        """Send no more entries there."""
        self._api.call("DELETE", f"/webhooks/{id_}")

    def resume_webhook(self, id_: int) -> None:
        """Try a webhook that was given up again."""
        self._api.call("POST", f"/webhooks/{id_}/resume", again=True)

    def deliveries(self, id_: int) -> "list[wire.DeliveryView]":
        """Return what was sent to an address, the newest first."""
        return self._api.get(list[wire.DeliveryView], f"/webhooks/{id_}/deliveries")


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}
