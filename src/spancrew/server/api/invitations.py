"""Invitations: a person with a link that lets them in."""

from spancrew import wire
from spancrew.server.api.links import link_url
from spancrew.server.people.values import PersonRow
from spancrew.server.processes import in_thread
from spancrew.server.services import Services


async def invitation(
    services: Services, person: PersonRow, *, lasts: float | None = None, once: bool = False
) -> wire.Invitation:
    """Return a new link for a person; its secret is shown only now."""
    issue = services.directory.secrets.issue
    _, secret = await in_thread(issue, "link", person.id, services.now, lasts=lasts, once=once)
    url = link_url(services.settings.public_url, secret)
    return wire.Invitation(person=wire.PersonView.model_validate(person), token=secret, url=url)
