"""Where a what-if takes a campaign from: a server, its export, or its journal in a file."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Protocol, runtime_checkable

from spancrew.campaign import Entry, Event, event_of
from spancrew.errors import FormatError, JournalError, Place
from spancrew.feedback import Prices
from spancrew.formats import read as read_file
from spancrew.whatif import (
    CollectedAnswers,
    OtherRule,
    collected_from_events,
    collected_from_export,
)
from spancrew.workbench._given import Given, data_of


class JournalRow(Protocol):
    """An event as a server shows it."""

    @property
    def kind(self) -> str:
        """Return what happened."""

    @property
    def at(self) -> float:
        """Return when."""

    @property
    def body(self) -> dict[str, Any]:
        """Return its fields."""


@runtime_checkable
class CampaignOnServer(Protocol):
    """A campaign of which a client knows, such as that of ``Client.find``."""

    id: str

    def all_events(self, after: int = 0) -> Iterator[JournalRow]:
        """Yield its journal."""

    def export(self, path: Path, *, revise: bool, answers: bool) -> object:
        """Write its labels to a file."""


class NamedCampaign(NamedTuple):
    """What a campaign has collected, with its name."""

    name: str
    collected: CollectedAnswers


def collect(
    given: Given | CampaignOnServer,
    other: OtherRule,
    journal: str | Path | None = None,
    prices: Prices | None = None,
    **reading: Any,
) -> NamedCampaign:
    """Return what a campaign has collected.

    That is a campaign on a server; or an export, with its ``journal`` in a file, as 'spancrew
    campaign events --json' prints it. Of an export alone, the rule is the one to be tried.
    """
    if isinstance(given, CampaignOnServer):
        return _from_server(given)
    name, dataset, _ = data_of(given, **reading)
    if journal is not None:
        return NamedCampaign(name, collected_from_events(dataset, journal_of(Path(journal))))
    return NamedCampaign(name, collected_from_export(dataset, other.rule_of_export(), prices))


def _from_server(campaign: CampaignOnServer) -> NamedCampaign:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "labels.jsonl"
        campaign.export(file, revise=False, answers=False)
        dataset = read_file(file).dataset
    rows = ({"kind": e.kind, "at": e.at, "body": e.body} for e in campaign.all_events())
    return NamedCampaign(campaign.id, collected_from_events(dataset, map(_event, rows)))


def journal_of(file: Path) -> list[Event]:
    """Return the events in a file of JSON lines."""
    return list(_read(file, file.read_bytes().splitlines()))


def _read(file: Path, lines: Iterable[bytes]) -> Iterator[Event]:
    expected = "an event, as 'spancrew campaign events CAMPAIGN --json' prints it"
    for number, line in enumerate(lines, 1):
        place = Place(str(file), number)
        try:
            yield _event(json.loads(line))
        except (ValueError, TypeError, KeyError, RecursionError):
            raise FormatError.expected(place, "something else", expected) from None
        except JournalError as error:
            raise FormatError(place, str(error)) from None


def _event(row: dict[str, Any]) -> Event:
    return event_of(Entry(row["kind"], float(row["at"]), json.dumps(row["body"])))
