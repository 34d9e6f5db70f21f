"""Workers who are models: they are told by their names, which every format keeps."""

MODEL_PREFIX = "model:"


def is_model(worker: str) -> bool:
    """Tell whether a worker is a model.

    >>> is_model("model:spacy-en"), is_model("ana")
    (True, False)
    """
    return worker.startswith(MODEL_PREFIX)
