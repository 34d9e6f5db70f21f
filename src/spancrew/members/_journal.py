"""What was asked, paid and answered, in a file that survives a crash.

Every request is noted before it is sent, with the most that it can cost, and again when its reply
is there. So nothing is asked twice of which the reply arrived, and the money that was spent is
known, or at least the most that it can be.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, Self

from spancrew.core import Sentence, Span
from spancrew.errors import MemberError, MoneyError, StoreError
from spancrew.members._checking import Checked, SureSpan
from spancrew.stores import EntryFile

_SLACK = 1e-9
"""Sums of prices are not exact; a cap is not missed by as little as this."""


class KeptAnswer(NamedTuple):
    """What is known of a sentence that was asked about; no spans (None) if it got no answer."""

    checked: Checked
    seconds: float | None


class AnswerJournal:
    """The answers of one model, and the money for them.

    Without a ``path`` nothing is kept. ``most_money`` is never exceeded, earlier runs with the
    same file included: a request that got lost counts with the most that it can have cost.
    """

    def __init__(self, path: str | Path | None = None, most_money: float | None = None) -> None:
        self._most_money = most_money
        self._lock = Lock()
        self._begun: dict[str, Any] | None = None
        self._answers: dict[str, KeptAnswer] = {}
        self._replies: dict[str, Any] = {}
        self._failures: dict[str, int] = {}
        self._pending: dict[str, float] = {}
        self._spent = 0.0
        self._is_stopped = False
        self._entries = None if path is None else EntryFile(path, "journal of answers", "annotate")
        try:
            for entry in self._entries or ():
                self._apply(entry)
        except BaseException:
            self.close()
            raise

    @property
    def spent(self) -> float:
        """Return what was spent; of requests without a reply, the most that it can be."""
        return self._spent + sum(self._pending.values())

    @property
    def has_cap(self) -> bool:
        """Tell whether there is a limit on the money."""
        return self._most_money is not None

    def begin(
        self,
        name: str,
        version: str,
        labels: Sequence[str],
        renamed: Mapping[str, str] | None = None,
    ) -> None:
        """Note who is asked for what; refuse a file with answers to something else."""
        asked = {
            "member": name,
            "version": version,
            "labels": list(labels),
            "renamed": dict(renamed or {}),
        }
        if self._begun is None:
            self._add({"entry": "begun", **asked})
        for field, now in asked.items():
            before = (self._begun or asked)[field]
            if before != now and self._entries is not None:
                raise StoreError(
                    f"{self._entries.path} keeps answers that were asked for in another way: "
                    f"{field} was {before!r} and is {now!r}; keep these answers in another file"
                )

    def answer(self, sentence: Sentence) -> KeptAnswer | None:
        """Return the answer on a sentence; None if it is still to be asked about."""
        return self._answers.get(_digest(sentence))

    def note(self, answers: Iterable[tuple[Sentence, KeptAnswer]]) -> None:
        """Keep the answers on some sentences."""
        self._add(*(_entry(sentence, answer) for sentence, answer in answers))

    def reply(self, key: str) -> Any:
        """Return the reply to a request; None if there is none yet."""
        return self._replies.get(key)

    def failures(self, key: str) -> int:
        """Return how often a request has failed for sure."""
        return self._failures.get(key, 0)

    def send(self, key: str, most: float) -> None:
        """Note that a request is about to be sent; refuse one that might exceed the cap."""
        with self._lock:
            if self._is_stopped:
                raise MemberError("no more requests are sent")
            cap = self._most_money
            if cap is not None and self.spent + most > cap + _SLACK:
                raise MoneyError(
                    f"the next request may cost {most:.6g}, and {self.spent:.6g} of {cap:.6g} is "
                    "spent"
                )
            self._write({"entry": "sent", "key": key, "most": most})

    def settle(self, key: str, price: float, reply: Any = None) -> None:
        """Note what a request cost, and its reply; without one it has failed."""
        self._add({"entry": "settled", "key": key, "price": price, "reply": reply})

    def stop(self) -> None:
        """Refuse all requests from now on."""
        self._is_stopped = True

    def _add(self, *entries: dict[str, Any]) -> None:
        with self._lock:
            self._write(*entries)

    def _write(self, *entries: dict[str, Any]) -> None:
        if self._entries is not None:
            self._entries.add(*entries)
        for entry in entries:
            self._apply(entry)

    def _apply(self, entry: dict[str, Any]) -> None:
        match entry:
            case {"entry": "begun"}:
                self._begun = entry
            case {"entry": "sent", "key": key, "most": most}:
                # One that was under way when an earlier run was killed may have cost all of it.
                self._spent += self._pending.pop(key, 0.0)
                self._pending[key] = most
            case {"entry": "settled", "key": key, "price": price, "reply": reply}:
                self._pending.pop(key, None)
                self._spent += price
                if reply is None:
                    self._failures[key] = self.failures(key) + 1
                else:
                    self._replies[key] = reply
            case {"entry": "answered"}:
                self._answers[entry["key"]] = _kept_answer(entry)
            case _:
                if self._entries is not None:
                    raise self._entries.unknown(entry)

    def close(self) -> None:
        """Let others open the file."""
        if self._entries is not None:
            self._entries.close()

    def __enter__(self) -> Self:
        """Return the journal itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()


def _digest(sentence: Sentence) -> str:
    """Return what tells a sentence from all others: its id, text and tokens."""
    whole = repr((sentence.id, sentence.text, sentence.bounds))
    return sha256(whole.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def _entry(sentence: Sentence, answer: KeptAnswer) -> dict[str, Any]:
    spans = answer.checked.spans
    return {
        "entry": "answered",
        "sentence": sentence.id,
        "key": _digest(sentence),
        "spans": None if spans is None else [_row(each) for each in spans],
        "faults": dict(answer.checked.faults),
        "seconds": answer.seconds,
    }


def _row(each: SureSpan) -> tuple[int, int, str, float | None]:
    return each.span.start, each.span.end, each.span.label, each.confidence


def _kept_answer(entry: dict[str, Any]) -> KeptAnswer:
    rows = entry["spans"]
    spans = None if rows is None else tuple(SureSpan(Span(*row[:3]), row[3]) for row in rows)
    return KeptAnswer(Checked(spans, Counter(entry["faults"])), entry["seconds"])
