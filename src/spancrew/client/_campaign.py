"""One campaign on a server.

Requests that change nothing when repeated are tried again.
"""

from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, NamedTuple
from zipfile import ZipFile

from spancrew.campaign import Ledger, Status
from spancrew.client._people import Invitations
from spancrew.client._sentences import CampaignSentences
from spancrew.client._transport import Api, request
from spancrew.client._wire import wire
from spancrew.errors import SpancrewError
from spancrew.formats import appearing

Platform = Literal["prolific", "mturk"]


class Exported(NamedTuple):
    """How many of the sentences in an export have final labels."""

    settled: int
    sentences: int

    @classmethod
    def of(cls, said: str) -> "Exported":
        """Return what a server says.

        >>> Exported.of("7/12")
        Exported(settled=7, sentences=12)
        """
        settled, _, sentences = said.partition("/")
        if not (settled.isdigit() and sentences.isdigit()):
            raise SpancrewError("the server does not say what it exported; it may be too old")
        return cls(int(settled), int(sentences))


class CampaignClient:
    """What an admin can do with a campaign.

    ``people`` are its workers and experts, ``sentences`` what they label.
    """

    def __init__(self, api: Api, id_: str) -> None:
        self._api = api.below(f"/campaigns/{id_}")
        self.id = id_
        self.people = Invitations(self._api)
        self.sentences = CampaignSentences(self._api)

    @property
    def server(self) -> str:
        """Return the address of the server."""
        return self._api.transport.url

    def details(self) -> "wire.CampaignView":
        """Return its name, its plan and its phase."""
        found = self._api.get(wire.CampaignView)
        return found.model_copy(update={"entry": found.entry and self._located(found.entry)})

    def start(self) -> None:
        """Hand out assignments from now on."""
        self._api.call("POST", "/start", again=True)

    def pause(self) -> None:
        """Hand out no assignments until started again; open ones can be answered."""
        self._api.call("POST", "/pause", again=True)

    def finish(self, reason: str = "finished by an admin") -> None:
        """End the campaign for good."""
        self._api.call("POST", "/finish", request(wire.FinishIn, reason=reason), again=True)

    def delete(self) -> None:
        """Remove the campaign with all its answers."""
        self._api.call("DELETE")

    def set_budget(self, budget: float | None) -> None:
        """Change what may be spent; None for no limit."""
        self._api.call("PATCH", "", request(wire.CampaignChange, budget=budget), again=True)

    def set_rule(self, feedback: str) -> None:
        """Change the feedback rule."""
        self._api.call("PATCH", "", request(wire.CampaignChange, feedback=feedback), again=True)

    def status(self) -> Status:
        """Return how far it is."""
        return self._api.get(Status, "/status")

    def ledger(self) -> Ledger:
        """Return the money."""
        return self._api.get(Ledger, "/ledger")

    def certificate(self, level: float = 0.95) -> "wire.CertificateView":
        """Return how good the labels so far are: audited, or the model's guess."""
        return self._api.get(wire.CertificateView, "/certificate", level=level)

    def certificate_record(
        self, level: float = 0.95, *, strict: bool = False, revise: bool = True
    ) -> dict[str, Any]:
        """Return the certificate of the labels that an export gives, to keep and to check."""
        params = {"level": level, "strict": strict, "revise": revise}
        return self._api.get(dict[str, Any], "/certificate/record", **params)

    def standings(self) -> "list[wire.StandingView]":
        """Return what is known of every worker."""
        return self._api.get(list[wire.StandingView], "/standings")

    def agreement(self) -> "wire.AgreementView":
        """Return how much the workers agree."""
        return self._api.get(wire.AgreementView, "/agreement")

    def picture(self) -> "wire.PictureView":
        """Return the campaign over time, its final labels, and its workers lately."""
        return self._api.get(wire.PictureView, "/picture")

    def outlook(self) -> "wire.OutlookView":
        """Return when it will be done, and the forecast of its plan beside what happened."""
        return self._api.get(wire.OutlookView, "/outlook")

    def threshold(self, at: float | None = None) -> "wire.ThresholdView":
        """Return where the feedback rule draws the line, and what it would do ``at`` another."""
        return self._api.get(
            wire.ThresholdView, "/threshold", **({} if at is None else {"at": at})
        )

    def events(self, after: int = 0, limit: int = 1000) -> "tuple[wire.EventView, ...]":
        """Return at most ``limit`` events after a version, the oldest first."""
        return self._api.get(wire.EventsView, "/events", after=after, limit=limit).events

    def all_events(self, after: int = 0) -> "Iterator[wire.EventView]":
        """Yield all events so far, the oldest first."""
        while page := self.events(after):
            yield from page
            after = page[-1].version

    def why(self, assignment: int) -> "wire.AssignmentView":
        """Return why an assignment went to its worker."""
        return self._api.get(wire.AssignmentView, f"/assignments/{assignment}")

    def export(
        self,
        path: str | Path,
        format: str = "spancrew",  # noqa: A002  the word users know
        *,
        revise: bool = True,
        answers: bool = True,
        names: bool = False,
    ) -> Exported:
        """Write the labels to a file or folder, which appears whole or not at all.

        ``revise`` lets the consensus method judge the crowd's sentences once more with all that it
        has learned; ``answers`` adds every raw answer, where the format can hold them; ``names``
        shows who the workers are, instead of pseudonyms.
        """
        params = {"format": format, "revise": revise, "answers": answers, "names": names}
        answer = self._api.call("GET", "/export", params=params)
        with appearing(Path(path)) as draft:
            if '.zip"' in answer.headers.get("Content-Disposition", ""):
                # A format that is a folder comes packed.
                ZipFile(BytesIO(answer.content)).extractall(draft)
            else:
                draft.write_bytes(answer.content)
        return Exported.of(answer.headers.get("X-Spancrew-Settled", ""))

    def invite_worker(
        self, name: str | None = None, *, price: float | None = None, cap: int | None = None
    ) -> "wire.Invitation":
        """Make a link for a worker; ``price`` and ``cap`` where they differ from the plan's."""
        return self.people.invite_worker(name, price=price, cap=cap)

    def invite_expert(
        self, name: str | None = None, *, email: str | None = None
    ) -> "wire.Invitation":
        """Make a link for an expert."""
        return self.people.invite_expert(name, email=email)

    def payments(self) -> str:
        """Return what each worker has earned, as CSV."""
        return self._api.call("GET", "/payments.csv").text

    def set_entry(
        self,
        platform: Platform,
        completion_code: str | None = None,
        completion_url: str | None = None,
    ) -> "wire.EntryView":
        """Let workers of a crowd platform register by themselves."""
        body = request(
            wire.EntryIn,
            platform=platform,
            completion_code=completion_code,
            completion_url=completion_url,
        )
        entry = self._api.send(wire.EntryView, "PUT", "/entry", body)
        return self._located(entry)

    def _located(self, entry: "wire.EntryView") -> "wire.EntryView":
        return entry.model_copy(update={"url": self._api.located(entry.url)})

    def guide(self) -> "wire.GuideView":
        """Return what workers read and practise before they work."""
        return self._api.get(wire.GuideView, "/guide")

    def set_guide(
        self,
        instructions: str = "",
        examples: "Iterable[wire.SolvedView]" = (),
        practice: "Iterable[wire.SolvedView]" = (),
    ) -> "wire.GuideView":
        """Replace the guide; return it as it is kept.

        Sentences of the campaign itself are refused: their answers would be given away.
        """
        body = request(
            wire.GuideIn.model_validate,
            {
                "instructions": instructions,
                "examples": [each.model_dump(mode="json") for each in examples],
                "practice": [each.model_dump(mode="json") for each in practice],
            },
        )
        return self._api.send(wire.GuideView, "PUT", "/guide", body)

    def add_webhook(self, url: str, *kinds: str) -> "wire.NewWebhook":
        """Send events to an address; the secret that signs them is shown only now."""
        body = request(wire.WebhookIn, url=url, kinds=list(kinds))
        return self._api.send(wire.NewWebhook, "POST", "/webhooks", body)

    def webhooks(self) -> "list[wire.WebhookView]":
        """Return the addresses that get events."""
        return self._api.get(list[wire.WebhookView], "/webhooks")

    def remove_webhook(self, id_: int) -> None:
        """Send no more events to an address."""
        self._api.call("DELETE", f"/webhooks/{id_}")

    def resume_webhook(self, id_: int) -> None:
        """Try an address again that was stopped."""
        self._api.call("POST", f"/webhooks/{id_}/resume")

    def deliveries(self, webhook: int) -> "list[wire.DeliveryView]":
        """Return the attempts to deliver events to an address."""
        return self._api.get(list[wire.DeliveryView], f"/webhooks/{webhook}/deliveries")
