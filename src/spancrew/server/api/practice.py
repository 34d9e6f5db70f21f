"""Sentences that are taken out of a campaign before it begins, for workers to practise on."""

from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np
from starlette.datastructures import FormData

from spancrew import wire
from spancrew.core import Dataset
from spancrew.server.api.guide import bare
from spancrew.server.api.upload import prepared, text_field
from spancrew.server.people.values import SolvedSentence
from spancrew.server.refusals import invalid

PRACTICE_FIELD = {"type": "string", "pattern": "^([0-9]|[1-4][0-9]|50)$"}
_SHORT, _LONG = 4, 40
"""Tokens of a sentence that teaches something and can still be read at a glance."""
_TOO_LONG = 1_000


def practice_count(form: FormData) -> int:
    """Return how many sentences a form wants to be taken out."""
    text = text_field(form, "practice", 20) or "0"
    if not (text.isascii() and text.isdigit() and int(text) <= wire.MOST_SENTENCES):
        raise invalid(f"practice: a whole number from 0 to {wire.MOST_SENTENCES} is expected")
    return int(text)


def campaign_sentences(
    dataset: Dataset, labels: tuple[str, ...], practice: int, *, use_gold: bool
) -> tuple[Dataset, tuple[SolvedSentence, ...]]:
    """Return the sentences of a new campaign, and those taken out of it for practice."""
    known = prepared(dataset, labels, use_gold=use_gold or practice > 0)
    rest, solved = taken_out(known, practice)
    return rest if use_gold else prepared(rest, labels, use_gold=False), solved


def taken_out(dataset: Dataset, count: int) -> tuple[Dataset, tuple[SolvedSentence, ...]]:
    """Return a data set without some sentences whose labels are known, and these sentences.

    They have all labels, as evenly as can be, and one that has none, too; the easiest come first.
    None of them is in the data set twice. The same data always give the same ones.
    """
    if not count:
        return dataset, ()
    chosen = _chosen(dataset, min(count, len(dataset) - 1))
    if len(chosen) < count:
        raise invalid(
            f"practice: {count} sentences with known labels are wanted; of the {len(dataset)} "
            f"there are, {len(chosen)} can be taken out",
            "ask for fewer, use known labels (gold), or write sentences of your own in the guide",
        )
    solved = sorted(
        (_one_solved(dataset, row) for row in chosen), key=lambda each: len(each.spans)
    )
    rest = np.setdiff1d(np.arange(len(dataset)), chosen)
    return dataset.take(rest), tuple(solved)


def _chosen(dataset: Dataset, count: int) -> list[int]:
    """Return positions: again and again the one with the labels that were seen least."""
    waiting = {kind: iter(_easiest_first(dataset, rows)) for kind, rows in _by_labels(dataset)}
    seen: Counter[str] = Counter()
    chosen: list[int] = []
    while waiting and len(chosen) < count:
        best = max(waiting, key=lambda kind: (sum(0.5 ** seen[each] for each in kind), kind))
        position = next(waiting[best], None)
        if position is None:
            del waiting[best]
            continue
        chosen.append(position)
        seen.update(best)
    return chosen


def _by_labels(dataset: Dataset) -> Iterator[tuple[tuple[str, ...], list[int]]]:
    """Yield which labels there are together in sentences, and in which ones.

    Where there are none, the empty word stands for them: "nothing to mark" is to be learnt, too.
    """
    texts = [bare(text) for text in dataset.sentences.texts]
    times = Counter(texts)
    kinds: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for position in np.flatnonzero(dataset.has_gold).tolist():
        if times[texts[position]] == 1 and len(dataset.gold[position]) <= _TOO_LONG:
            spans = dataset.gold_spans(position) or ()
            kinds[tuple(sorted({span.label for span in spans} or {""}))].append(position)
    yield from sorted(kinds.items())


def _easiest_first(dataset: Dataset, rows: list[int]) -> list[int]:
    lengths = dataset.gold.lengths
    return sorted(rows, key=lambda row: (not _SHORT <= lengths[row] <= _LONG, row))


def _one_solved(dataset: Dataset, position: int) -> SolvedSentence:
    sentence = dataset.sentences[position]
    spans = sorted((s.start, s.end, s.label) for s in dataset.gold_spans(position) or ())
    return SolvedSentence(sentence.text, sentence.bounds, tuple(spans))
