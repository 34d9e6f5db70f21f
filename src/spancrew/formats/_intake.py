"""Take what a reader finds into a data set: settle overlaps, check labels, note every repair."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from spancrew.core import (
    Answer,
    DatasetBuilder,
    Final,
    Kind,
    LabelSet,
    Scheme,
    Sentence,
    Span,
    spans_from_tags,
)
from spancrew.errors import FormatError, Place, Remedy, SpancrewError
from spancrew.formats._base import Overlaps, Reading, ReadOptions, Repair

T = TypeVar("T")


@dataclass(slots=True)
class _Sighting:
    """How often a label was seen, and where first."""

    place: Place
    count: int = 0


class Intake:
    """Collects what one reader finds; every error it raises names the place."""

    def __init__(self, options: ReadOptions, *, overlaps: Overlaps = "error") -> None:
        self._builder = DatasetBuilder(options.labels)
        self._overlaps = options.overlaps or overlaps
        self._declared = options.labels
        self._seen: dict[str, _Sighting] = {}
        self._repairs: list[Repair] = []

    def repair(self, kind: str, place: Place, what: str) -> None:
        """Note something that was changed or left out."""
        self._repairs.append(Repair(kind, place, what))

    def declare(self, labels: LabelSet, place: Place, kind: Kind = "spans") -> None:
        """Take the label set and the kind that the file declares; before any span is added."""
        self._builder = DatasetBuilder(self._declared or labels, kind)
        if self._declared is None:
            self._declared = labels
        elif extra := [name for name in labels if name not in self._declared]:
            raise FormatError(place, f"label {extra[0]!r} of the file is not among those declared")

    def add_sentence(
        self, sentence: Sentence, place: Place, gold: Iterable[Span] | None = None
    ) -> None:
        """Add a sentence, with its gold if that is known."""
        at(place, lambda: self._builder.add_sentence(sentence))
        if gold is not None:
            self.add_gold(sentence.id, gold, place)

    def add_gold(self, sentence: str, spans: Iterable[Span], place: Place) -> None:
        """Add the gold of a sentence that is already there."""
        kept = self._take(spans, place, f"gold of sentence {sentence!r}")
        at(place, lambda: self._builder.add_gold(sentence, kept))

    def add_answer(self, answer: Answer, place: Place) -> None:
        """Add an answer on a sentence that is already there."""
        where = f"sentence {answer.sentence!r}, worker {answer.worker!r}"
        kept = self._take(answer.spans, place, where)
        at(place, lambda: self._builder.add_answer(replace(answer, spans=kept)))

    def add_final(self, sentence: str, final: Final, place: Place) -> None:
        """Add the final labels of a sentence that is already there."""
        at(place, lambda: self._builder.add_final(sentence, final))

    def add_worker(self, worker: str) -> None:
        """Make a worker known who may have no answers."""
        self._builder.add_worker(worker)

    def skip(self, counts: Mapping[str, int], place: Place) -> None:
        """Note what was passed over, kind by kind."""
        for what, times in counts.items():
            if times:
                self.repair("skipped", place, f"{what} were left out ({times})")

    def spans(
        self, tags: Sequence[str], scheme: Scheme, places: Sequence[Place], where: str
    ) -> tuple[Span, ...]:
        """Read spans from tags; note each tag that had to be read differently at its place."""
        spans, changed = at(places[0], lambda: spans_from_tags(tags, scheme))
        for position, tag, read_as in changed:
            what = f"{where}, token {position}: {tag} read as {read_as}"
            self.repair("tag", places[position], what)
        return spans

    def finish(self, place: Place) -> Reading:
        """Return the data set with everything that was repaired."""
        if self._declared is None:
            self._refuse_typos()
        dataset = at(place, self._builder.build)
        if len(dataset) == 0:
            raise FormatError(place, "there are no sentences in it")
        return Reading(dataset, tuple(self._repairs))

    def _take(self, spans: Iterable[Span], place: Place, where: str) -> tuple[Span, ...]:
        kept = self._settle(tuple(spans), place, where)
        for span in kept:
            self._seen.setdefault(span.label, _Sighting(place)).count += 1
        return kept

    def _settle(self, spans: tuple[Span, ...], place: Place, where: str) -> tuple[Span, ...]:
        """Drop spans that overlap a better one, unless overlaps are an error."""
        if self._overlaps == "error":
            _refuse_overlaps(spans, place, where)
            return spans
        longest_first = sorted(spans, key=len, reverse=True)
        kept: list[Span] = []
        for span in longest_first if self._overlaps == "longest" else spans:
            rival = next((other for other in kept if span.overlaps(other)), None)
            if rival is None:
                kept.append(span)
            else:
                self.repair("overlap", place, f"{where}: {span} overlaps {rival} and was left out")
        return tuple(kept)

    def _refuse_typos(self) -> None:
        """Refuse a label seen very rarely that differs by one slip from one seen often."""
        for name, sighting in self._seen.items():
            for other, often in self._seen.items():
                if often.count >= 20 * sighting.count and _one_slip(name, other):
                    times = "once" if sighting.count == 1 else f"{sighting.count} times"
                    raise FormatError(
                        sighting.place,
                        f"found label {name!r} ({times}), which looks like a slip for {other!r} "
                        f"({often.count} times)",
                        Remedy("labels", ",".join(sorted(self._seen))),
                    )


def at(place: Place, action: Callable[[], T]) -> T:
    """Run an action; an error of the data gets its place in front."""
    try:
        return action()
    except FormatError:
        raise
    except SpancrewError as error:
        raise FormatError(place, str(error)) from None


def _refuse_overlaps(spans: tuple[Span, ...], place: Place, where: str) -> None:
    ordered = sorted(spans)
    for left, right in pairwise(ordered):
        if left.overlaps(right):
            raise FormatError(
                place,
                f"{where}: spans {left} and {right} overlap",
                Remedy("overlaps"),
            )


def _one_slip(one: str, other: str) -> bool:
    """Tell whether two names differ by case, or by one letter added, lost, changed or swapped."""
    if one == other or min(len(one), len(other)) < 3:
        return False
    if one.casefold() == other.casefold():
        return True
    short, long = sorted((one, other), key=len)
    start = next((k for k, c in enumerate(short) if c != long[k]), len(short))
    if len(long) == len(short) + 1:
        return short[start:] == long[start + 1 :]
    if len(long) > len(short):
        return False
    swapped = short[start + 1 : start + 2] + short[start]
    return short[start + 1 :] == long[start + 1 :] or (
        swapped == long[start : start + 2] and short[start + 2 :] == long[start + 2 :]
    )
