"""What the formats with running text share: tokens cut from text, spans from characters."""

from typing import Any

from spancrew.core import Sentence, Span, Unit, cut
from spancrew.errors import Place
from spancrew.formats._intake import Intake, at


def bounds_in(value: Any) -> tuple[tuple[int, int], ...] | None:
    """Return token borders if that is what the value is."""
    if not isinstance(value, list) or not value:
        return None
    bounds = []
    for pair in value:
        match pair:
            case [int(start), int(end)]:
                bounds.append((start, end))
            case _:
                return None
    return tuple(bounds)


def bounds_out(sentence: Sentence) -> dict[str, Any]:
    """Return the field ``tokens``, only where cutting the text again would not give the same."""
    if cut(sentence.text) == sentence.bounds:
        return {}
    return {"tokens": [list(bound) for bound in sentence.bounds]}


def sentence_from(
    id_: str, text: str, fields: dict[str, Any], unit: Unit | None, place: Place
) -> Sentence:
    """Return a sentence from the fields beside its text.

    If the field ``tokens`` holds token borders they are taken, else the text is cut. What the
    field ``meta`` holds and all other fields become its meta.
    """
    meta = dict(fields)
    bounds = bounds_in(fields.get("tokens"))
    if bounds is not None:
        del meta["tokens"]
    if isinstance(fields.get("meta"), dict):
        meta |= meta.pop("meta")
    if bounds is None:
        return at(place, lambda: Sentence.from_text(id_, text, unit, meta))
    return at(place, lambda: Sentence(id_, text, bounds, meta))


def span_at(
    sentence: Sentence, border: tuple[int, int], label: str, intake: Intake, place: Place
) -> Span:
    """Return the span over all tokens that the characters touch; widening is noted."""
    start, end = border
    found = at(place, lambda: sentence.locate(start, end))
    span = at(place, lambda: Span(found.start, found.end, label))
    if not found.exact:
        intake.repair(
            "border",
            place,
            f"sentence {sentence.id!r}: characters {start}-{end} ({sentence.text[start:end]!r}) "
            f"cut through a token; read as {sentence.quote(span)!r}",
        )
    return span
