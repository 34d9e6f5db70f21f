"""A data set as a file to download, in any format."""

import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from spancrew.core import Dataset
from spancrew.formats import Format, format_for, write

_MOST_IN_HEADER = 4000


class Download(NamedTuple):
    """A file in a folder of its own, which goes when it has been sent."""

    path: Path
    name: str
    folder: Path
    losses: str


def as_download(dataset: Dataset, title: str, format_: str) -> Download:
    """Write a data set in a format; a folder is packed into one file."""
    chosen = format_for("x", format_)
    folder = Path(tempfile.mkdtemp(prefix="spancrew-"))
    try:
        target = folder / f"{_slug(title)}{_suffix(chosen)}"
        lost = write(dataset, target, format_)
        if target.is_dir():
            target = Path(shutil.make_archive(str(target), "zip", target))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    losses = json.dumps([loss.what for loss in lost])
    return Download(target, target.name, folder, losses[:_MOST_IN_HEADER])


def _suffix(format_: Format) -> str:
    suffix = format_.suffixes[0] if format_.suffixes else f"{format_.name}.jsonl"
    return suffix if suffix.startswith((".", "-")) else f"-{suffix}"


def _slug(title: str) -> str:
    """Return a file name that is safe everywhere, whatever a campaign is called."""
    return re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-")[:60] or "campaign"
