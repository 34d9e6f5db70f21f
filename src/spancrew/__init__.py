"""Crowd-labelling campaigns for spans with the fewest expert hours.

The few names a README needs; everything else is imported from its room.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spancrew.client import Client
    from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span
    from spancrew.errors import SpancrewError
    from spancrew.formats import read, write
    from spancrew.metrics import agreement_of, score

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Client",
    "Dataset",
    "LabelSet",
    "Sentence",
    "Span",
    "SpancrewError",
    "agreement_of",
    "read",
    "score",
    "write",
]

_ROOM = {
    "Answer": "core",
    "Client": "client",
    "Dataset": "core",
    "LabelSet": "core",
    "Sentence": "core",
    "Span": "core",
    "SpancrewError": "errors",
    "agreement_of": "metrics",
    "read": "formats",
    "score": "metrics",
    "write": "formats",
}


def __getattr__(name: str) -> Any:
    """Import a name from its room when it is first used, so that ``import spancrew`` is quick."""
    if name not in _ROOM:
        raise AttributeError(f"module 'spancrew' has no attribute {name!r}")
    return getattr(import_module(f"spancrew.{_ROOM[name]}"), name)
