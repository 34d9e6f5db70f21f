"""The wire's models, imported with the first one that is used.

They need pydantic, of the extra ``server``; without it, ``spancrew.client`` can still be imported.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from spancrew.errors import MissingPackageError

__all__ = ["needed", "wire"]


def needed(package: str) -> Any:
    """Return a package; say how to install it where it is missing."""
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise MissingPackageError(
            f"the client needs the package {package!r}; install it with "
            "'pip install \"spancrew[server]\"'",
            name=package,
        ) from None


if TYPE_CHECKING:
    from spancrew import wire
else:

    class _LazyWire:
        def __getattr__(self, name: str) -> Any:
            needed("pydantic")
            return getattr(import_module("spancrew.wire"), name)

    wire = _LazyWire()
