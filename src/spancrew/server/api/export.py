"""From a journal back to a data set: final labels, and every raw answer with its time."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from spancrew.campaign import Answered, FinalLabel, Plan, Settled, Spans, event_of
from spancrew.consensus import consensus_name
from spancrew.core import (
    EXPERT,
    Answer,
    Dataset,
    DatasetBuilder,
    Final,
    FinalSpan,
    Sentence,
    Span,
)
from spancrew.stores import EventStore, SentenceRow

Revised = Mapping[int, Spans]
Names = Mapping[int, str]


def result_of(
    store: EventStore,
    campaign: str,
    plan: Plan,
    *,
    names: Names,
    revised: Revised | None = None,
    answers: bool = True,
) -> Dataset:
    """Return a campaign's sentences with their final labels and the answers of its workers.

    A worker goes by ``names``, else by a pseudonym such as w7. Answers that came late or were one
    too many are there, too, and say so in ``source``. ``revised`` labels take the place of those
    that the crowd settled.
    """
    builder = DatasetBuilder(plan.label_set)
    ids = [_add_sentence(builder, row) for row in store.sentences(campaign)]
    fold = _Fold(builder, ids, consensus_name(plan.method).partition(":")[0])
    for event in _results(store, campaign):
        if isinstance(event, Settled):
            fold.settle(event, (revised or {}).get(event.sentence))
        else:
            fold.answer(event, names if answers else None)
    return builder.build()


class _Fold:
    def __init__(self, builder: DatasetBuilder, ids: list[str], method: str) -> None:
        self._builder = builder
        self._ids = ids
        self._method = method
        self._votes: Counter[tuple[int, int, int, str]] = Counter()
        self._given: set[tuple[int, int]] = set()

    def answer(self, event: Answered, names: Names | None) -> None:
        if not event.surplus:
            self._votes.update((event.sentence, *span) for span in event.spans)
        # A campaign asks nobody twice; if one ever did, the rest is still to be had.
        is_again = (event.sentence, event.worker) in self._given
        if names is None or is_again:
            return
        self._given.add((event.sentence, event.worker))
        marks = [name for name in ("late", "surplus") if getattr(event, name)]
        self._builder.add_answer(
            Answer(
                self._ids[event.sentence],
                names.get(event.worker, f"w{event.worker}"),
                tuple(Span(*span) for span in event.spans),
                event.seconds,
                event.at,
                "+".join(marks) or None,
            )
        )

    def settle(self, event: Settled, revised: Spans | None) -> None:
        spans = tuple(_final_span(label, event.answers) for label in event.labels)
        if revised is not None and event.by == "crowd":
            spans = self._revised(event, revised, spans)
        by = {"crowd": self._method, "expert": EXPERT}.get(event.by, event.by)
        final = Final(spans, event.confidence, event.answers, by)
        self._builder.add_final(self._ids[event.sentence], final)

    def _revised(
        self, event: Settled, revised: Spans, before: tuple[FinalSpan, ...]
    ) -> tuple[FinalSpan, ...]:
        """Return spans that were judged once more; those that were there keep their confidence."""
        known = {final.span: final for final in before}
        new = []
        for start, end, label in revised:
            votes = self._votes[event.sentence, start, end, label]
            other = FinalSpan(Span(start, end, label), event.confidence, min(votes, event.answers))
            new.append(known.get(other.span, other))
        return tuple(new)


def _final_span(label: FinalLabel, answers: int) -> FinalSpan:
    span = Span(label.start, label.end, label.label)
    return FinalSpan(span, label.confidence, min(len(label.voters), answers))


def _add_sentence(builder: DatasetBuilder, row: SentenceRow) -> str:
    meta: dict[str, Any] = json.loads(row.meta)
    gold = None if row.gold is None else [Span(*span) for span in row.gold]
    builder.add_sentence(Sentence(row.id, row.text, row.bounds, meta), gold)
    if gold is not None:
        # What is known from the beginning needs no event to be settled.
        final = tuple(FinalSpan(span, 1.0) for span in gold)
        builder.add_final(row.id, Final(final, 1.0, 0, "gold"))
    return row.id


def _results(store: EventStore, campaign: str) -> Iterator[Answered | Settled]:
    for _, entry in store.read(campaign):
        if entry.kind in {"Answered", "Settled"}:
            event = event_of(entry)
            assert isinstance(event, Answered | Settled)  # noqa: S101  by its kind
            yield event
