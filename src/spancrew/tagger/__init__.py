"""A tagger that learns on the job: from labels of settled sentences to labels of others.

May import errors, core and metrics.
"""

from spancrew.tagger._cross_fit import PARTS, CrossFitted
from spancrew.tagger._spelling import facets_of

__all__ = ["PARTS", "CrossFitted", "facets_of"]
