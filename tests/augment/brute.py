"""SES by the letter of the paper: every combination, one after the other, in plain Python."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from spancrew.core import LabelSet, Ragged, Span, encode
from spancrew.metrics import Metric

Variant = Span | None


def variants(
    gold: Sequence[Span], i: int, borders: Sequence[int], others: Sequence[str] = ()
) -> list[Variant]:
    """List the distinct variants of one span; the order is that of ``candidates``."""
    span = gold[i]
    low = gold[i - 1].end if i else 0
    high = gold[i + 1].start if i + 1 < len(gold) else borders[-1]
    found: list[Variant] = [span]
    found += list(_steps(span, borders, low, high, start=0, end=-1))
    found += list(_steps(span, borders, low, high, start=1, end=0))
    found = [*(span for span in found if span is not None), None]
    found += [Span(span.start, span.end, label) for label in others if label != span.label]
    for start, end in ((1, 1), (0, 1), (-1, -1), (-1, 0)):
        found += list(_steps(span, borders, low, high, start=start, end=end))
    return list(dict.fromkeys(found))


def _steps(
    span: Span, borders: Sequence[int], low: int, high: int, start: int, end: int
) -> Iterator[Variant]:
    """Move the borders word by word until one of the three rules stops."""
    a, b = borders.index(span.start), borders.index(span.end)
    while True:
        if (start < 0 and borders[a] == low) or (end > 0 and borders[b] == high):
            return
        a, b = a + start, b + end
        if a == b:
            yield None
            return
        yield Span(borders[a], borders[b], span.label)
        if borders[a] >= span.end or borders[b] <= span.start:
            return


def merged(chosen: Sequence[Variant]) -> tuple[Span, ...]:
    """Merge spans that share a token; the left one gives the label."""
    spans = sorted(span for span in chosen if span is not None)
    made: list[Span] = []
    for span in spans:
        if made and made[-1].overlaps(span):
            made[-1] = Span(made[-1].start, max(made[-1].end, span.end), made[-1].label)
        else:
            made.append(span)
    return tuple(made)


def borders_of(starts: Sequence[bool], gold: Sequence[Span]) -> list[int]:
    """Return the borders of words and of gold spans."""
    found = {0, len(starts)} | {k for k, is_start in enumerate(starts) if is_start}
    return sorted(found | {span.start for span in gold} | {span.end for span in gold})


def combinations(
    gold: Sequence[Span], starts: Sequence[bool], others: Sequence[str] = ()
) -> list[tuple[Span, ...]]:
    """Return the answer of every combination, in order; the same answer may come twice."""
    borders = borders_of(starts, gold)
    lists = [variants(gold, i, borders, others) for i in range(len(gold))]
    return [merged(chosen) for chosen in product(*lists)]


def count(gold: Sequence[Span], starts: Sequence[bool], others: Sequence[str] = ()) -> int:
    """Return the number of combinations without making them."""
    borders = borders_of(starts, gold)
    size = 1
    for i in range(len(gold)):
        size *= len(variants(gold, i, borders, others))
    return size


def scores(
    answers: Sequence[tuple[Span, ...]], gold: Sequence[Span], length: int, metric: Metric
) -> list[float]:
    """Score every answer, rounded so that equal scores are equal."""
    labels = LabelSet.of([span.label for answer in (*answers, gold) for span in answer])
    codes = Ragged.of([encode(answer, length, labels).tolist() for answer in answers])
    truth = Ragged.of([encode(gold, length, labels).tolist()] * len(answers))
    return [round(float(f1), 10) for f1 in metric.pairs(codes, truth)[:, 2]]


def tally(
    gold: Sequence[Span], starts: Sequence[bool], metric: Metric, others: Sequence[str] = ()
) -> Counter[float]:
    """Count the combinations behind every score."""
    answers = combinations(gold, starts, others)
    return Counter(scores(answers, gold, len(starts), metric))


def gaps(gold: Sequence[Span]) -> list[int]:
    """Return the tokens between neighbours."""
    return [right.start - left.end for left, right in pairwise(gold)]
