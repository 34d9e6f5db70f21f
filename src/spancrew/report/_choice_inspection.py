"""Everything `spancrew inspect` says about choices, as values and as a page."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from spancrew.core import Dataset, Ragged
from spancrew.metrics import (
    Metric,
    Spread,
    answers_per_worker,
    ordinal_alpha,
    overall_agreement,
    spread,
    weighted_kappa,
    worker_scores,
)
from spancrew.report._html import document, note, section, table, tag, text
from spancrew.report._inspection import RepairRow, repair_rows
from spancrew.report._preferences import Leaning, Rival, leanings, rivals_of

CHOOSERS_HEAD = ("worker", "answers", "accuracy", "position bias")
RIVALS_HEAD = ("response", "pairs", "answers", "score", "wins against an average one")

_AGREEMENT = {
    "pairs": "pairs of answers that agree",
    "fleiss": "Fleiss' kappa",
    "alpha": "Krippendorff's alpha",
    "ordinal_alpha": "the same on the scale (ordinal)",
    "weighted_kappa": "Cohen's kappa with squared weights",
}


@dataclass(frozen=True, slots=True)
class Chooser:
    """A worker, and the share of their choices that are as in gold; None without gold.

    ``position_bias`` says how much they prefer the first of two responses; None where there are no
    two, or too few of them.
    """

    worker: str
    answers: int
    accuracy: float | None
    position_bias: Leaning | None


@dataclass(frozen=True, slots=True)
class ChoiceInspection:
    """What there is, who did it, how well, and how much they agree.

    ``chosen`` and ``gold`` count labels in answers and in gold. ``agreement`` is over all
    questions: the share of ``pairs`` of answers that agree, ``fleiss``, ``alpha``, and where
    labels are at least three numbers ``ordinal_alpha`` and ``weighted_kappa``; None where no two
    answers can be compared. ``ranking`` has the responses that meet in several pairs, the
    strongest first.
    """

    name: str
    sentences: int
    sentences_with_gold: int
    questions: int
    workers: int
    answers: int
    chosen: dict[str, int]
    gold: dict[str, int]
    answers_per_worker: Spread | None
    answers_per_sentence: Spread | None
    accuracy: float | None
    worker_rows: list[Chooser]
    agreement: dict[str, float] | None
    ranking: list[Rival]
    repairs: list[RepairRow]

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        record = asdict(self)
        for name in ("answers_per_worker", "answers_per_sentence"):
            found: Spread | None = getattr(self, name)
            record[name] = None if found is None else found._asdict()
        return record | {"kind": "choices"}


def inspect_choices(
    name: str, dataset: Dataset, repairs: Iterable[tuple[str, str]] = ()
) -> ChoiceInspection:
    """Look at choices; ``repairs`` are pairs of a kind and a sentence about it."""
    counts, right = answers_per_worker(dataset), worker_scores(dataset, Metric("exact"))[:, 2]
    leaning = leanings(dataset)
    rows = [
        Chooser(
            worker,
            int(counts[k]),
            None if np.isnan(right[k]) else float(right[k]),
            leaning.get(worker),
        )
        for k, worker in enumerate(dataset.workers)
    ]
    return ChoiceInspection(
        name=name,
        sentences=len(dataset),
        sentences_with_gold=int(dataset.has_gold.sum()),
        questions=len(dataset.sentences.starts.values),
        workers=len(dataset.workers),
        answers=len(dataset.answers),
        chosen=_counts(dataset.answers.codes, dataset),
        gold=_counts(dataset.gold, dataset),
        answers_per_worker=spread(counts),
        answers_per_sentence=spread(dataset.answers.per_sentence),
        accuracy=_accuracy(dataset),
        worker_rows=sorted(rows, key=lambda row: -1.0 if row.accuracy is None else -row.accuracy),
        agreement=_agreement(dataset),
        ranking=rivals_of(dataset),
        repairs=repair_rows(repairs),
    )


def _counts(codes: Ragged, dataset: Dataset) -> dict[str, int]:
    found = np.bincount((codes.values.astype(np.int64) - 1) // 2, minlength=len(dataset.labels))
    return dict(zip(dataset.labels, found.tolist(), strict=True))


def _accuracy(dataset: Dataset) -> float | None:
    """Return the share of all choices on questions with gold that are right."""
    rows = np.flatnonzero(dataset.has_gold[dataset.answers.sentence])
    if not len(rows):
        return None
    given = dataset.answers.codes.take(rows).values
    gold = dataset.gold.take(dataset.answers.sentence[rows].astype(np.int64)).values
    return float((given == gold).mean())


def _agreement(dataset: Dataset) -> dict[str, float] | None:
    is_scale = dataset.labels.is_scale
    found = {
        "pairs": overall_agreement(dataset.by_people, "pairwise_f1"),
        "fleiss": overall_agreement(dataset.by_people, "fleiss"),
        "alpha": overall_agreement(dataset.by_people, "alpha"),
        "ordinal_alpha": ordinal_alpha(dataset.by_people) if is_scale else None,
        "weighted_kappa": weighted_kappa(dataset.by_people) if is_scale else None,
    }
    known = {name: value for name, value in found.items() if value is not None}
    return known or None


def choice_rows(found: ChoiceInspection) -> list[tuple[str, str]]:
    """Return the figures as text: what there is, and how much workers agree."""
    rows = [
        ("sentences", f"{found.sentences:,}"),
        ("of these with gold", f"{found.sentences_with_gold:,}"),
        ("questions", f"{found.questions:,}"),
        ("workers", f"{found.workers:,}"),
        ("answers", f"{found.answers:,}"),
    ]
    if found.accuracy is not None:
        rows.append(("accuracy of all answers", f"{found.accuracy:.3f}"))
    agreement = found.agreement or {}
    return rows + [(_AGREEMENT[name], f"{value:.3f}") for name, value in agreement.items()]


def choice_sentences(found: ChoiceInspection) -> Iterator[str]:
    """Say how often each label was chosen, and how often it is gold."""
    for what, counts in (("Chosen", found.chosen), ("Gold", found.gold)):
        if any(counts.values()):
            yield f"{what}: {', '.join(f'{name} {n:,}' for name, n in counts.items())}."


def chooser_rows(found: ChoiceInspection) -> list[list[str]]:
    """Return the workers as text, under CHOOSERS_HEAD."""
    return [
        [
            row.worker,
            f"{row.answers:,}",
            "-" if row.accuracy is None else f"{row.accuracy:.2f}",
            "-" if row.position_bias is None else str(row.position_bias),
        ]
        for row in found.worker_rows
    ]


def rival_rows(found: ChoiceInspection) -> list[list[str]]:
    """Return the responses that meet in several pairs as text, under RIVALS_HEAD."""
    return [
        [row.name, f"{row.pairs:,}", f"{row.answers:,}", f"{row.score:+.2f}", f"{row.wins:.0%}"]
        for row in found.ranking
    ]


def choice_inspection_page(found: ChoiceInspection) -> str:
    """Return the report as HTML."""
    workers = table(CHOOSERS_HEAD, chooser_rows(found))
    met = (section("Responses, the strongest first", table(RIVALS_HEAD, rival_rows(found))),)
    return document(
        found.name,
        tag("h1", text(found.name)),
        section(
            "The data",
            note(" ".join(choice_sentences(found))),
            table(("measure", "value"), choice_rows(found)),
        ),
        section("The workers", note("Against gold, where it is known; the best first."), workers),
        *(met if found.ranking else ()),
        live=True,
    )
