"""Final labels: by sentence, by span and by worker."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from spancrew.consensus import Aggregated, Beliefs, Evidence, Reliability
from spancrew.core import BoolArray, Dataset, Finals
from spancrew.errors import SpancrewError
from spancrew.formats import pandas_frame
from spancrew.report import (
    Aggregation,
    aggregation_page,
    aggregation_sentences,
    confidence_figure,
    fragment,
    reliability_figure,
    tag,
    text,
)
from spancrew.workbench._drawn import FEW, drawn_sentences
from spancrew.workbench._figure import Figure

Rows = Literal["sentences", "spans", "workers"]


@dataclass(frozen=True, slots=True)
class FinalLabels:
    """Final labels that show themselves; ``summary`` has the figures about them."""

    aggregated: Aggregated
    summary: Aggregation

    @property
    def dataset(self) -> Dataset:
        """Return the data set with its final labels."""
        return self.aggregated.dataset

    @property
    def finals(self) -> Finals:
        """Return the final labels as columns."""
        return self.aggregated.finals

    @property
    def evidence(self) -> Evidence:
        """Return what the method learned from."""
        return self.aggregated.evidence

    @property
    def beliefs(self) -> Beliefs:
        """Return what the crowd is taken to say, and how sure that is."""
        return self.aggregated.beliefs

    @property
    def reliability(self) -> Reliability:
        """Return how reliable each worker is."""
        return self.aggregated.reliability

    @property
    def is_silent(self) -> BoolArray:
        """Tell for every sentence whether nobody has answered it."""
        return self.aggregated.is_silent

    def __repr__(self) -> str:
        """Return the most important figures in a line."""
        found = self.summary
        exact, is_chosen = found.accuracy, found.kind == "choices"
        name = "accuracy" if is_chosen else "exact F1"
        score = "" if exact is None else f"; {name} {exact:.3f} against gold"
        spans = f"{sum(found.labels.values()):,} {found.kind} on {found.sentences:,} sentences"
        return f"FinalLabels({spans} by {found.method}{score})"

    def _repr_html_(self) -> str:
        """Return the least sure sentences with their spans, for a notebook."""
        said = " ".join(aggregation_sentences(self.summary))
        unsure = np.lexsort((self.is_silent, self.finals.confidence))[:FEW].tolist()
        return fragment(
            tag("p", text(said), class_="lead"),
            tag("p", text("The least sure sentences first:")),
            *drawn_sentences(self.dataset, unsure),
        )

    def frame(self, rows: Rows = "sentences") -> Any:
        """Return a pandas DataFrame with a row for each sentence, span or worker."""
        made = {"sentences": self._sentences, "spans": self._spans, "workers": self._workers}
        if rows not in made:
            raise SpancrewError(f"rows {rows!r}: there is one for each of {', '.join(made)}")
        return made[rows]()

    def _sentences(self) -> Any:
        records = []
        for position, sentence in enumerate(self.dataset.sentences):
            final = self.dataset.final(position)
            if final is not None:
                spans = [f"{sentence.quote(span)} {span.label}" for span in final.labels]
                about = {"confidence": final.confidence, "answers": final.answers, "by": final.by}
                records.append({"id": sentence.id, "text": sentence.text, "spans": spans} | about)
        return pandas_frame(records, ["id", "text", "spans", "confidence", "answers", "by"])

    def _spans(self) -> Any:
        records = []
        for position, sentence in enumerate(self.dataset.sentences):
            final = self.dataset.final(position)
            for span, confidence, votes in final.spans if final else ():
                start, end = sentence.characters(span)
                where = {"start": start, "end": end, "label": span.label}
                sure = {"confidence": confidence, "votes": votes}
                quote = sentence.quote(span)
                records.append({"id": sentence.id} | where | {"quote": quote} | sure)
        return pandas_frame(
            records, ["id", "start", "end", "label", "quote", "confidence", "votes"]
        )

    def _workers(self) -> Any:
        columns = ["worker", "answers", "spans", "reliability", "low", "high", "f1"]
        records = [{name: getattr(row, name) for name in columns} for row in self.summary.workers]
        return pandas_frame(records, columns)

    def plot(self) -> Figure:
        """Draw how sure the labels are, and how reliable the workers."""
        name = f"{self.summary.name}: final labels"
        return Figure.of(name, confidence_figure(self.summary), reliability_figure(self.summary))

    def page(self) -> str:
        """Return the whole report as an HTML page."""
        return aggregation_page(self.summary)
