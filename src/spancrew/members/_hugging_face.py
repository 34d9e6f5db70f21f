"""A token classifier of transformers as a model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from spancrew.calling import needed
from spancrew.core import Sentence
from spancrew.errors import SpancrewError
from spancrew.members._base import GivenSpan, Member, Reply
from spancrew.members._checking import in_tokens
from spancrew.members._settings import MemberSettings


class HuggingFaceMember(Member):
    """A folder with a trained model and its tokeniser; nothing is loaded from elsewhere."""

    def __init__(self, which: str, settings: MemberSettings) -> None:
        self._classify = _loaded(Path(which))
        self.name = settings.name or Path(which).resolve().name
        self.price = settings.price
        self.at_once = settings.at_once or 16

    def answer(self, sentences: Sequence[Sentence], labels: Sequence[str]) -> Sequence[Reply]:  # noqa: ARG002  a classifier knows its own
        """Return the groups of word pieces with their scores, widened to whole tokens."""
        found = self._classify([each.text for each in sentences])
        return [
            _reply(sentence, groups) for sentence, groups in zip(sentences, found, strict=True)
        ]


def _reply(sentence: Sentence, groups: Sequence[dict[str, Any]]) -> Reply:
    spans = (
        GivenSpan(each["start"], each["end"], each["entity_group"], float(each["score"]))
        for each in groups
    )
    return Reply(tuple(in_tokens(sentence, each) for each in spans))


def _loaded(folder: Path) -> Any:
    needed("torch", "hf")
    transformers = needed("transformers", "hf")
    if not (folder / "config.json").is_file():
        raise SpancrewError(f"{folder} is no folder with a model: there is no config.json in it")
    try:
        return transformers.pipeline(
            "token-classification", model=str(folder), aggregation_strategy="simple"
        )
    except (OSError, ValueError) as error:
        raise SpancrewError(f"transformers cannot load {folder}: {error}") from None
