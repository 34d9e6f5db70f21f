"""A network as a model that learns from arms."""

from dataclasses import dataclass
from pathlib import Path

import torch

from spancrew.effect._base import Arm, Texts, Trained
from spancrew.effect._networks._reading import pages_of
from spancrew.effect._networks._taggers import tagger_of
from spancrew.effect._networks._training import Pages, TrainingExamples, TrainingSchedule, fit, tag


@dataclass(frozen=True, slots=True)
class Network:
    """A tagger by its name, on an encoder by its name or folder."""

    kind: str
    encoder: str = "minilm"
    epochs: int = 20
    patience: int = 2

    @property
    def name(self) -> str:
        """Return the name and everything that decides what is learned."""
        how = f"epochs={self.epochs},patience={self.patience}"
        return f"{self.kind}:encoder={self.encoder},{how}"

    def trainer(self, texts: Texts, keep: Path | None = None) -> "NetworkTrainer":
        """Encode the texts once, before there are any labels; keep their vectors."""
        pages = pages_of(texts, self.encoder, keep)
        return NetworkTrainer(self, *pages, 2 * len(texts.train.labels) + 1)


@dataclass(frozen=True, slots=True)
class NetworkTrainer:
    """Trains a fresh network on every arm."""

    network: Network
    train: Pages
    test: Pages
    codes: int

    def trained(self, arm: Arm, seed: int) -> Trained:
        """Train anew on an arm, and label the test sentences."""
        lessons, workers = TrainingExamples.of(arm)
        schedule = TrainingSchedule(self.network.epochs, self.network.patience)
        width = self.train.vectors.shape[1]
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            tagger = tagger_of(self.network.kind, width, self.codes, workers)
            torch.manual_seed(seed)
            epochs = fit(tagger, self.train, lessons, seed, schedule)
        return Trained(tag(tagger, self.test, self.test.offsets), epochs)
