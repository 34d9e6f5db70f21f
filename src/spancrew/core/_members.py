"""Who among the workers is a model."""

from collections.abc import Iterable

MODEL_PREFIX = "model:"
"""How the name of a worker begins that is a model."""


def is_model(worker: str) -> bool:
    """Tell whether a worker is a model, by its name.

    >>> is_model("model:gpt-x"), is_model("ana")
    (True, False)
    """
    return worker.startswith(MODEL_PREFIX)


def people_among(workers: Iterable[str]) -> tuple[str, ...]:
    """Return the workers who are no models.

    >>> people_among(["ana", "model:gpt-x", "bo"])
    ('ana', 'bo')
    """
    return tuple(worker for worker in workers if not is_model(worker))
