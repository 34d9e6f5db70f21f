"""Models by name."""

from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args

from spancrew.calling import needed
from spancrew.effect._base import Learner
from spancrew.effect._crf import Crf
from spancrew.errors import SpancrewError

ModelName = Literal["crf", "bilstm-crf", "crowd-cat", "adapter"]
MODELS: tuple[ModelName, ...] = get_args(ModelName)


def learner_of(name: str, encoder: str | Path = "minilm", **settings: Any) -> Learner:
    """Return a model by its name; all but ``crf`` need the extra ``models`` and an encoder.

    >>> learner_of("crf").name
    'crf:rounds=4'
    """
    if name not in MODELS:
        near = get_close_matches(name, MODELS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(MODELS)}"
        raise SpancrewError(f"model {name!r} is not known: {hint}")
    if name == "crf":
        if settings.get("tuned_layers"):
            raise SpancrewError(
                "tuned layers: crf reads no encoder; take bilstm-crf, crowd-cat or adapter"
            )
        return Crf()
    needed("torch", "models")
    needed("transformers", "models")
    # The file imports torch, which takes seconds and may not be there.
    networks = import_module("spancrew.effect._networks")
    made: Learner = networks.Network(name, str(encoder), **settings)
    return made
