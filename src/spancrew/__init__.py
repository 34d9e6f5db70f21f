"""Crowd-labelling campaigns for spans with the fewest expert hours.

The names that most scripts need; everything else is imported from its room.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spancrew.campaign import Campaign, Material, Plan
    from spancrew.client import Client
    from spancrew.consensus import soft_labels
    from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span, parts_of
    from spancrew.errors import SpancrewError
    from spancrew.formats import write
    from spancrew.metrics import agreement_of, score
    from spancrew.simulate import (
        Setting,
        rehearse,
        scene_of,
        simulated_crowd,
        summary_of,
    )
    from spancrew.workbench import (
        aggregate,
        certify,
        effect,
        fidelity,
        frontier,
        inspect,
        plan,
        read,
        simulate,
        what_if,
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
    "certify",
    "effect",
    "fidelity",
    "frontier",
    "inspect",
    "parts_of",
    "plan",
    "read",
    "rehearse",
    "scene_of",
    "score",
    "simulate",
    "simulated_crowd",
    "soft_labels",
    "summary_of",
    "what_if",
    "write",
]

_NAMES = {
    "campaign": ("Campaign", "Material", "Plan"),
    "client": ("Client",),
    "consensus": ("soft_labels",),
    "core": ("Answer", "Dataset", "LabelSet", "Sentence", "Span", "parts_of"),
    "errors": ("SpancrewError",),
    "formats": ("write",),
    "metrics": ("agreement_of", "score"),
    "simulate": ("Setting", "rehearse", "scene_of", "simulated_crowd", "summary_of"),
    "workbench": (
        "aggregate",
        "certify",
        "effect",
        "fidelity",
        "frontier",
        "inspect",
        "plan",
        "read",
        "simulate",
        "what_if",
    ),
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


class _CallableRoom(ModuleType):
    """A room with the name of a call: it can be called, too."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Do what the call of this name does."""
        name = self.__name__.rpartition(".")[2]
        return getattr(import_module(f"spancrew.{_ROOM[name]}"), name)(*args, **kwargs)


class _Package(ModuleType):
    """The top level: once the room ``simulate`` is imported, its name stands for the room."""

    def __setattr__(self, name: str, value: Any) -> None:
        """Let such a room be called when Python puts it here."""
        if name in _ROOM and isinstance(value, ModuleType):
            value.__class__ = _CallableRoom
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
