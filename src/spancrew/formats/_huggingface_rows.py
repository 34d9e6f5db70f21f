"""Read the rows of a Hugging Face table, ours or one in the common layout."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from spancrew.core import (
    Answer,
    Final,
    LabelSet,
    Scheme,
    Sentence,
    Span,
    detect_scheme,
    parse_tag,
)
from spancrew.errors import FormatError, Place
from spancrew.formats._final_place import FIELD, final_from
from spancrew.formats._huggingface_columns import HuggingFaceLayout
from spancrew.formats._intake import Intake, at
from spancrew.formats._json import checked, identifier, need, parse_json, shown, want

_BATCH = 1000


@dataclass(frozen=True, slots=True)
class RowsReader:
    """The rows of one table."""

    table: Any
    layout: HuggingFaceLayout
    intake: Intake
    place: Place

    def declare(self) -> None:
        """Declare the labels and workers that the types of the columns name."""
        if self.layout.tag_names is not None:
            names = self.layout.tag_names
            tags = at(self.place, lambda: [parse_tag(name) for name in names])
            labels = tuple(dict.fromkeys(label for _, label in tags if label))
            self.intake.declare(at(self.place, lambda: LabelSet(labels)), self.place)
        for worker in self.layout.worker_names or ():
            self.intake.add_worker(worker)

    def take(self, prefix: str, split: str) -> None:
        """Take every row in; ids get the prefix and sentences the name of the split."""
        scheme = at(self.place, lambda: detect_scheme(self._all_tags()))
        for name in self.layout.left_out:
            self.intake.repair("column", self.place, f"column {name!r} was left out")
        for number, row in enumerate(self._rows(), 1):
            id_ = prefix + (identifier(row.get("id")) or str(number))
            sentence = self._sentence(id_, row, {"split": split} if split else {})
            self.intake.add_sentence(sentence, self.place, self._gold(sentence, row, scheme))
            for given in want(row, "answers", list, self.place) or ():
                self.intake.add_answer(self._answer(sentence, given, scheme), self.place)
            if self.layout.final_tag_names is not None and row[FIELD] is not None:
                self.intake.add_final(id_, self._final(sentence, row[FIELD]), self.place)

    def _rows(self) -> Iterator[dict[str, Any]]:
        for batch in self.table.iter(batch_size=_BATCH):
            for values in zip(*batch.values(), strict=True):
                yield dict(zip(batch, values, strict=True))

    def _all_tags(self) -> Iterator[list[str]]:
        """Yield the tags of gold and answers, in which the scheme shows."""
        for row in self._rows():
            gold = self._gold_tags(row)
            if gold is not None:
                yield gold
            for answer in want(row, "answers", list, self.place) or ():
                tags = need(answer, "tags", list, self.place)
                yield self._as_text(tags, self.layout.answer_tag_names)

    def _sentence(self, id_: str, row: dict[str, Any], meta: dict[str, Any]) -> Sentence:
        meta = self._meta(row) | meta
        where = f"a token of sentence {id_!r}"
        given = need(row, "tokens", list, self.place)
        tokens = [checked(token, str, where, self.place) for token in given]
        text, starts = (row.get(name) for name in ("text", "starts"))
        if text is None or starts is None:
            return at(self.place, lambda: Sentence.from_tokens(id_, tokens, meta))
        pairs = zip(starts, tokens, strict=False)
        bounds = tuple((start, start + len(token)) for start, token in pairs)
        sentence = at(self.place, lambda: Sentence(id_, text, bounds, meta))
        if list(sentence.tokens) != tokens:
            raise FormatError(
                self.place, f"sentence {id_!r}: 'tokens' and 'starts' do not fit its 'text'"
            )
        return sentence

    def _meta(self, row: dict[str, Any]) -> dict[str, Any]:
        columns = self.layout.meta_columns
        meta = {name: row[name] for name in columns if row[name] is not None}
        given = want(row, "meta", str, self.place)
        if given is None:
            return meta
        ours: dict[str, Any] = checked(
            parse_json(given, self.place), dict, "column 'meta'", self.place
        )
        return meta | ours

    def _gold_tags(self, row: dict[str, Any]) -> list[str] | None:
        column = self.layout.tag_column
        tags = None if column is None else want(row, column, list, self.place)
        return None if tags is None else self._as_text(tags, self.layout.tag_names)

    def _gold(
        self, sentence: Sentence, row: dict[str, Any], scheme: Scheme
    ) -> tuple[Span, ...] | None:
        tags = self._gold_tags(row)
        if tags is None:
            return None
        return self._spans(tags, scheme, sentence, f"gold of sentence {sentence.id!r}")

    def _answer(self, sentence: Sentence, given: Any, scheme: Scheme) -> Answer:
        worker = need(given, "worker", object, self.place)
        if self.layout.worker_names is not None:
            worker = self._named(worker, self.layout.worker_names, "a worker")
        tags = self._as_text(need(given, "tags", list, self.place), self.layout.answer_tag_names)
        where = f"sentence {sentence.id!r}, worker {shown(worker)}"
        return Answer(
            sentence=sentence.id,
            worker=checked(worker, str, "a worker", self.place),
            spans=self._spans(tags, scheme, sentence, where),
            seconds=want(given, "seconds", float, self.place),
            at=want(given, "at", float, self.place),
            source=want(given, "source", str, self.place),
        )

    def _final(self, sentence: Sentence, given: dict[str, Any]) -> Final:
        where = f"final labels of sentence {sentence.id!r}"
        tags = self._as_text(need(given, "tags", list, self.place), self.layout.final_tag_names)
        labels = self._spans(tags, "iob2", sentence, where)
        details = need(given, "spans", list, self.place)
        if len(details) != len(labels):
            found = f"{where}: {len(details)} entries in 'spans'"
            raise FormatError.expected(self.place, found, f"one for each of {len(labels)} spans")
        return final_from(given, labels, self.place)

    def _spans(
        self, tags: list[str], scheme: Scheme, sentence: Sentence, where: str
    ) -> tuple[Span, ...]:
        if len(tags) != len(sentence):
            raise FormatError.expected(
                self.place, f"{len(tags)} tags ({where})", f"{len(sentence)}, one for each token"
            )
        return self.intake.spans(tags, scheme, [self.place] * len(tags), where)

    def _as_text(self, values: list[Any], names: Sequence[str] | None) -> list[str]:
        if names is None:
            return [checked(value, str, "a tag", self.place) for value in values]
        return [self._named(value, names, "a tag") for value in values]

    def _named(self, value: Any, names: Sequence[str], what: str) -> str:
        if not isinstance(value, int) or not 0 <= value < len(names):
            raise FormatError.expected(
                self.place, f"{what}: {shown(value)}", f"a number from 0 to {len(names) - 1}"
            )
        return names[value]
