"""A spancrew server from Python: the typed HTTP client.

Its methods return the models of ``spancrew.wire``. May import wire, formats, campaign, core and
errors; knows nothing of the server but its HTTP API.
"""

from spancrew.client._audit import AuditClient
from spancrew.client._campaign import CampaignClient, Exported
from spancrew.client._client import Client, Link
from spancrew.client._people import Invitations
from spancrew.client._sentences import CampaignSentences
from spancrew.client._work import ExpertClient, WorkerClient

__all__ = [
    "AuditClient",
    "CampaignClient",
    "CampaignSentences",
    "Client",
    "ExpertClient",
    "Exported",
    "Invitations",
    "Link",
    "WorkerClient",
]
