"""Let a model answer the sentences of a data set."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from traceback import extract_tb

from spancrew.core import MODEL_PREFIX, Answer, Dataset, DatasetBuilder, Sentence
from spancrew.errors import MoneyError, SpancrewError, StoreError
from spancrew.members._base import Member, Reply
from spancrew.members._checking import Checked, checked, surer
from spancrew.members._journal import AnswerJournal, KeptAnswer

_MOST_FAILURES = 3
"""Calls in a row that may fail before a model counts as gone."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Annotation:
    """A data set with the answers of a model, and what became of all sentences.

    ``answered`` sentences have an answer of the model, ``earlier`` of them from an earlier run.
    ``unusable`` ones were asked about in vain, ``open`` ones were not, or the model failed.
    ``faults`` counts by kind what was left out. ``stopped`` says why the model was not asked to
    the end, or what went wrong last.
    """

    dataset: Dataset
    worker: str
    sentences: int
    answered: int
    earlier: int
    unusable: int
    spans: int
    faults: Mapping[str, int]
    spent: float
    seconds: float | None
    stopped: str | None
    answers: Mapping[str, Checked] = field(repr=False)

    @property
    def open(self) -> int:
        """Return how many sentences are still to be asked about."""
        return self.sentences - self.answered - self.unusable


def annotate(
    dataset: Dataset,
    member: Member,
    journal: AnswerJournal | None = None,
    *,
    renamed: Mapping[str, str] | None = None,
    least: float = 0.0,
    progress: Progress | None = None,
) -> Annotation:
    """Add the answers of a model as those of the worker ``model:NAME``.

    Sentences that this worker has answered in the data set or in the journal are not asked about
    again. What does not fit is counted and left out. A model that fails loses nothing that it has
    answered: the annotation has it, and says what is missing.
    """
    kept = _journal(member, journal)
    worker = worker_of(member)
    sentences = open_sentences(dataset, member)
    kept.begin(member.name, member.version, dataset.labels.names, renamed)
    todo = [each for each in sentences if kept.answer(each) is None]
    asking = _Asking(member, dataset.labels.names, kept, renamed or {}, progress)
    asking.ask_about(todo)
    found = {each.id: answer for each in sentences if (answer := kept.answer(each)) is not None}
    sure = {id_: surer(answer.checked, least) for id_, answer in found.items()}
    used = {id_: each for id_, each in sure.items() if each.spans is not None}
    new = [_answer(id_, worker, each, found[id_].seconds) for id_, each in used.items()]
    times = [each.seconds for each in new if each.seconds is not None]
    return Annotation(
        dataset=_joined(dataset, worker, new),
        worker=worker,
        sentences=len(sentences),
        answered=len(used),
        earlier=len(sentences) - len(todo),
        unusable=len(sure) - len(used),
        spans=sum(len(each.spans) for each in new),
        faults=sum((each.faults for each in sure.values()), Counter()),
        spent=kept.spent,
        seconds=sum(times) / len(times) if times else None,
        stopped=asking.problem,
        answers=used,
    )


def ask_about(
    sentences: Sequence[Sentence],
    member: Member,
    labels: Sequence[str],
    journal: AnswerJournal,
    renamed: Mapping[str, str] | None = None,
) -> str | None:
    """Ask a model about the sentences of which the journal has no answer.

    The journal has the answers then; return what went wrong last, None if nothing did.
    """
    asking = _Asking(member, labels, journal, renamed or {}, None)
    asking.ask_about([each for each in sentences if journal.answer(each) is None])
    return asking.problem


def _journal(member: Member, journal: AnswerJournal | None) -> AnswerJournal:
    """Return the one journal for answers and money."""
    if journal is not None and member.journal not in {None, journal}:
        raise SpancrewError(
            f"{member.name} notes what it costs in another journal: give its settings this one"
        )
    return journal or member.journal or AnswerJournal()


def worker_of(member: Member) -> str:
    """Return the worker that a model is in a data set; refuse a name that is blank."""
    if not member.name.strip():
        raise SpancrewError("a model needs a name, which makes it the worker model:NAME")
    return MODEL_PREFIX + member.name


def open_sentences(dataset: Dataset, member: Member) -> list[Sentence]:
    """Return the sentences that a model has not answered in the data set itself."""
    if not len(dataset.labels):
        raise SpancrewError(
            "there are no labels that a model could be asked for: declare them when you read the "
            "data"
        )
    worker = worker_of(member)
    done: set[int] = set()
    if worker in dataset.workers:
        number = dataset.workers.index(worker)
        done = set(dataset.answers.sentence[dataset.answers.worker == number].tolist())
    return [each for k, each in enumerate(dataset.sentences) if k not in done]


class _Asking:
    """Asks a model in batches, some at the same time; ``problem`` says what went wrong last."""

    def __init__(
        self,
        member: Member,
        labels: Sequence[str],
        journal: AnswerJournal,
        renamed: Mapping[str, str],
        progress: Progress | None,
    ) -> None:
        self._member, self._labels, self._journal = member, labels, journal
        self._renamed, self._progress = renamed, progress
        self._lock = Lock()
        self._failures = self._done = self._total = 0
        self._is_over = False
        self.problem: str | None = None

    def ask_about(self, sentences: Sequence[Sentence]) -> None:
        """Ask until every sentence has a reply, or the model or the money is at its end."""
        self._total = len(sentences)
        running: set[Future[None]] = set()
        with ThreadPoolExecutor(self._member.in_parallel) as pool:
            try:
                for batch in self._batches(sentences):
                    if len(running) >= self._member.in_parallel:
                        running = _without_finished(running)
                    if self._is_over:
                        break
                    running.add(pool.submit(self._ask, batch))
                while running:
                    running = _without_finished(running)
            except BaseException:
                self._journal.stop()
                raise

    def _batches(self, sentences: Sequence[Sentence]) -> Iterator[Sequence[Sentence]]:
        size = self._member.at_once
        return (sentences[k : k + size] for k in range(0, len(sentences), size))

    def _ask(self, batch: Sequence[Sentence]) -> None:
        start = time.perf_counter()
        try:
            replies = self._paid_replies(batch)
        except StoreError:
            raise
        except MoneyError as error:
            self.problem, self._is_over = str(error), True
            return
        except Exception as error:  # noqa: BLE001  a model is somebody else's program
            self._fail(error)
            return
        seconds = (time.perf_counter() - start) / len(batch)
        pairs = zip(batch, replies, strict=True)
        self._journal.note((each, self._kept(each, reply, seconds)) for each, reply in pairs)
        with self._lock:
            self._failures = 0
            self._done += len(batch)
            if self._progress is not None:
                self._progress(self._done, self._total)

    def _kept(self, sentence: Sentence, reply: Reply, seconds: float) -> KeptAnswer:
        found = checked(reply, sentence, self._labels, self._renamed)
        return KeptAnswer(found, seconds if reply.seconds is None else reply.seconds)

    def _paid_replies(self, batch: Sequence[Sentence]) -> Sequence[Reply]:
        """Return as many replies as there are sentences, none of them of use if they are not."""
        price = 0.0 if self._member.journal is not None else self._member.price
        key = f"{batch[0].id} and {len(batch) - 1} more"
        if price:
            self._journal.send(key, price * len(batch))
        replies = list(self._member.answer(batch, self._labels))
        if price:
            self._journal.settle(key, price * len(batch), reply=len(replies))
        if len(replies) != len(batch):
            return [Reply(None, {"count": 1}) for _ in batch]
        return replies

    def _fail(self, error: Exception) -> None:
        said = str(error) if isinstance(error, SpancrewError) else _where(error)
        with self._lock:
            self._failures += 1
            self.problem = said
            self._is_over = self._is_over or self._failures >= _MOST_FAILURES


def _where(error: Exception) -> str:
    """Say what somebody else's program raised, and at which line."""
    last = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"


def _without_finished(running: set[Future[None]]) -> set[Future[None]]:
    """Wait until a call has ended, and return those that run on."""
    done, rest = wait(running, return_when=FIRST_COMPLETED)
    for each in done:
        each.result()
    return rest


def _answer(sentence: str, worker: str, found: Checked, seconds: float | None) -> Answer:
    spans = tuple(each.span for each in found.spans or ())
    return Answer(sentence, worker, spans, seconds=seconds)


def _joined(dataset: Dataset, worker: str, new: Sequence[Answer]) -> Dataset:
    """Return the data set with one more worker, and everything that was there."""
    builder = DatasetBuilder(dataset.labels)
    for each in (*dataset.workers, worker):
        builder.add_worker(each)
    builder.add_all(dataset)
    for position, id_ in enumerate(dataset.sentences.ids):
        if (final := dataset.final(position)) is not None:
            builder.add_final(id_, final)
    for answer in new:
        builder.add_answer(answer)
    return builder.build()
