"""What can be certified: data with answers and gold, or a campaign with its audits."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from spancrew.cli._connection import Connection
from spancrew.cli._options import DatasetOptions
from spancrew.cli._progress import progress_bar
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from spancrew.certificates import Certifiable, Certificate, Provenance
    from spancrew.cli._progress import ProgressBar


class Source(Protocol):
    """Something to certify."""

    @property
    def name(self) -> str:
        """Return what it is called."""

    @property
    def holds_if(self) -> str:
        """Return under which condition a certificate holds; nothing if that is seen to."""

    def certified(
        self, level: float, *, strict: bool, progress: "ProgressBar"
    ) -> "tuple[Certificate, Provenance]":
        """Return its certificate."""

    def differences(self, record: dict[str, Any]) -> list[str]:
        """Return where a certificate says something else."""


def is_campaign(name: str, connection: Connection) -> bool:
    """Tell whether a name must be a campaign's: no data is called so, and a server is known."""
    from spancrew.formats import BUNDLED

    return not (Path(name).exists() or name in BUNDLED) and connection.is_known


@dataclass(frozen=True, slots=True)
class DataToCertify:
    """Data whose sentences with gold are the audit."""

    name: str
    method: str | None
    reading: DatasetOptions
    holds_if: str = (
        "This holds if the sentences with gold were drawn at random, and labelled by somebody who "
        "did not see the answers."
    )

    def certified(
        self, level: float, *, strict: bool, progress: "ProgressBar"
    ) -> "tuple[Certificate, Provenance]":
        """Join the answers, and compare them with gold."""
        from spancrew.certificates import certificate_of

        found = self._certifiable(self.method or "auto", progress)
        return certificate_of(found.labels, level, strict=strict), found.provenance

    def differences(self, record: dict[str, Any]) -> list[str]:
        """Compute a certificate again, with the method that it names."""
        from spancrew.certificates import verify

        stated = self.method or str(record["versions"].get("consensus", "auto"))
        with progress_bar(f"Reading {self.name}") as progress:
            return verify(record, self._certifiable(stated, progress))

    def _certifiable(self, method: str, progress: "ProgressBar") -> "Certifiable":
        from spancrew.report import certifiable

        dataset = self.reading.read(self.name, progress).dataset
        progress.phase("Joining answers")
        return certifiable(Path(self.name).name, dataset, method)


@dataclass(frozen=True, slots=True)
class CampaignToCertify:
    """A campaign on a server."""

    name: str
    connection: Connection
    holds_if: str = ""

    def certified(
        self, level: float, *, strict: bool, progress: "ProgressBar"
    ) -> "tuple[Certificate, Provenance]":
        """Ask the server; refuse a campaign without an audit."""
        from spancrew.certificates import certificate_from

        progress.phase("Asking the server")
        made, provenance = certificate_from(self._record(level, strict=strict))
        if made.kind == "guess":
            raise SpancrewError(
                f"campaign {self.name}: nothing has been audited, so there is nothing to certify; "
                "a plan with audit=0.05 lets experts audit 5 % of the crowd's sentences, and "
                "'spancrew campaign show' prints the model's guess"
            )
        return made, provenance

    def differences(self, record: dict[str, Any]) -> list[str]:
        """Compare a certificate with that of the campaign now."""
        from spancrew.certificates import certificate_from, differences

        given, _ = certificate_from(record)
        return differences(record, self._record(given.level or 0.95, strict=given.strict))

    def _record(self, level: float, *, strict: bool) -> dict[str, Any]:
        with self.connection.campaign(self.name) as chosen:
            return chosen.certificate_record(level, strict=strict)
