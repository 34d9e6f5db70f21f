"""A spaCy pipeline with an entity recogniser as a model."""

from collections.abc import Sequence
from typing import Any

from spancrew.calling import needed
from spancrew.core import Sentence
from spancrew.errors import SpancrewError
from spancrew.members._base import GivenSpan, Member, Reply
from spancrew.members._checking import in_tokens
from spancrew.members._settings import MemberSettings


class SpacyMember(Member):
    """A pipeline by its folder or the name of its package; it cuts texts into its own tokens."""

    def __init__(self, which: str, settings: MemberSettings) -> None:
        self._pipeline = _loaded(which)
        meta = self._pipeline.meta
        self.name = settings.name or f"{meta['lang']}_{meta['name']}"
        self.version = str(meta.get("version", ""))
        self.price = settings.price
        self.at_once = settings.at_once or 64

    def answer(self, sentences: Sequence[Sentence], labels: Sequence[str]) -> Sequence[Reply]:  # noqa: ARG002  a pipeline knows its own
        """Return the entities, widened to whole tokens of ours."""
        docs = self._pipeline.pipe(each.text for each in sentences)
        return [_reply(sentence, doc) for sentence, doc in zip(sentences, docs, strict=True)]


def _reply(sentence: Sentence, doc: Any) -> Reply:
    spans = (GivenSpan(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents)
    return Reply(tuple(in_tokens(sentence, each) for each in spans))


def _loaded(which: str) -> Any:
    spacy = needed("spacy", "spacy")
    try:
        pipeline = spacy.load(which)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise SpancrewError(f"spaCy cannot load {which!r}: {reason}") from None
    if not {"ner", "entity_ruler"} & set(pipeline.pipe_names):
        raise SpancrewError(
            f"the pipeline {which!r} finds no entities: it has {', '.join(pipeline.pipe_names)}"
        )
    return pipeline
