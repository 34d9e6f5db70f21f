"""A network as a model that learns from arms."""

from dataclasses import dataclass
from pathlib import Path

import torch

from spancrew.effect._base import Arm, Texts, Trained
from spancrew.effect._networks._reading import ReadTexts, frozen_reading, tuned_reading
from spancrew.effect._networks._taggers import tagger_of
from spancrew.effect._networks._training import TrainingExamples, TrainingSchedule, fit, tag


@dataclass(frozen=True, slots=True)
class Network:
    """A tagger by its name, on an encoder by its name or folder.

    The last ``tuned_layers`` of the encoder learn with the tagger; the others are frozen.
    """

    kind: str
    encoder: str = "minilm"
    epochs: int = 20
    patience: int = 2
    tuned_layers: int = 0

    @property
    def name(self) -> str:
        """Return the name and everything that decides what is learned."""
        how = f"epochs={self.epochs},patience={self.patience}"
        tuned = f",tuned_layers={self.tuned_layers}" if self.tuned_layers else ""
        return f"{self.kind}:encoder={self.encoder},{how}{tuned}"

    def trainer(self, texts: Texts, keep: Path | None = None) -> "NetworkTrainer":
        """Encode the texts once, before there are any labels; keep what the encoder says."""
        if self.tuned_layers:
            read = tuned_reading(texts, self.encoder, self.tuned_layers, keep)
        else:
            read = frozen_reading(texts, self.encoder, keep)
        return NetworkTrainer(self, read, 2 * len(texts.train.labels) + 1)


@dataclass(frozen=True, slots=True)
class NetworkTrainer:
    """Trains a fresh network on every arm."""

    network: Network
    texts: ReadTexts
    codes: int

    def trained(self, arm: Arm, seed: int) -> Trained:
        """Train anew on an arm, and label the test sentences."""
        lessons, workers = TrainingExamples.of(arm)
        schedule = TrainingSchedule(self.network.epochs, self.network.patience)
        train, test, front, width = self.texts
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            tagger = tagger_of(self.network.kind, width, self.codes, workers)
            tagger.front = front()
            torch.manual_seed(seed)
            epochs = fit(tagger, train, lessons, seed, schedule)
        return Trained(tag(tagger, test), epochs)
