"""Optional packages: say how to install one that is missing."""

from importlib import import_module
from typing import Any

from spancrew.errors import MissingPackageError


def needed(package: str, extra: str) -> Any:
    """Return a package, or a module of it."""
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != package.partition(".")[0]:
            raise
        raise MissingPackageError(
            f"this needs the package {error.name!r}; install it with "
            f"'pip install \"spancrew[{extra}]\"'",
            name=error.name,
        ) from None
