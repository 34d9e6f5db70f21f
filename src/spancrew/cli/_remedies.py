"""What would help with a file that cannot be read, as options of the command line."""

from spancrew.errors import FormatError

_FLAGS = {
    "columns": "--columns, --text-column and --id-column",
    "split": "--split",
    "discontinuous": "--discontinuous",
    "skip_unequal": "--skip-unequal",
}
WORDS = {
    "text_column": "name it with --text-column",
    "columns": "say which column is which with --columns",
    "format": "name it with --format ({value})",
    "to": "name it with --to ({value})",
    "overlaps": "choose which to keep with --overlaps first or --overlaps longest",
    "labels": "correct it, or declare it: --labels {value}",
    "label_names": "or name the labels in the order of their numbers (--labels)",
    "split": "cut the text into longer ones with --split {value}",
    "discontinuous": "make each of them a span with --discontinuous split, or fill the gaps with "
    "--discontinuous whole",
    "skip_unequal": "or leave out what differs with --skip-unequal",
    "layer": "choose the one with the labels: --columns layer={value}",
    "feature": "choose the one with the label: --columns label={value}",
    "unused": "leave out {value}",
}


def told(error: FormatError) -> str:
    """Return an error as the command line prints it."""
    remedy = error.remedy
    if remedy is not None and remedy.option == "unused":
        flags = remedy._replace(value=_FLAGS[remedy.value])
        error = FormatError(error.place, error.problem, flags)
    return error.worded(WORDS)
