"""Crowd-labelling campaigns for spans with the fewest expert hours.

The names that most scripts need; everything else is imported from its room.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spancrew.campaign import Campaign, Material, Plan
    from spancrew.client import Client
    from spancrew.consensus import aggregate
    from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span
    from spancrew.crowds import fidelity
    from spancrew.errors import SpancrewError
    from spancrew.formats import read, write
    from spancrew.metrics import agreement_of, score
    from spancrew.report import inspect
    from spancrew.simulate import (
        Setting,
        frontier,
        rehearse,
        scene_of,
        simulated_crowd,
        summary_of,
    )

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Campaign",
    "Client",
    "Dataset",
    "LabelSet",
    "Material",
    "Plan",
    "Sentence",
    "Setting",
    "Span",
    "SpancrewError",
    "aggregate",
    "agreement_of",
    "fidelity",
    "frontier",
    "inspect",
    "read",
    "rehearse",
    "scene_of",
    "score",
    "simulated_crowd",
    "summary_of",
    "write",
]

_NAMES = {
    "campaign": ("Campaign", "Material", "Plan"),
    "client": ("Client",),
    "consensus": ("aggregate",),
    "core": ("Answer", "Dataset", "LabelSet", "Sentence", "Span"),
    "crowds": ("fidelity",),
    "errors": ("SpancrewError",),
    "formats": ("read", "write"),
    "metrics": ("agreement_of", "score"),
    "report": ("inspect",),
    "simulate": ("Setting", "frontier", "rehearse", "scene_of", "simulated_crowd", "summary_of"),
}
_ROOM = {name: room for room, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a name from its room when it is first used, so that ``import spancrew`` is quick."""
    if name not in _ROOM:
        raise AttributeError(f"module 'spancrew' has no attribute {name!r}")
    return getattr(import_module(f"spancrew.{_ROOM[name]}"), name)


def __dir__() -> list[str]:
    """Return the names of the top level, for completion in a shell."""
    return [*__all__, "__version__"]
