"""Data sets on their way to a server."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

from spancrew.client._transport import Api
from spancrew.client._wire import wire
from spancrew.errors import FormatError, Place
from spancrew.formats import BUNDLED
from spancrew.formats import read as read_dataset
from spancrew.formats import write as write_dataset

if TYPE_CHECKING:
    import httpx


class KeptData(Protocol):
    """Data that the server has, by the id of their campaign."""

    id: str


def send_data(
    api: Api,
    path: str,
    data: str | Path | KeptData,
    form: Mapping[str, str],
    how: dict[str, str],
    *,
    again: bool = False,
) -> "httpx.Response":
    """Send data with a form; those that the server has itself need no file."""
    if not isinstance(data, str | Path):
        parts = _parts({**form, "campaign": data.id})
        return api.call("POST", path, files=parts, again=again)
    if str(data) in BUNDLED:
        parts = _parts({**form, **how, "data": str(data)})
        return api.call("POST", path, files=parts, again=again)
    with as_file(Path(data), how) as found, found.open("rb") as file:
        parts = {**_parts({**form, **how}), "file": (found.name, file)}
        try:
            return api.call("POST", path, files=parts, again=again)
        except FormatError as error:
            raise FormatError(Place(str(data)), error.problem, error.remedy) from None


def how_to_read(format_: str | None, reading: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the fields that say how data are read."""
    told = {} if format_ is None else {"format": format_}
    return told | ({"reading": json.dumps(dict(reading))} if reading else {})


def _parts(form: Mapping[str, str]) -> dict[str, Any]:
    # As files without a name: httpx would send a form without a file in another encoding.
    return {name: (None, value) for name, value in form.items()}


@contextmanager
def as_file(path: Path, how: dict[str, str]) -> Iterator[Path]:
    """Yield a data set as one file; a folder is converted, as only files can be sent."""
    if not path.is_dir():
        yield path
        return
    with TemporaryDirectory() as folder:
        converted = Path(folder) / f"{path.name}.jsonl"
        options = wire.reading_of(json.loads(how.pop("reading", "{}"))).options()
        found = read_dataset(path, how.pop("format", None), **options)
        write_dataset(found.dataset, converted, "spancrew")
        how["format"] = "spancrew"
        yield converted
