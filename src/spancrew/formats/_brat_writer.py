"""Write brat's folders: a document for each sentence, a folder for each worker."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from spancrew.core import Dataset, Sentence, Span
from spancrew.errors import Place
from spancrew.formats import _losses
from spancrew.formats._file_names import file_name
from spancrew.formats._running_text import bounds_out

GOLD = ("gold", "expert", "groundtruth", "ground_truth", "ground-truth")
CONFIG = "annotation.conf"
_LINE_END = re.compile("[\r\n]")
_NOT_IN_A_TYPE = re.compile(r"[\s%;]")


def write_folders(dataset: Dataset, path: Path) -> None:
    """Write texts and gold into one folder, or into a folder of their own beside the workers'."""
    path.mkdir()
    place = Place(str(path))
    types = "".join(f"{_type(label)}\n" for label in dataset.labels)
    config = f"[entities]\n{types}\n[relations]\n\n[events]\n\n[attributes]\n"
    (path / CONFIG).write_text(config, encoding="utf-8", newline="\n")
    has_answers = len(dataset.answers) > 0
    gold = path / "gold" if has_answers else path
    gold.mkdir(exist_ok=True)
    folders = {}
    for worker in sorted({dataset.workers[k] for k in dataset.answers.worker.tolist()}):
        folders[worker] = path / file_name(worker, GOLD, "a worker", place)
        folders[worker].mkdir()
    for position, sentence in enumerate(dataset.sentences):
        name = file_name(sentence.id, (), "a sentence", place)
        _write(gold / name, sentence, dataset.gold_spans(position))
        for answer in dataset.answers_on(position):
            _write(folders[answer.worker] / name, sentence, answer.spans)


def lost(dataset: Dataset, name: str) -> Iterator[_losses.Loss]:
    """Yield what the folders do not hold."""
    yield from _losses.unused(dataset, name)
    yield _losses.details(dataset, name)
    yield _losses.metas(len(dataset.sentences.metas), name)
    changed = sum(_flat(text) != text for text in dataset.sentences.texts)
    because = f"{name} has a sentence on each line"
    yield _losses.Loss(changed, "text with line ends or outer blanks", because)
    cut = sum(bool(bounds_out(sentence)) for sentence in dataset.sentences)
    because = f"{name} holds no tokens; reading cuts the text again"
    yield _losses.Loss(cut, "sentence with tokens of its own", because)


def _write(stem: Path, sentence: Sentence, spans: Iterable[Span] | None) -> None:
    text = _flat(sentence.text)
    stem.with_name(f"{stem.name}.txt").write_text(f"{text}\n", encoding="utf-8", newline="\n")
    if spans is None:
        return
    moved = len(sentence.text) - len(sentence.text.lstrip())
    marks = []
    for number, span in enumerate(spans, start=1):
        start, end = (border - moved for border in sentence.characters(span))
        marks.append(f"T{number}\t{_type(span.label)} {start} {end}\t{text[start:end]}\n")
    stem.with_name(f"{stem.name}.ann").write_text("".join(marks), encoding="utf-8", newline="\n")


def _flat(text: str) -> str:
    """Return a text as one line, each character in its place but for blanks outside."""
    return _LINE_END.sub(" ", text.strip())


def _type(label: str) -> str:
    """Return a label without blanks, which end the type in brat."""
    return _NOT_IN_A_TYPE.sub(lambda found: quote(found[0], safe=""), label)
