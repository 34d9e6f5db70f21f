"""Chinese reviews of invented restaurants, films and products, with opinion expressions."""

from pathlib import Path

from draws import Draws
from markup import Passage, parse
from templates import templates

_FOLDER = Path(__file__).parent / "chinese"


def passages(draws: Draws) -> list[Passage]:
    """Return every review once, in a random order."""
    reviews = [
        parse(review.text, "characters", review.domain, hard=review.hard)
        for review in templates(_FOLDER)
    ]
    return draws.shuffled(reviews)
