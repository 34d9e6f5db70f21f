"""The result of a campaign as a file: final labels, and every raw answer with its time."""

import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from spancrew import wire
from spancrew.campaign import (
    Answered,
    Assigned,
    Audited,
    Corrected,
    FinalLabel,
    Joined,
    Plan,
    Settled,
    Spans,
    event_of,
)
from spancrew.consensus import consensus_name
from spancrew.core import (
    AUDIT,
    EXPERT,
    MODEL_PREFIX,
    Answer,
    Dataset,
    DatasetBuilder,
    Final,
    FinalSpan,
    Kind,
    Sentence,
    Span,
)
from spancrew.formats import Format, format_for, write
from spancrew.server.api.access import EXPORTED, EntryOf, Server
from spancrew.server.api.copies import copied
from spancrew.server.api.parameters import USUAL, CampaignId
from spancrew.server.pages.problems import in_words, language_of
from spancrew.server.processes import in_thread
from spancrew.server.services import Services
from spancrew.stores import EventStore, SentenceRow

router = APIRouter(prefix=wire.PREFIX, tags=["watch"], responses=USUAL)
Revised = Mapping[int, Spans]
Names = Mapping[int, str]


@router.get(
    "/campaigns/{c}/export",
    dependencies=[EXPORTED],
    summary="Final labels and raw answers as a file",
    response_class=FileResponse,
    responses={200: {"description": "The file", "content": {"application/octet-stream": {}}}},
)
async def export(  # noqa: PLR0913  one parameter for each option
    request: Request,
    c: CampaignId,
    entry: EntryOf,
    services: Server,
    *,
    format: Annotated[str, Query(max_length=40)] = "spancrew",  # noqa: A002  the word users know
    revise: bool = True,
    answers: bool = True,
    names: bool = False,
) -> FileResponse:
    """Return all sentences with their final labels in any format that spancrew writes.

    ``revise`` judges the sentences of the crowd again with all that is known by now; ``names``
    shows who the workers are, instead of pseudonyms. The header ``X-Spancrew-Settled`` says how
    many sentences have final labels, such as ``7/12``.
    """
    copy = await copied(services, c)
    revised = await in_thread(copy.revised) if revise else None
    shown = await in_thread(_worker_names, services, c) if names else {}
    store = services.desk.store
    dataset = await in_thread(result_of, store, c, copy.plan, shown, revised, answers)
    made = await in_thread(as_download, dataset, entry.name, format, language_of(request))
    return FileResponse(
        made.path,
        filename=made.name,
        media_type="application/octet-stream",
        headers={"X-Spancrew-Losses": made.losses, "X-Spancrew-Settled": _settled(dataset)},
        background=BackgroundTask(shutil.rmtree, made.folder, ignore_errors=True),
    )


def _settled(dataset: Dataset) -> str:
    settled = 0 if dataset.finals is None else int(dataset.finals.is_settled.sum())
    return f"{settled}/{len(dataset)}"


def _worker_names(services: Services, campaign: str) -> dict[int, str]:
    """Return what workers are called, by number; a name that two have gets their number."""
    people = services.directory.people.of_campaign(campaign, "worker")
    named = {p.number: p.name or p.platform_id for p in people if p.number is not None}
    known = [name for name in named.values() if name]
    return {
        number: name if known.count(name) == 1 else f"{name} (w{number})"
        for number, name in named.items()
        if name
    }


def result_of(
    store: EventStore,
    campaign: str,
    plan: Plan,
    names: Names,
    revised: Revised | None,
    answers: bool,
) -> Dataset:
    """Return a campaign's sentences with their final labels and the answers of its workers.

    A worker goes by ``names``, else by a pseudonym such as w7. Answers that came late or were one
    too many are there, too, and say so in ``source``; so do those that had seen a suggestion.
    ``revised`` labels take the place of those that the crowd settled.
    """
    rows = list(store.sentences(campaign))
    builder = DatasetBuilder(plan.label_set, _kind(plan, rows))
    ids = [_add_sentence(builder, row) for row in rows]
    changed, seen = _known_later(store, campaign)
    fold = _Fold(builder, ids, consensus_name(plan.method).partition(":")[0], seen)
    for event in _results(store, campaign, changed):
        if isinstance(event, Joined):
            fold.join(event)
        elif isinstance(event, Settled):
            fold.settle(event, (revised or {}).get(event.sentence))
        elif isinstance(event, Audited):
            fold.audit(event)
        elif isinstance(event, Corrected):
            fold.correct(event)
        else:
            fold.answer(event, names if answers else None)
    return fold.build()


def _kind(plan: Plan, rows: Sequence[SentenceRow]) -> Kind:
    """Return the kind of the plan; earlier versions let choices begin with the gold of spans."""
    is_whole = all(row.gold is None or len(row.gold) == len(row.bounds) for row in rows)
    return plan.kind if is_whole else "spans"


class _Fold:
    def __init__(
        self, builder: DatasetBuilder, ids: list[str], method: str, seen: frozenset[int]
    ) -> None:
        self._builder = builder
        self._seen = seen
        self._ids = ids
        self._method = method
        self._votes: Counter[tuple[int, int, int, str]] = Counter()
        self._given: set[tuple[int, int]] = set()
        self._finals: dict[int, Final] = {}
        self._models: dict[int, str] = {}

    def join(self, event: Joined) -> None:
        """Remember a model, which goes by its name and has no vote among the people's."""
        if event.model is not None:
            self._models[event.worker] = MODEL_PREFIX + event.model

    def answer(self, event: Answered, names: Names | None) -> None:
        if not event.surplus and event.worker not in self._models:
            self._votes.update((event.sentence, *span) for span in event.spans)
        # A campaign asks nobody twice; if one ever did, the rest is still to be had.
        is_again = (event.sentence, event.worker) in self._given
        if names is None or is_again:
            return
        self._given.add((event.sentence, event.worker))
        marks = [name for name in ("late", "surplus", "turned") if getattr(event, name)]
        marks += ["suggested"] if event.assignment in self._seen else []
        self._builder.add_answer(
            Answer(
                self._ids[event.sentence],
                self._models.get(event.worker) or names.get(event.worker, f"w{event.worker}"),
                tuple(Span(*span) for span in event.spans),
                event.seconds,
                event.at,
                "+".join(marks) or None,
            )
        )

    def settle(self, event: Settled, revised: Spans | None) -> None:
        spans = tuple(self._final_span(label, event.answers) for label in event.labels)
        if revised is not None and event.by == "crowd":
            spans = self._revised(event, revised, spans)
        by = {"crowd": self._method, "expert": EXPERT}.get(event.by, event.by)
        self._finals[event.sentence] = Final(spans, event.confidence, event.answers, by)

    def correct(self, event: Corrected) -> None:
        """Let corrected labels take the place of those before; an audit stays one."""
        before = self._finals.get(event.sentence)
        if before is None:
            # The answer to a warm-up, whose sentence has its turn yet to come.
            return
        spans = tuple(self._final_span(label, before.answers) for label in event.labels)
        by = AUDIT if before.by == AUDIT else EXPERT
        if before.by == self._method and not event.overruled:
            return
        self._finals[event.sentence] = Final(spans, 1.0, before.answers, by)

    def audit(self, event: Audited) -> None:
        """Let the labels of an expert take the place of the crowd's."""
        answers = self._finals[event.sentence].answers
        spans = tuple(
            FinalSpan(Span(*span), 1.0, min(self._votes[event.sentence, *span], answers))
            for span in event.spans
        )
        self._finals[event.sentence] = Final(spans, 1.0, answers, AUDIT)

    def _final_span(self, label: FinalLabel, answers: int) -> FinalSpan:
        span = Span(label.start, label.end, label.label)
        people = sum(voter not in self._models for voter in label.voters)
        return FinalSpan(span, label.confidence, min(people, answers))

    def build(self) -> Dataset:
        """Return the data set with the final labels."""
        for sentence, final in self._finals.items():
            self._builder.add_final(self._ids[sentence], final)
        return self._builder.build()

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


def _add_sentence(builder: DatasetBuilder, row: SentenceRow) -> str:
    meta: dict[str, Any] = json.loads(row.meta)
    gold = None if row.gold is None else [Span(*span) for span in row.gold]
    builder.add_sentence(Sentence(row.id, row.text, row.bounds, meta), gold)
    if gold is not None:
        # What is known from the beginning needs no event to be settled.
        final = tuple(FinalSpan(span, 1.0) for span in gold)
        builder.add_final(row.id, Final(final, 1.0, 0, "gold"))
    return row.id


_Result = Joined | Answered | Settled | Audited | Corrected
_RESULTS = {"Joined", "Answered", "Settled", "Audited", "Corrected"}


def _known_later(store: EventStore, campaign: str) -> tuple[dict[int, Spans], frozenset[int]]:
    """Return answers that were changed, and who had seen a suggestion, both by assignment."""
    changed: dict[int, Spans] = {}
    seen: set[int] = set()
    for _, entry in store.read(campaign):
        if entry.kind == "Reanswered":
            body = json.loads(entry.body)
            changed[body["assignment"]] = tuple(map(tuple, body["spans"]))
        elif entry.kind == "Assigned" and entry.writes("shown"):
            event = event_of(entry)
            assert isinstance(event, Assigned)  # noqa: S101  by its kind
            if event.shown:
                seen.add(event.assignment)
    return changed, frozenset(seen)


def _results(store: EventStore, campaign: str, changed: Mapping[int, Spans]) -> Iterator[_Result]:
    for _, entry in store.read(campaign):
        if entry.kind in _RESULTS:
            event = event_of(entry)
            assert isinstance(event, _Result)  # noqa: S101  by its kind
            if isinstance(event, Answered) and event.assignment in changed:
                event = replace(event, spans=changed[event.assignment])
            yield event


_MOST_IN_HEADER = 4000


class Download(NamedTuple):
    """A file in a folder of its own, which goes when it has been sent."""

    path: Path
    name: str
    folder: Path
    losses: str


def as_download(dataset: Dataset, title: str, format_: str, language: str) -> Download:
    """Write a data set in a format; a folder is packed into one file."""
    chosen = format_for("x", format_)
    folder = Path(tempfile.mkdtemp(prefix="spancrew-"))
    try:
        target = folder / f"{_slug(title)}{_suffix(chosen)}"
        lost = write(dataset, target, format_)
        if target.is_dir():
            target = Path(shutil.make_archive(str(target), "zip", target))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    losses = json.dumps([in_words(loss.what, language) for loss in lost])
    return Download(target, target.name, folder, losses[:_MOST_IN_HEADER])


def _suffix(format_: Format) -> str:
    suffix = format_.suffixes[0] if format_.suffixes else f"{format_.name}.jsonl"
    return suffix if suffix.startswith((".", "-")) else f"-{suffix}"


def _slug(title: str) -> str:
    """Return a file name that is safe everywhere, whatever a campaign is called."""
    return re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-")[:60] or "campaign"
