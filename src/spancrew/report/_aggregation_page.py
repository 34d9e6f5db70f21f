"""Final labels as a page: their quality, their confidence, and the workers behind them."""

from collections.abc import Iterator, Mapping

import numpy as np

from spancrew.consensus import Audition
from spancrew.report._aggregation import BINS, Aggregation, UnsureSentence
from spancrew.report._html import document, marked_text, note, section, table, tag, text
from spancrew.report.live import Axis, Bars, Interval, histogram_figure, interval_figure

MOST_WORKERS = 60
"""Workers that the figure shows; with more, the best and the worst."""


def reliability_head(aggregation: Aggregation) -> tuple[str, ...]:
    """Return the head of the table of workers."""
    return "worker", "answers", aggregation.kind, "reliability", "95 % interval"


def score_rows(aggregation: Aggregation) -> list[list[str]]:
    """Return precision, recall and F1 in every metric as text; no rows without gold.

    There are none for choices either, of which the accuracy says everything.
    """
    if aggregation.kind == "choices":
        return []
    return [
        [name, *(f"{value:.3f}" for value in scores)]
        for name, scores in aggregation.scores.items()
        if scores is not None
    ]


def reliability_rows(aggregation: Aggregation) -> list[list[str]]:
    """Return the workers as text, as in the head."""
    return [
        [
            row.worker,
            f"{row.answers:,}",
            f"{row.spans:,}",
            f"{row.reliability:.2f}",
            f"{row.low:.2f} to {row.high:.2f}",
        ]
        for row in aggregation.workers
    ]


def aggregation_sentences(aggregation: Aggregation) -> Iterator[str]:
    """Say in words what was decided by whom, and what may be expected of it."""
    is_chosen = aggregation.kind == "choices"
    spans = ", ".join(f"{name} {count:,}" for name, count in aggregation.labels.items())
    total = sum(aggregation.labels.values())
    noun = "choice" if is_chosen else "span"
    yield f"{_counted(total, noun)}: {spans}." if total else f"No {noun}s."
    if is_chosen:
        yield from _accuracy_sentences(aggregation)
    if aggregation.expected_f1 is not None:
        checked = "" if aggregation.expert_sentences else ", which no expert has checked"
        what = "the accuracy" if is_chosen else "exact F1"
        yield f"The model's guess of {what} is {aggregation.expected_f1:.2f}{checked}."
    if aggregation.expert_sentences:
        share = aggregation.expert_sentences / aggregation.sentences
        count = _counted(aggregation.expert_sentences, "sentence")
        yield f"{count} decided by experts ({share:.0%})."
    yield from verdicts(aggregation.auditions)
    if aggregation.sentences_without_answers:
        count = _counted(aggregation.sentences_without_answers, "sentence")
        yield f"{count} without answers: no {noun}s, confidence 0."


def _accuracy_sentences(aggregation: Aggregation) -> Iterator[str]:
    """Say how many choices are right, and on how many the taken label is arbitrary."""
    if aggregation.accuracy is not None:
        count = _counted(aggregation.scored_sentences, "sentence")
        yield f"Accuracy {aggregation.accuracy:.4f} against gold on {count}."
    if aggregation.tied_sentences:
        count = _counted(aggregation.tied_sentences, "sentence")
        yield f"{count} tied: several labels are equally likely, and a lot decides."


def verdicts(auditions: Mapping[str, Audition]) -> list[str]:
    """Say of every model whether it is heard, and why."""
    return [_verdict(*each) for each in auditions.items()]


def _verdict(name: str, model: Audition) -> str:
    """Say whether a model is heard, and why."""
    verdict = "is heard" if model.is_passed else "is not heard"
    why = (
        f"its F1 against what the other people say is {model.f1:.2f}, and a quarter of their "
        f"answers come from workers below {model.needed:.2f}"
    )
    if model.expert_f1 < model.expert_needed:
        why += f"; against experts' labels, {model.expert_f1:.2f} and {model.expert_needed:.2f}"
    return f"{'The tagger' if name == 'tagger' else name} {verdict}: {why}."


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def aggregation_page(aggregation: Aggregation) -> str:
    """Return everything as one HTML page with no request to the outside."""
    return document(
        f"{aggregation.name}: final labels",
        tag("h1", text(f"{aggregation.name}: final labels by {aggregation.method}")),
        tag("p", text(" ".join(aggregation_sentences(aggregation))), class_="lead"),
        _scores(aggregation),
        section("How sure", confidence_figure(aggregation), *_least_sure(aggregation)),
        _workers(aggregation),
        live=True,
    )


def _scores(aggregation: Aggregation) -> str:
    rows = score_rows(aggregation)
    if aggregation.accuracy is not None and aggregation.kind == "choices":
        return section("Against gold", note(" ".join(_accuracy_sentences(aggregation))))
    if not rows:
        return section("Against gold", note("There is no gold to compare the labels with."))
    said = f"{aggregation.scored_sentences:,} sentences as one pool."
    return section("Against gold", note(said), table(("metric", "P", "R", "F1"), rows))


def confidence_figure(aggregation: Aggregation) -> str:
    """Draw how sure the labels of how many sentences are."""
    sure = aggregation.confidence
    bars = [Bars("sentences", sure.counts)]
    caption = "The probability that all labels of a sentence are right, as stated."
    if sure.right is not None:
        bars.append(Bars("all labels right", sure.right))
        caption = f"{caption} Beside it how many are right, by gold."
    return histogram_figure(
        "Confidence in a sentence",
        caption,
        np.linspace(0, 1, BINS + 1).tolist(),
        bars,
        x=Axis("confidence"),
        y=Axis("sentences"),
    )


def _least_sure(aggregation: Aggregation) -> Iterator[str]:
    colours = {name: k for k, name in enumerate(aggregation.labels)}
    if aggregation.least_sure:
        yield note("The least sure sentences, with their final labels:")
    for row in aggregation.least_sure:
        yield _example(row, colours)


def _example(row: UnsureSentence, colours: dict[str, int]) -> str:
    about = f"confidence {row.confidence:.2f}, {row.expected_errors:.1f} errors expected"
    return tag(
        "figure",
        tag("figcaption", text(f"sentence {row.sentence}: {about}")),
        marked_text(row.text, row.bounds, row.labels, colours),
    )


def reliability_figure(aggregation: Aggregation) -> str:
    """Draw the reliability of the workers with its intervals."""
    shown = aggregation.workers
    if len(shown) > MOST_WORKERS:
        shown = [*shown[: MOST_WORKERS // 2], *shown[-MOST_WORKERS // 2 :]]
    rows = [Interval(row.worker, row.reliability, row.low, row.high, row.f1) for row in shown]
    score = "accuracy" if aggregation.kind == "choices" else "exact F1"
    return interval_figure(
        "Reliability",
        f"The {score} that a worker's answers have if the stated probabilities are right, with "
        "its 95 % interval.",
        rows,
        x=Axis(score, low=0.0, high=1.0),
        value_name="expected",
        truth_name="against gold",
    )


def _workers(aggregation: Aggregation) -> str:
    rows = table(reliability_head(aggregation), reliability_rows(aggregation))
    return section("The workers", reliability_figure(aggregation), rows)
