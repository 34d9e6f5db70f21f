"""How good labels are, by the gold of a random sample."""

from dataclasses import dataclass
from typing import Any

from spancrew.certificates import Certificate, Provenance, certificate_record
from spancrew.formats import pandas_frame
from spancrew.report import (
    QUALITY_HEAD,
    certificate_figure,
    certificate_headline,
    certificate_page,
    certificate_sentences,
    fragment,
    note,
    quality_rows,
    table,
    tag,
    text,
)
from spancrew.workbench._figure import Figure


@dataclass(frozen=True, slots=True)
class Certified:
    """A certificate that shows itself."""

    certificate: Certificate
    provenance: Provenance

    def __repr__(self) -> str:
        """Return the headline."""
        return f"Certified({certificate_headline(self.certificate)})"

    def _repr_html_(self) -> str:
        """Return headline, figures and drawing, for a notebook."""
        return fragment(
            tag("p", text(certificate_headline(self.certificate)), class_="lead"),
            *map(note, certificate_sentences(self.certificate)),
            table(QUALITY_HEAD, quality_rows(self.certificate)),
            certificate_figure(self.certificate),
        )

    def frame(self) -> Any:
        """Return a pandas DataFrame: all labels first, then a row for each."""
        made = self.certificate
        parts = [("all", made.delivered), *((each.label, each.quality) for each in made.labels)]
        records = [
            {"label": label}
            | {
                f"{score}{end}": value
                for score, estimate in quality._asdict().items()
                for end, value in zip(("", "_low", "_high"), estimate, strict=True)
            }
            for label, quality in parts
        ]
        return pandas_frame(records, list(records[0]))

    def plot(self) -> Figure:
        """Draw the F1 of every label with its interval."""
        return Figure.of("Exact F1 by label", certificate_figure(self.certificate))

    def page(self) -> str:
        """Return the certificate as an HTML page."""
        return certificate_page(self.certificate, self.provenance)

    def as_json(self) -> dict[str, Any]:
        """Return the certificate as ``spancrew certify`` writes it."""
        return certificate_record(self.certificate, self.provenance)
