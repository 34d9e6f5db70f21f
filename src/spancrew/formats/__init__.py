"""Data sets in files: one ``read`` that recognises what it is given, one ``write``.

May import core, metrics and everything of the domain.
"""

from spancrew.formats._appearing import appearing
from spancrew.formats._base import (
    Columns,
    Discontinuous,
    Format,
    Overlaps,
    Progress,
    Reading,
    ReadOptions,
    Repair,
    Split,
)
from spancrew.formats._label_studio_regions import label_studio_regions, label_studio_spans
from spancrew.formats._registry import (
    BUNDLED,
    Preview,
    follows,
    format_for,
    formats,
    formats_for,
    named,
    preview,
    read,
    recognise,
    unzip_upload,
    write,
)
from spancrew.formats._sheets import body_of, sheet
from spancrew.formats._table import TableColumn, TableDescription
from spancrew.formats._table_columns import LAYOUTS, Layout
from spancrew.formats._table_frame import DataFrame, frame_of, is_frame, pandas_frame
from spancrew.formats._tagger_folder import SavedTagger, read_tagger, write_tagger
from spancrew.formats._unpacked import unpacks_above

__all__ = [
    "BUNDLED",
    "LAYOUTS",
    "Columns",
    "DataFrame",
    "Discontinuous",
    "Format",
    "Layout",
    "Overlaps",
    "Preview",
    "Progress",
    "ReadOptions",
    "Reading",
    "Repair",
    "SavedTagger",
    "Split",
    "TableColumn",
    "TableDescription",
    "appearing",
    "body_of",
    "follows",
    "format_for",
    "formats",
    "formats_for",
    "frame_of",
    "is_frame",
    "label_studio_regions",
    "label_studio_spans",
    "named",
    "pandas_frame",
    "preview",
    "read",
    "read_tagger",
    "recognise",
    "sheet",
    "unpacks_above",
    "unzip_upload",
    "write",
    "write_tagger",
]
