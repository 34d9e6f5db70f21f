"""One campaign on a server.

What is there already when it is asked for again does no harm, and is tried again.
"""

from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Literal
from zipfile import ZipFile

from spancrew.campaign import Ledger, Status
from spancrew.client._guide import Guide, Solved, guide_of, solved_records
from spancrew.client._people import Invitations
from spancrew.client._picture import Line, Picture, line_of, picture_of
from spancrew.client._transport import Transport
from spancrew.client._values import (
    Agreement,
    AssignmentStory,
    Bin,
    CampaignDetails,
    Delivery,
    Entry,
    Invitation,
    JournalLine,
    Standing,
    Webhook,
)
from spancrew.client._wire import made, rows_of
from spancrew.formats import appearing

Platform = Literal["prolific", "mturk"]


class CampaignClient:
    """What an admin can do with a campaign; ``people`` is whom they let in."""

    def __init__(self, transport: Transport, id_: str) -> None:
        self._transport = transport
        self._path = f"/api/v1/campaigns/{id_}"
        self.id = id_
        self.people = Invitations(transport, self._path)

    def _get(self, what: str = "", **params: Any) -> Any:
        return self._transport.call("GET", f"{self._path}{what}", params=params).json()

    def details(self) -> CampaignDetails:
        """Return its name, its plan and its phase."""
        record = self._get()
        entry = None if record["entry"] is None else made(Entry, record["entry"])
        return made(CampaignDetails, record, entry=entry)

    def start(self) -> None:
        """Hand out assignments from now on."""
        self._transport.call("POST", f"{self._path}/start", again=True)

    def pause(self) -> None:
        """Hand out no assignments until started again; open ones can be answered."""
        self._transport.call("POST", f"{self._path}/pause", again=True)

    def finish(self, reason: str = "finished by an admin") -> None:
        """End the campaign for good."""
        body = {"reason": reason}
        self._transport.call("POST", f"{self._path}/finish", json=body, again=True)

    def delete(self) -> None:
        """Remove the campaign with all its answers."""
        self._transport.call("DELETE", self._path)

    def set_budget(self, budget: float | None) -> None:
        """Change what may be spent; None for no limit."""
        self._transport.call("PATCH", self._path, json={"budget": budget}, again=True)

    def set_rule(self, feedback: str) -> None:
        """Change the feedback rule."""
        self._transport.call("PATCH", self._path, json={"feedback": feedback}, again=True)

    def status(self) -> Status:
        """Return how far it is."""
        return made(Status, self._get("/status"))

    def ledger(self) -> Ledger:
        """Return the money."""
        return made(Ledger, self._get("/ledger"))

    def standings(self) -> list[Standing]:
        """Return what is known of every worker."""
        return [made(Standing, each) for each in rows_of(self._get("/standings"))]

    def agreement(self) -> Agreement:
        """Return how much the workers agree."""
        record = self._get("/agreement")
        return made(
            Agreement, record, histogram=tuple(made(Bin, each) for each in record["histogram"])
        )

    def picture(self) -> Picture:
        """Return the campaign over time, its final labels, and its workers lately."""
        return picture_of(self._get("/picture"))

    def threshold(self, at: float | None = None) -> Line:
        """Return where the feedback rule draws the line, and what it would do ``at`` another."""
        return line_of(self._get("/threshold", **({} if at is None else {"at": at})))

    def events(self, after: int = 0, limit: int = 1000) -> list[JournalLine]:
        """Return events after a version, the oldest first, so many at most."""
        found = self._get("/events", after=after, limit=limit)["events"]
        return [made(JournalLine, each) for each in found]

    def all_events(self, after: int = 0) -> Iterator[JournalLine]:
        """Yield all events so far, the oldest first."""
        while page := self.events(after):
            yield from page
            after = page[-1].version

    def why(self, assignment: int) -> AssignmentStory:
        """Return why an assignment went to its worker."""
        return made(AssignmentStory, self._get(f"/assignments/{assignment}"))

    def export(
        self,
        path: str | Path,
        format: str = "spancrew",  # noqa: A002  the word users know
        *,
        revise: bool = True,
        answers: bool = True,
        names: bool = False,
    ) -> None:
        """Write the labels to a file or folder, which appears whole or not at all.

        ``revise`` lets the consensus method judge the crowd's sentences once more with all that it
        has learned; ``answers`` adds every raw answer, where the format can hold them; ``names``
        shows who the workers are, instead of pseudonyms.
        """
        params = {"format": format, "revise": revise, "answers": answers, "names": names}
        answer = self._transport.call("GET", f"{self._path}/export", params=params)
        with appearing(Path(path)) as draft:
            if '.zip"' in answer.headers.get("Content-Disposition", ""):
                # A format that is a folder comes packed.
                ZipFile(BytesIO(answer.content)).extractall(draft)
            else:
                draft.write_bytes(answer.content)

    def invite_worker(
        self, name: str | None = None, *, price: float | None = None, cap: int | None = None
    ) -> Invitation:
        """Make a link that lets a worker in; ``price`` and ``cap`` where theirs differ."""
        return self.people.invite_worker(name, price=price, cap=cap)

    def invite_expert(self, name: str | None = None) -> Invitation:
        """Make a link that lets an expert in."""
        return self.people.invite_expert(name)

    def payments(self) -> str:
        """Return what each worker has earned, as CSV."""
        return str(self._transport.call("GET", f"{self._path}/payments.csv").text)

    def set_entry(
        self,
        platform: Platform,
        completion_code: str | None = None,
        completion_url: str | None = None,
    ) -> Entry:
        """Let workers of a crowd platform register by themselves."""
        body = {
            "platform": platform,
            "completion_code": completion_code,
            "completion_url": completion_url,
        }
        return made(Entry, self._transport.call("PUT", f"{self._path}/entry", json=body).json())

    def guide(self) -> Guide:
        """Return what workers read and practise before they work."""
        return guide_of(self._get("/guide"))

    def set_guide(
        self,
        instructions: str = "",
        examples: Iterable[Solved] = (),
        practice: Iterable[Solved] = (),
    ) -> Guide:
        """Put a guide in the place of the one that is there; return it as it is kept.

        Sentences of the campaign itself are refused: their answers would be given away.
        """
        body = {
            "instructions": instructions,
            "examples": solved_records(examples),
            "practice": solved_records(practice),
        }
        return guide_of(self._transport.call("PUT", f"{self._path}/guide", json=body).json())

    def add_webhook(self, url: str, *kinds: str) -> Webhook:
        """Tell an address of events; the secret that signs them is shown only now."""
        body = {"url": url, "kinds": list(kinds)}
        return _webhook(self._transport.call("POST", f"{self._path}/webhooks", json=body).json())

    def webhooks(self) -> list[Webhook]:
        """Return the addresses that are told of events."""
        return [_webhook(each) for each in rows_of(self._get("/webhooks"))]

    def remove_webhook(self, id_: int) -> None:
        """Tell an address no more."""
        self._transport.call("DELETE", f"{self._path}/webhooks/{id_}")

    def resume_webhook(self, id_: int) -> None:
        """Try an address again that was given up."""
        self._transport.call("POST", f"{self._path}/webhooks/{id_}/resume")

    def deliveries(self, webhook: int) -> list[Delivery]:
        """Return what was sent to an address, and what came of it."""
        found = rows_of(self._get(f"/webhooks/{webhook}/deliveries"))
        return [made(Delivery, each) for each in found]


def _webhook(record: dict[str, Any]) -> Webhook:
    return made(Webhook, record, kinds=tuple(record["kinds"]))
