"""What people do about mistakes: workers, experts and the person in charge."""

from dataclasses import replace

from spancrew.campaign import _correcting as correcting
from spancrew.campaign._events import Corrector, Spans
from spancrew.campaign._growing import CampaignGrowth
from spancrew.campaign._values import Receipt, Remark, Submission


class CampaignCorrections(CampaignGrowth):
    """A campaign in which answers and labels can be corrected."""

    def change(self, answer: Submission, now: float) -> Receipt:
        """Put an answer in the place of one that the worker gave before; nobody has judged it."""
        event = correcting.reanswered(self.state, answer, now)
        if isinstance(event, Receipt):
            return event
        self._do([event], now)
        return Receipt(event.sentence, event.assignment)

    def correct(
        self, sentence: int, expert: str, spans: Spans, now: float, *, key: str | None = None
    ) -> Receipt:
        """Let an expert correct labels of their own; everything that followed from them follows.

        It costs nothing, and what was asked and paid in between stays.
        """
        if key is not None and self.state.expert_keys.get(sentence) == (expert, key):
            return Receipt(sentence, again=True)
        correcting.refuse_foreign(self.state, sentence, expert)
        return self._correct(sentence, spans, ("expert", expert), now, key=key)

    def overrule(
        self, sentence: int, admin: str, spans: Spans, now: float, *, note: str = ""
    ) -> Receipt:
        """Let an admin correct labels of anybody's; they count as an expert's from now on."""
        return self._correct(sentence, spans, ("admin", admin), now, note=note)

    def reopen(self, sentence: int, admin: str, now: float, *, note: str = "") -> None:
        """Ask an expert for a sentence that is settled; its labels stay until they answer."""
        self._do([correcting.reopened(self.state, sentence, admin, note, now)], now)

    def _correct(
        self,
        sentence: int,
        spans: Spans,
        by: tuple[Corrector, str],
        now: float,
        *,
        note: str = "",
        key: str | None = None,
    ) -> Receipt:
        event = correcting.corrected(self.state, sentence, spans, by, now)
        if event is None:
            return Receipt(sentence, again=True)
        self._do([replace(event, note=note, key=key)], now)
        return Receipt(sentence)

    def own_labels(self, expert: str, most: int) -> list[tuple[int, Spans]]:
        """Return the last sentences that an expert labelled and can correct, with their labels."""
        said = self.state.experts_say
        found = correcting.own_labels(self.state, expert)[:most]
        return [(each, self.state.spans(said[each])) for each in found]

    def last_answer(self, worker: int) -> Submission | None:
        """Return the last answer of a worker if they can still change it; None if not."""
        self._worker(worker)
        held = correcting.last_answer(self.state, worker)
        if held is None:
            return None
        remark = self.state.remarks.get(held.assignment, Remark())
        spans = self.state.spans(held.codes)
        return Submission(held.assignment, worker, spans, remark=remark)

    def may_correct(self, sentence: int) -> bool:
        """Tell whether the labels of a sentence can be overruled now."""
        return correcting.may_correct(self.state, sentence)

    def may_change(self, worker: int, assignment: int) -> bool:
        """Tell whether a worker can still change an answer."""
        return correcting.may_change(self.state, worker, assignment)
