"""What a certificate says, as values."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

OTHER = "other"
"""Stands for all labels with few audited spans."""


class Estimate(NamedTuple):
    """A number with its interval; None without an audit."""

    estimate: float
    low: float | None
    high: float | None


class Quality(NamedTuple):
    """F1, precision and recall of some labels."""

    f1: Estimate
    precision: Estimate
    recall: Estimate


class LabelQuality(NamedTuple):
    """The quality of a label; ``pooled`` are the labels that OTHER stands for.

    ``delivered`` are its spans in all sentences, ``true`` those that audits found.
    """

    label: str
    pooled: tuple[str, ...]
    delivered: int
    true: int
    quality: Quality


class WrongSentences(NamedTuple):
    """Sentences of the crowd that are not entirely right: of the audited ones, and of all.

    ``share`` is the share in the sample, ``high`` an upper bound of the share of all.
    """

    seen: int
    share: float
    high: float


class ExpertAgreement(NamedTuple):
    """The exact F1 of one expert against another, and the sentences that both have labelled."""

    sentences: int
    f1: float


@dataclass(frozen=True, slots=True)
class Certificate:
    """How good delivered labels are: audited with an interval, or the model's guess without one.

    ``delivered`` is the quality of everything, ``crowd`` that of what the crowd decided, before
    any audit. ``sentences``, ``crowd_sentences``, ``experts`` (decided by experts or gold) and
    ``audited`` are counts; ``replaces`` tells whether audited sentences are delivered with the
    expert's labels. With ``strict``, every ``low`` holds however often one looks, and there is no
    upper bound.
    """

    kind: Literal["audited", "guess"]
    delivered: Quality
    level: float | None
    audited: int
    experts: int
    sentences: int
    crowd: Quality
    crowd_sentences: int
    labels: tuple[LabelQuality, ...]
    wrong_sentences: WrongSentences | None
    expert_agreement: ExpertAgreement | None
    strict: bool
    replaces: bool

    @property
    def is_complete(self) -> bool:
        """Tell whether every sentence that the crowd decided has been audited."""
        return self.kind == "audited" and self.audited == self.crowd_sentences
