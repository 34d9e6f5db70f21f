"""A spancrew server from Python: the typed HTTP client.

May import formats, campaign, core and errors; knows nothing of the server but its HTTP API.
"""

from spancrew.client._campaign import CampaignClient
from spancrew.client._client import Client
from spancrew.client._expert import ExpertClient
from spancrew.client._guide import Guide, Solved, Verdict
from spancrew.client._link import Link
from spancrew.client._people import Invitations
from spancrew.client._picture import Lately, Line, Picture, Point, Preview
from spancrew.client._rehearsal_values import Forecast, Inspection, Spread
from spancrew.client._values import (
    Agreement,
    ApiToken,
    AssignmentStory,
    Bin,
    CampaignCard,
    CampaignDetails,
    Delivery,
    Entry,
    Figures,
    Invitation,
    JournalLine,
    Person,
    Profile,
    QueuedSentence,
    Standing,
    Webhook,
    Worker,
)
from spancrew.client._work_values import (
    Completion,
    ExpertSheet,
    Lesson,
    Opinion,
    OwnProgress,
    Taken,
    WorkSheet,
)
from spancrew.client._worker import WorkerClient

__all__ = [
    "Agreement",
    "ApiToken",
    "AssignmentStory",
    "Bin",
    "CampaignCard",
    "CampaignClient",
    "CampaignDetails",
    "Client",
    "Completion",
    "Delivery",
    "Entry",
    "ExpertClient",
    "ExpertSheet",
    "Figures",
    "Forecast",
    "Guide",
    "Inspection",
    "Invitation",
    "Invitations",
    "JournalLine",
    "Lately",
    "Lesson",
    "Line",
    "Link",
    "Opinion",
    "OwnProgress",
    "Person",
    "Picture",
    "Point",
    "Preview",
    "Profile",
    "QueuedSentence",
    "Solved",
    "Spread",
    "Standing",
    "Taken",
    "Verdict",
    "Webhook",
    "WorkSheet",
    "Worker",
    "WorkerClient",
]
