"""Sentences with their spans in colour, for a notebook."""

from collections.abc import Iterable

from spancrew.core import Dataset, Final, Span
from spancrew.report import fragment, marked_text, note, tag, text

FEW = 5
"""Sentences that are drawn."""


def drawn_dataset(dataset: Dataset) -> str:
    """Return a data set in a sentence, and its first sentences with their spans."""
    said = repr(dataset).removeprefix("Dataset(").removesuffix(")")
    few = drawn_sentences(dataset, range(min(FEW, len(dataset))))
    return fragment(tag("p", text(f"{said}."), class_="lead"), *few)


def drawn_sentences(dataset: Dataset, positions: Iterable[int]) -> list[str]:
    """Return some sentences with final labels, else with gold, else with the first answer."""
    colours = {name: k for k, name in enumerate(dataset.labels)}
    drawn = []
    for position in positions:
        sentence = dataset.sentences[position]
        about, spans = _shown(dataset, position)
        drawn.append(tag("p", text(f"{sentence.id} · {about}"), class_="about"))
        drawn.append(marked_text(sentence.text, sentence.bounds, spans, colours))
    rest = len(dataset) - len(drawn) // 2
    return [*drawn, note(f"and {rest:,} more sentences")] if rest else drawn


def _shown(dataset: Dataset, position: int) -> tuple[str, tuple[Span, ...]]:
    final, gold = dataset.final(position), dataset.gold_spans(position)
    if final is not None:
        return _about_final(final), final.labels
    if gold is not None:
        return "gold", gold
    answer = next(dataset.answers_on(position), None)
    return ("no labels", ()) if answer is None else (f"by {answer.worker}", answer.spans)


def _about_final(final: Final) -> str:
    answers = "1 answer" if final.answers == 1 else f"{final.answers} answers"
    return f"{final.by}, confidence {final.confidence:.2f}, {answers}"
