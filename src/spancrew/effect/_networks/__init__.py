"""Networks on a frozen encoder; they need the extra ``models``.

Nothing here is imported before a network is asked for.
"""

from spancrew.effect._networks._network import Network

__all__ = ["Network"]
