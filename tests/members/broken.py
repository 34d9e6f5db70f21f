"""A module that cannot be imported."""

import not_there  # type: ignore[import-not-found]  # noqa: F401
