"""Preference pairs for training: a prompt with the response that won and the one that lost."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from spancrew.core import Dataset, Kind, winner
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._json import (
    first_fields,
    identifier,
    json_lines,
    json_list,
    need,
    shown,
    want,
    write_json_lines,
)
from spancrew.formats._sheets import QUESTION, RESPONSES, SheetIntake, body_of, spoken
from spancrew.formats._text import head

_ASSISTANT = "\n\nAssistant:"
_STATED = ("confidence", "votes", "answers", "by", "margin")
"""What is said of a final preference beside the pair."""


class PreferencePair(NamedTuple):
    """A prompt, the response that won, the one that lost, and whatever else the record has.

    Each text is a string, or a list of messages with ``role`` and ``content``.
    """

    prompt: Any
    chosen: Any
    rejected: Any
    meta: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PairFormat:
    """JSON lines with a preference pair each; reading, the one that won is gold.

    Which of the two is response A is drawn by their texts, so that gold is not always A. Written
    are pairs whose first question has a winner: by final labels, else by gold.
    """

    name: str
    suffixes: tuple[str, ...]
    fields: frozenset[str]
    pair_of: Callable[[dict[str, Any], Place], PreferencePair]
    record_of: Callable[[PreferencePair], dict[str, Any]]
    finals: str = "own"
    kinds: tuple[Kind, ...] = ("choices",)

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether the first record has the fields of the format."""
        return path.is_file() and self.fields <= first_fields(head)

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read pair by pair."""
        sheets = SheetIntake(options, scale=RESPONSES[:2])
        for number, (place, record) in enumerate(json_records(path, options), start=1):
            if not isinstance(record, dict):
                raise FormatError.expected(place, shown(record), "an object with a pair")
            _take(self.pair_of(record, place), number, sheets, place)
        return sheets.finish(Place(str(path)))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write the pairs that have a winner; report the others and the answers."""
        pairs = list(_pairs(dataset))
        write_json_lines(path, (self.record_of(pair) for pair in pairs))
        losses = (
            _losses.Loss(
                len(dataset) - len(pairs), "sentence without a winner of two responses", _ONLY
            ),
            _losses.Loss(len(dataset.answers), "answer", f"{self.name} holds pairs only"),
        )
        return _losses.report(losses, path)


_ONLY = "there is no pair to train on"


def json_records(path: Path, options: ReadOptions) -> Iterator[tuple[Place, Any]]:
    """Yield records, one on each line or in a list."""
    is_list = head(path).lstrip().startswith("[")
    return (json_list if is_list else json_lines)(path, options.progress)


def _take(pair: PreferencePair, number: int, sheets: SheetIntake, place: Place) -> None:
    both = [pair.chosen, pair.rejected]
    is_first = crc32("\0".join(map(spoken, both)).encode()) % 2 == 0
    responses = both if is_first else both[::-1]
    meta = {"prompt": pair.prompt, "responses": responses, **pair.meta}
    id_ = identifier(meta.pop("id", None)) or str(number)
    sheets.add_sheet(id_, body_of(pair.prompt, responses), meta, place)
    sheets.choose(id_, None, QUESTION, "A" if is_first else "B", place)


def _pairs(dataset: Dataset) -> Iterator[PreferencePair]:
    for position, sentence in enumerate(dataset.sentences):
        responses = sentence.meta.get("responses")
        final = dataset.final(position)
        spans = final.labels if final and final.labels else dataset.gold_spans(position)
        won = winner(spans[0].label, dataset.labels) if spans else None
        if won is None or not isinstance(responses, list) or len(responses) != 2:
            continue
        meta: dict[str, Any] = {"id": sentence.id}
        meta |= {k: v for k, v in sentence.meta.items() if k not in {"prompt", "responses"}}
        if final and final.spans:
            first = final.spans[0]
            stated = (first.confidence, first.votes, final.answers, final.by)
            meta |= dict(zip(_STATED, (*stated, _margin(dataset, position, won)), strict=True))
        yield PreferencePair(
            sentence.meta.get("prompt", ""), responses[won], responses[1 - won], meta
        )


def _margin(dataset: Dataset, position: int, won: int) -> float | None:
    """Return the votes for the winner less those for the other, as a share; None without any."""
    voted = [winner(each.spans[0].label, dataset.labels) for each in dataset.answers_on(position)]
    if not voted:
        return None
    return round((voted.count(won) - voted.count(1 - won)) / len(voted), 6)


def trl() -> PairFormat:
    """Return the preference columns of TRL: ``prompt``, ``chosen`` and ``rejected``.

    Texts or conversations; without a prompt, what both begin with is the prompt.
    """
    return PairFormat(
        "trl", (".trl.jsonl",), frozenset({"chosen", "rejected"}), _trl_pair, _trl_record
    )


def _trl_pair(record: dict[str, Any], place: Place) -> PreferencePair:
    chosen, rejected = (_speech(record, name, place) for name in ("chosen", "rejected"))
    meta = {k: v for k, v in record.items() if k not in {"prompt", "chosen", "rejected"}}
    if "prompt" in record:
        return PreferencePair(_speech(record, "prompt", place), chosen, rejected, meta)
    if type(chosen) is not type(rejected):
        raise FormatError.expected(place, "a text and a conversation", "two of the same kind")
    shared = _shared(chosen, rejected)
    return PreferencePair(chosen[:shared], chosen[shared:], rejected[shared:], meta)


def _shared(one: Any, other: Any) -> int:
    """Return how much of two texts or conversations is the prompt that both begin with."""
    same = 0
    while same < min(len(one), len(other)) - 1 and one[same] == other[same]:
        same += 1
    if isinstance(one, str):
        turn = one.rfind(_ASSISTANT, 0, same)
        return turn + len(_ASSISTANT) if turn >= 0 else 0
    return same


def _trl_record(pair: PreferencePair) -> dict[str, Any]:
    return {**pair.meta, "prompt": pair.prompt, "chosen": pair.chosen, "rejected": pair.rejected}


def openai() -> PairFormat:
    """Return OpenAI's records for preference fine-tuning, as others take them, too."""
    fields = frozenset({"input", "preferred_output", "non_preferred_output"})
    return PairFormat("openai", (".openai.jsonl",), fields, _openai_pair, _openai_record)


def _openai_pair(record: dict[str, Any], place: Place) -> PreferencePair:
    given = need(record, "input", dict, place)
    meta = {k: v for k, v in record.items() if k not in openai().fields}
    rest = {k: v for k, v in given.items() if k != "messages"}
    return PreferencePair(
        need(given, "messages", list, place),
        need(record, "preferred_output", list, place),
        need(record, "non_preferred_output", list, place),
        meta | ({"input": rest} if rest else {}),
    )


def _openai_record(pair: PreferencePair) -> dict[str, Any]:
    meta = dict(pair.meta)
    given = {"messages": _messages(pair.prompt, "user"), **meta.pop("input", {})}
    return {
        **meta,
        "input": given,
        "preferred_output": _messages(pair.chosen, "assistant"),
        "non_preferred_output": _messages(pair.rejected, "assistant"),
    }


def _messages(text: Any, role: str) -> list[Any]:
    return [{"role": role, "content": text}] if isinstance(text, str) else list(text)


def _speech(record: dict[str, Any], field: str, place: Place) -> Any:
    """Return a text, or a list of messages."""
    value = need(record, field, object, place)
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        for message in value:
            want(message, "role", str, place)
        return value
    raise FormatError.expected(
        place, f"field {field!r}: {shown(value)}", "a text or a list of messages"
    )
