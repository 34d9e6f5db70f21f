"""Who among the workers is a model."""

MODEL_PREFIX = "model:"
"""How the name of a worker begins that is a model."""


def is_model(worker: str) -> bool:
    """Tell whether a worker is a model, by its name.

    >>> is_model("model:gpt-x"), is_model("ana")
    (True, False)
    """
    return worker.startswith(MODEL_PREFIX)
