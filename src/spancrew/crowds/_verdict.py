"""Say in words whether stand-ins are close enough to the real workers to plan with them."""

from collections.abc import Iterator, Sequence
from typing import Literal

from spancrew.crowds._figures import Comparison, VoteBand

FidelityVerdict = Literal["usable", "with care", "not usable"]
WORDS: tuple[FidelityVerdict, ...] = ("usable", "with care", "not usable")

KS_LIMITS = (0.08, 0.15)
VOTE_LIMITS = (0.04, 0.08)
BAND_LIMITS = (0.05, 0.10)
"""Largest distances that are usable, and usable with care."""

MANY_SENTENCES = 100
"""With fewer, chance alone moves the figures by more than the limits."""

MANY_SPANS = 50
"""A band of agreement with fewer gold spans is not judged, nor what chance can explain."""

_Shortfall = tuple[int, str]


def verdict_on(
    sentences: int, ks: float, vote: Comparison, bands: Sequence[VoteBand]
) -> tuple[FidelityVerdict, list[str]]:
    """Return the verdict, and a reason for everything that is not simply usable."""
    findings = [*_few(sentences), *_agreement(ks), *_vote(vote), *_bands(bands)]
    worst = max((level for level, _ in findings), default=0)
    return WORDS[worst], [reason for _, reason in sorted(findings, key=lambda f: -f[0])]


def _few(sentences: int) -> Iterator[_Shortfall]:
    if sentences < MANY_SENTENCES:
        yield 1, f"only {sentences} sentences were compared, so the figures are rough"


def _agreement(ks: float) -> Iterator[_Shortfall]:
    level = _level(ks, KS_LIMITS)
    if level:
        yield level, f"the distributions of kappa are {ks:.2f} apart"


def _vote(vote: Comparison) -> Iterator[_Shortfall]:
    level = _level(vote.distance, VOTE_LIMITS)
    if level:
        yield level, f"the majority vote is {_points(vote)}"


def _bands(bands: Sequence[VoteBand]) -> Iterator[_Shortfall]:
    for band in bands:
        level = _level(band.vote.distance, BAND_LIMITS)
        if level and band.spans >= MANY_SPANS and band.vote.distance > band.margin:
            yield level, f"{band.place} the majority vote is {_points(band.vote)}"


def _level(distance: float, limits: tuple[float, float]) -> int:
    """Return how many limits are exceeded."""
    return sum(distance > limit for limit in limits)


def _points(vote: Comparison) -> str:
    """Say by how many points of F1 the stand-ins' vote is better or worse."""
    real, generated = vote.real or 0.0, vote.generated or 0.0
    word = "too good" if generated > real else "too bad"
    return f"{100 * abs(generated - real):.0f} points {word}"
