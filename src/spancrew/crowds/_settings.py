"""The knobs of a calibrated crowd, between the estimate and the drawing."""

from dataclasses import dataclass, field, replace

import numpy as np

from spancrew.core import FloatArray, IntArray
from spancrew.crowds._ease import EASE
from spancrew.crowds._evidence import mistake_class
from spancrew.crowds._features import COMPANIES, Features
from spancrew.crowds._tables import (
    COMPANY,
    EXTRA,
    GRID,
    POPULARITY,
    SENTENCE,
    SPAN,
    STATES,
    Habits,
    SentenceSheet,
    Team,
    records,
)

_RAREST = 0.02
"""A spurious span that fewer workers than this share would mark is nobody else's."""


@dataclass(frozen=True)
class Settings:
    """Everything that the calibration turns.

    ``spread`` stretches the distribution of easiness; ``extra_by_size`` is the number of spurious
    spans in an answer by an average worker; ``lift`` is what was added to the workers' F1 that the
    skills are for, in logits; the others are as in the tables.
    """

    skill: FloatArray
    effect: FloatArray
    weight: FloatArray
    extra_by_size: FloatArray
    extra: FloatArray
    leaning: FloatArray
    extra_length: IntArray
    extra_label: IntArray
    spread: FloatArray = field(default_factory=lambda: np.full(COMPANIES, 1.0))
    by_sentence: FloatArray = field(default_factory=lambda: np.full(COMPANIES, 0.1))
    by_answer: FloatArray = field(default_factory=lambda: np.full(COMPANIES, 0.2))
    variety: FloatArray = field(default_factory=lambda: np.full(COMPANIES, 1.5))
    strangeness: float = 5.0
    keep_empty: float = 1.0
    blank: float = 0.0
    contagion: float = 0.3
    temptation: float = 0.5
    slant: float = 0.0
    tilt: float = 0.0
    lift: float = 0.0
    mess: FloatArray = field(default_factory=lambda: np.ones(STATES))

    def habits(self) -> Habits:
        """Return what all workers share, ready for drawing."""
        popularity = np.linspace(_RAREST, 1.0, 100, endpoint=False) + (1 - _RAREST) / 200
        density = self.strangeness / popularity * (1 - popularity) ** (self.strangeness - 1)
        density *= (1 - _RAREST) / 100
        shared = float(density.sum())
        by_company = (self.spread, self.by_sentence, self.by_answer, self.variety)
        return Habits(
            grid=records(GRID, EASE, self.weight),
            company=records(COMPANY, *by_company),
            popularity=records(POPULARITY, popularity, np.cumsum(density) / shared),
            extra=records(EXTRA, self.extra_length, self.extra_label),
            mess=self.mess,
            strangeness=self.strangeness,
            shared=shared,
            fresh=1 - (1 - _RAREST) ** self.strangeness,
            keep_empty=self.keep_empty,
            blank=self.blank,
            contagion=self.contagion,
            temptation=self.temptation,
            slant=self.slant,
            tilt=self.tilt,
        )

    def team(self) -> Team:
        """Return what differs between workers, ready for drawing."""
        return Team(self.skill, self.leaning, self.extra)

    def sheet(self, features: Features, tokens: IntArray) -> SentenceSheet:
        """Return the sentences, ready for drawing."""
        first, last = features.first[:-1], features.first[1:]
        extra = self.extra_by_size[features.size]
        place = (features.start, features.end, features.gold_label)
        ease = self.effect[features.span].sum(axis=1)
        return SentenceSheet(
            sentence=records(SENTENCE, tokens, first, last, features.company, extra),
            span=records(SPAN, *place, mistake_class(features), ease),
        )

    def joined_by(self, like: IntArray) -> "Settings":
        """Return settings with more workers, each like one who is there."""
        return self.but(
            skill=np.append(self.skill, self.skill[like]),
            extra=np.append(self.extra, self.extra[like]),
            leaning=np.concatenate([self.leaning, self.leaning[like]]),
        )

    def but(self, **changes: object) -> "Settings":
        """Return a copy with some knobs turned."""
        return replace(self, **changes)  # type: ignore[arg-type]  # dataclass checks the names
