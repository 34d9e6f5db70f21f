"""What another rule would have decided."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spancrew.feedback import Prices
from spancrew.formats import pandas_frame
from spancrew.report import fragment, note, table, what_if_head, what_if_rows
from spancrew.whatif import DRAWS, OtherRule, WhatIf
from spancrew.whatif import what_if as compare_rules
from spancrew.workbench._collected import CampaignOnServer, collect
from spancrew.workbench._given import Given

_COLUMNS = ("sentence", "before", "after", "by_before", "by_after", "known")


@dataclass(frozen=True, slots=True)
class WhatIfResult:
    """A what-if that shows itself; ``found`` has every figure, ``ids`` name the sentences."""

    name: str
    found: WhatIf
    ids: tuple[str, ...]

    def __repr__(self) -> str:
        """Return the figures in a line."""
        return repr(self.found)

    def _repr_html_(self) -> str:
        """Return the figures and what is known of them, for a notebook."""
        return fragment(
            table(what_if_head(), what_if_rows(self.found)), *map(note, self.found.notes)
        )

    def as_json(self) -> dict[str, Any]:
        """Return the figures as ``spancrew what-if --json`` prints them."""
        return self.found.as_json()

    def records(self) -> list[dict[str, Any]]:
        """Return what would differ, sentence by sentence, as ``--diff`` writes it."""
        return [
            change._asdict() | {"sentence": self.ids[change.sentence]}
            for change in self.found.changes
        ]

    def frame(self) -> Any:
        """Return a pandas DataFrame with a row for every sentence that would differ."""
        return pandas_frame(self.records(), _COLUMNS)


def what_if(  # noqa: PLR0913  what is different, and where the campaign is
    campaign: Given | CampaignOnServer,
    *,
    threshold: float | None = None,
    answers: int | None = None,
    feedback: str | None = None,
    consensus: str | None = None,
    journal: str | Path | None = None,
    answer_price: float = 0.1,
    expert_price: float = 1.0,
    draws: int = DRAWS,
    seed: int = 0,
) -> WhatIfResult:
    """Say what another rule would have decided on the answers that a campaign has collected.

    ``campaign`` is one of a server, such as ``Client(...).find("news")``, or its export, with its
    ``journal`` if there is one. Prices are those of an export, which knows none.
    """
    other = OtherRule(threshold, answers, feedback, consensus)
    prices = Prices(answer_price, expert_price)
    name, collected = collect(campaign, other, journal, prices)
    found = compare_rules(collected, other, draws=draws, seed=seed)
    return WhatIfResult(name, found, collected.ids)
