"""What policies, feedback rules and consensus methods have in common: copies, names, members."""
# ruff: noqa: S101  asserts are what a contract is made of

import json
import pickle
from dataclasses import fields, is_dataclass
from typing import Any

from spancrew.core import from_spec, refuse_incomplete, spec_of

_NAME = "mine"


def check_part(part: object, kind: str, protocol: type[Any]) -> None:
    """Check that a part has all members, and is the same again after a pickle and by its name.

    Sweeps send parts to other processes; plans and journals keep them as text or JSON.
    """
    known = {_NAME: type(part)}
    options = [field.name for field in fields(part) if field.init] if is_dataclass(part) else []
    written = json.dumps({kind: _NAME, **{name: getattr(part, name) for name in options}})

    refuse_incomplete(part, protocol)
    assert pickle.loads(pickle.dumps(part)) == part  # noqa: S301  our own bytes
    assert from_spec(spec_of(part, known), kind, known) == part
    assert from_spec(json.loads(written), kind, known) == part
