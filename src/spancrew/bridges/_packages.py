"""Optional packages: say how to install one that is missing."""

from importlib import import_module
from typing import Any

from spancrew.errors import MissingPackageError


def needed(package: str, extra: str) -> Any:
    """Return a package, or a module of it."""
    name = package.partition(".")[0]
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != name:
            raise
        raise MissingPackageError(
            f"this needs the package {name!r}; install it with "
            f"'pip install \"spancrew[{extra}]\"'",
            name=name,
        ) from None
