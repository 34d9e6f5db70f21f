"""Import packages that only one format needs."""

from importlib import import_module
from typing import Any

from spancrew.errors import MissingPackageError


def package(name: str, format_: str) -> Any:
    """Return an optional package; say how to install it where it is missing."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise MissingPackageError(
            f"the format {format_!r} needs the package {name!r}; install it with "
            f"'pip install {name}'",
            name=name,
        ) from None
