"""What a call is given: a data set, a path or a DataFrame, or a value of another call."""

import warnings
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from spancrew.consensus import Consensus, consensus_method
from spancrew.core import Dataset, refuse_incomplete, with_known_labels
from spancrew.errors import WrongTypeError
from spancrew.formats import DataFrame, Repair, is_frame
from spancrew.formats import read as read_file


class HasDataset(Protocol):
    """A value of another call, such as what was read."""

    @property
    def dataset(self) -> Dataset:
        """Return the data set."""


Given = Dataset | str | Path | DataFrame | HasDataset
"""What every call takes."""


class NamedData(NamedTuple):
    """A data set with its name and what was repaired."""

    name: str
    dataset: Dataset
    repairs: tuple[Repair, ...]


def data_of(given: Given, **reading: Any) -> NamedData:
    """Return the data set in whatever is given; ``reading`` are options to read it with."""
    if isinstance(given, str | Path) or is_frame(given):
        name = Path(given).name if isinstance(given, str | Path) else "DataFrame"
        return NamedData(name, *read_file(given, **reading))  # type: ignore[arg-type]
    dataset = given if isinstance(given, Dataset) else getattr(given, "dataset", None)
    if not isinstance(dataset, Dataset):
        raise WrongTypeError(
            f"the data is {_a(given)}: give a path, the name of a bundled data set such as "
            "'demo', a pandas or polars DataFrame, or a Dataset"
        )
    if reading:
        raise WrongTypeError(
            f"{', '.join(reading)}: these options are about reading, but {_a(given)} is read "
            "already; give them with a path or a DataFrame"
        )
    return NamedData(getattr(given, "name", "data"), dataset, getattr(given, "repairs", ()))


def known_data_of(given: Given) -> NamedData:
    """Return a data set in which experts' labels of a campaign count as gold; warn if there are.

    The experts of a campaign see what is hard, so such sentences are no random sample.
    """
    found = data_of(given)
    known = with_known_labels(found.dataset)
    if known.note is not None:
        warnings.warn(known.note, stacklevel=3)
    return found._replace(dataset=known.dataset)


def method_of(given: Consensus | str) -> Consensus:
    """Return a consensus method, which may be given by its name."""
    if isinstance(given, str):
        return consensus_method(given)
    if not hasattr(given, "fit"):
        raise WrongTypeError(
            f"the method is {_a(given)}: give its name, such as 'bsc', or a consensus method"
        )
    refuse_incomplete(given, Consensus)
    return given


def names_of(given: Any, what: str) -> list[str] | None:
    """Return one name or several as a list; None for none."""
    names = listed(given)
    for name in names or ():
        if not isinstance(name, str):
            raise WrongTypeError(
                f"{what} is {_a(name)}: give its name, such as {_EXAMPLES[what]!r}, or a list of "
                "names"
            )
    return names


def listed(given: Any) -> list[Any] | None:
    """Return one thing or several as a list; None for none."""
    if given is None:
        return None
    return list(given) if _is_listed(given) else [given]


def whole_numbers(given: Any, what: str) -> list[int] | None:
    """Return one number or several as a list; None for none."""
    numbers = listed(given)
    for number in numbers or ():
        if not isinstance(number, int) or isinstance(number, bool):
            raise WrongTypeError(f"{what} is {_a(number)}: give a whole number, or a list of them")
    return numbers


_EXAMPLES = {
    "policy": "cucb:scale=0.2",
    "feedback": "gate:threshold=0.65",
    "consensus": "bsc",
    "crowd": "calibrated",
    "gate": "expected-error",
    "members": "tagger",
}


def _is_listed(value: Any) -> bool:
    return isinstance(value, list | tuple | set | frozenset)


def _a(value: object) -> str:
    """Name the type of a value with its article."""
    name = "None" if value is None else type(value).__name__
    if name == "None":
        return name
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
