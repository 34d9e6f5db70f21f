"""A campaign that gets more sentences while it runs."""

from spancrew.campaign._control import CampaignControl
from spancrew.campaign._events import ALL_SETTLED, SentencesAdded
from spancrew.campaign._material import Material
from spancrew.campaign._values import Added
from spancrew.errors import CampaignError, ConflictError


class CampaignGrowth(CampaignControl):
    """A campaign to which sentences can be added."""

    def add(
        self,
        material: Material,
        now: float,
        *,
        key: str | None = None,
        expected: int | None = None,
    ) -> Added:
        """Add sentences, once for every ``key``; they wait behind those that are there.

        The budget decides how many are begun. A campaign that was over because all was settled
        goes on. With ``expected`` they are refused if there are more or fewer by now.
        """
        state = self.state
        if key is not None and key in state.additions:
            return Added(*state.additions[key], again=True)
        if state.phase == "finished" and state.reason != ALL_SETTLED:
            raise CampaignError(f"the campaign is over ({state.reason}); open a new one")
        first = len(state.material)
        if expected is not None and expected != first:
            raise ConflictError(f"the campaign has {first:,} sentences by now, not {expected:,}")
        state.stock = state.material.plus(material)
        self._do([SentencesAdded(now, first, len(material), key)], now)
        return Added(first, len(material))

    @property
    def stocked(self) -> int:
        """Return how many sentences are known here, those included that no event has added yet."""
        return len(self.state.stock)

    def supply(self, material: Material) -> None:
        """Put sentences into the stock that somebody else has added to the campaign."""
        self.state.stock = self.state.stock.plus(material)
