"""The option --crowd: a kind of crowd, for SES with how ties are broken."""

from typing import NamedTuple, get_args

from spancrew.augment import Ties
from spancrew.core import parse_spec
from spancrew.errors import SpancrewError
from spancrew.simulate import CROWDS, CrowdKind


class CrowdChoice(NamedTuple):
    """A crowd as named on the command line."""

    name: str
    kind: CrowdKind
    ties: Ties = "uniform"


def crowd_choice(text: str) -> CrowdChoice:
    """Return the crowd that a text names: calibrated, ses, ses:ties=first, replay, bernoulli."""
    name, options = parse_spec(text)
    kind = next((each for each in CROWDS if each == name), None)
    if kind is None:
        raise SpancrewError(f"crowd {name!r} is not known (one of {', '.join(CROWDS)})")
    ties = options.pop("ties", None) if kind == "ses" else None
    if options:
        offered = "ses has the option ties" if kind == "ses" else f"{kind} has none"
        raise SpancrewError(f"crowd {kind!r} has no option {next(iter(options))!r}: {offered}")
    if ties is None:
        return CrowdChoice(text, kind)
    known = next((each for each in get_args(Ties) if each == ties), None)
    if known is None:
        raise SpancrewError(f"ties {ties!r} is not known (one of {', '.join(get_args(Ties))})")
    return CrowdChoice(text, kind, known)
