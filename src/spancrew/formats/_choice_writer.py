"""Turn choices into the rows of a table: one for each answer to each question."""

from collections.abc import Iterator
from typing import Any

from spancrew.core import Dataset, Span
from spancrew.formats._choice_columns import is_about
from spancrew.formats._sheets import parts_of_sheet
from spancrew.formats._table_writer import Holds, Rendered, answer_columns, meta_cells, own_columns

_FINAL = ("final", "final_confidence", "final_votes", "final_by", "final_answers")


def choices_rendered(dataset: Dataset, holds: Holds) -> Rendered:
    """Return a row for every answer to a question, and one for a question without any."""
    own = frozenset(name for name in own_columns(dataset, holds) if not is_about(name))
    metas = dataset.sentences.metas.values()
    columns = ["id", "text", "question", "gold"]
    columns += _FINAL if dataset.finals is not None else ()
    columns += ["worker", "choice", *answer_columns(dataset.answers)[2:]]
    columns += [*own, *(["meta"] if any(name not in own for m in metas for name in m) else [])]
    return Rendered(tuple(columns), _rows(dataset, own))


def _rows(dataset: Dataset, own: frozenset[str]) -> Iterator[dict[str, Any]]:
    for position, sentence in enumerate(dataset.sentences):
        body, questions = parts_of_sheet(sentence)
        answers = list(dataset.answers_on(position))
        gold = _labels(dataset.gold_spans(position) or ())
        shown = {"id": sentence.id, "text": body or None} | meta_cells(sentence, own)
        for k, question in enumerate(questions):
            row = (
                shown | {"question": question, "gold": gold.get(k)} | _final(dataset, position, k)
            )
            for answer in answers:
                yield row | {
                    "worker": answer.worker,
                    "choice": _labels(answer.spans)[k],
                    "seconds": answer.seconds,
                    "at": answer.at,
                    "source": answer.source,
                }
            if not answers:
                yield row


def _labels(spans: tuple[Span, ...]) -> dict[int, str]:
    return {span.start: span.label for span in spans}


def _final(dataset: Dataset, position: int, question: int) -> dict[str, Any]:
    final = dataset.final(position)
    found = [each for each in final.spans if each.span.start == question] if final else []
    if final is None or not found:
        return {}
    return {
        "final": found[0].span.label,
        "final_confidence": found[0].confidence,
        "final_votes": found[0].votes,
        "final_by": final.by,
        "final_answers": final.answers,
    }
