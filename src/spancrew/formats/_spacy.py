"""spaCy's DocBin: one Doc per sentence, gold as its entities."""

import json
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

from spancrew.core import Dataset, Sentence, Span
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._base import Reading, ReadOptions, Repair, package
from spancrew.formats._intake import Intake, at
from spancrew.formats._json import checked, identifier, parse_json, want
from spancrew.formats._running_text import bounds_in, span_at
from spancrew.formats._soft import FIELD, SoftLabels, is_ours, soft_record
from spancrew.formats._spancrew import answer_from, records

_OURS = "spancrew"


class SpacyDocBin:
    """A ``.spacy`` file, ready for ``spacy train``.

    A Doc without entity annotation has no gold; one annotated with no entities has empty gold.
    What spaCy has no place for goes to ``doc.user_data``: the id of the sentence under ``"id"``,
    its answers and meta as JSON under ``"spancrew"``. White space is no token of ours.
    """

    name = "spacy"
    suffixes = (".spacy",)
    finals = "meta"

    def recognises(self, path: Path, head: str) -> bool:  # noqa: ARG002  the file is binary
        """Tell whether this is compressed data under the right name."""
        return path.suffix == ".spacy" and path.is_file() and _is_compressed(path)

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read all Docs."""
        place = Place(str(path))
        intake = Intake(options)
        passed_over: Counter[str] = Counter()
        for number, doc in enumerate(_docs(path, place), 1):
            _take(doc, number, intake, place)
            passed_over.update(_passed_over(doc))
        intake.skip(passed_over, place)
        return intake.finish(place)

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write all sentences, with the user data that keeps the answers."""
        return self.write_soft(dataset, path, None)

    def write_soft(
        self, dataset: Dataset, path: Path, soft: SoftLabels | None
    ) -> tuple[Repair, ...]:
        """Write soft labels to ``doc.user_data["soft"]``: tags, and a list for each token."""
        spacy = package("spacy", self.name)
        vocab = spacy.vocab.Vocab()
        bin_ = spacy.tokens.DocBin(attrs=["ENT_IOB", "ENT_TYPE"], store_user_data=True)
        extras = records(dataset)
        next(extras)  # the header
        for position, (sentence, record) in enumerate(zip(dataset.sentences, extras, strict=True)):
            words, spaces = _words(sentence)
            doc = spacy.tokens.Doc(vocab, words=words, spaces=spaces)
            _set_gold(doc, sentence, dataset.gold_spans(position))
            doc.user_data.update({"id": sentence.id} | _user_data(sentence, record))
            if soft is not None:
                rows = _by_word(doc, sentence, soft.of_sentence(position))
                doc.user_data[FIELD] = soft_record(soft, rows)
            bin_.add(doc)
        path.write_bytes(bin_.to_bytes())
        return _losses.report(_losses.unused(dataset, self.name), path)


def _is_compressed(path: Path) -> bool:
    """Tell whether a file begins as zlib data does: method 8 and a sum divisible by 31."""
    with path.open("rb") as file:
        start = file.read(2)
    return len(start) == 2 and start[0] & 15 == 8 and int.from_bytes(start, "big") % 31 == 0


def _docs(path: Path, place: Place) -> list[Any]:
    spacy = package("spacy", SpacyDocBin.name)
    if path.is_dir():
        raise FormatError.expected(place, "a folder", "a file")
    try:
        zlib.decompress(path.read_bytes())
        return list(spacy.tokens.DocBin().from_disk(path).get_docs(spacy.vocab.Vocab()))
    except (zlib.error, ValueError, LookupError, TypeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FormatError.expected(
            place, f"data that spaCy cannot read ({reason})", "a whole file written by DocBin"
        ) from None


def _take(doc: Any, number: int, intake: Intake, place: Place) -> None:
    id_ = identifier(doc.user_data.get("id")) or str(number)
    ours = _ours(doc, place)
    sentence = _sentence(id_, doc, ours, place)
    intake.add_sentence(sentence, place)
    if doc.has_annotation("ENT_IOB"):
        gold = [
            span_at(sentence, (ent.start_char, ent.end_char), ent.label_, intake, place)
            for ent in doc.ents
        ]
        intake.add_gold(id_, gold, place)
        if not doc.has_annotation("ENT_IOB", require_complete=True):
            what = f"sentence {id_!r}: tokens without annotation were read as outside any span"
            intake.repair("partial", place, what)
    for given in want(ours, "answers", list, place) or ():
        intake.add_answer(answer_from(id_, given, place), place)


def _ours(doc: Any, place: Place) -> dict[str, Any]:
    given = doc.user_data.get(_OURS, "{}")
    found = parse_json(checked(given, str, f"user data {_OURS!r}", place), place)
    ours: dict[str, Any] = checked(found, dict, f"user data {_OURS!r}", place)
    return ours


def _sentence(id_: str, doc: Any, ours: dict[str, Any], place: Place) -> Sentence:
    meta = {name: value for name, value in doc.user_data.items() if _is_meta(name, value)}
    meta |= want(ours, "meta", dict, place) or {}
    found = [(t.idx, t.idx + len(t.text)) for t in doc if not t.text.isspace()]
    bounds = bounds_in(ours.get("bounds")) or tuple(found)
    return at(place, lambda: Sentence(id_, doc.text, bounds, meta))


def _is_meta(name: Any, value: Any) -> bool:
    """Tell user data that is provenance from spaCy's own, which has tuples for names."""
    return (
        isinstance(name, str)
        and name not in {"id", _OURS}
        and isinstance(value, str | int | float | bool)
    )


def _passed_over(doc: Any) -> dict[str, int]:
    others = [n for n, v in doc.user_data.items() if n not in {"id", _OURS} and not _is_meta(n, v)]
    others = [name for name in others if not (name == FIELD and is_ours(doc.user_data[name]))]
    return {
        "span groups": len(doc.spans),
        "categories": len(doc.cats),
        "other user data": len(others),
    }


def _words(sentence: Sentence) -> tuple[list[str], list[bool]]:
    """Return words and whether a blank follows each; other text between tokens is a word, too."""
    words: list[str] = []
    spaces: list[bool] = []
    done = 0
    length = len(sentence.text)
    for start, end in (*sentence.bounds, (length, length)):
        between = sentence.text[done:start]
        if words and between.startswith(" "):
            spaces[-1] = True
            between = between[1:]
        new = [word for word in (between, sentence.text[start:end]) if word]
        words.extend(new)
        spaces.extend(False for _ in new)
        done = end
    return words, spaces


def _set_gold(doc: Any, sentence: Sentence, gold: tuple[Span, ...] | None) -> None:
    if gold is not None:
        ents = [doc.char_span(*sentence.characters(span), label=span.label) for span in gold]
        doc.set_ents(ents, default="outside")


def _by_word(doc: Any, sentence: Sentence, rows: list[list[float]]) -> list[list[float]]:
    """Return rows for the words of a Doc; one that is no token of ours is outside any span."""
    place = {start: k for k, (start, _) in enumerate(sentence.bounds)}
    outside = [1.0, *(0.0 for _ in rows[0][1:])]
    return [rows[place[word.idx]] if word.idx in place else outside for word in doc]


def _user_data(sentence: Sentence, record: dict[str, Any]) -> dict[str, str]:
    """Return what spaCy has no place for; token borders only where words do not give them."""
    ours: dict[str, Any] = {k: record[k] for k in ("answers", "meta") if k in record}
    words, _ = _words(sentence)
    if tuple(word for word in words if not word.isspace()) != sentence.tokens:
        ours["bounds"] = [list(bound) for bound in sentence.bounds]
    return {_OURS: json.dumps(ours, ensure_ascii=False)} if ours else {}
