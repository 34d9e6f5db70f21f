"""What processes that start quickly have in common: imported once, where they are forked from."""

import gc
from importlib import import_module

from spancrew.campaign import Plan, warm

for name in (
    "spancrew.server.start.app",
    "tests.bridges.payer",
    "tests.server.desk_player",
    "tests.stores.writer",
):
    import_module(name)
warm(Plan(("LABEL",)))
gc.collect()
gc.freeze()
