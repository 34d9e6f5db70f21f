"""Simulated people who say which of two responses they like, in threads of their own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from spancrew.campaign import Waiting
from spancrew.client import CampaignClient, Client
from spancrew.core import Span

Opinion = Callable[[int, str, str], tuple[str, ...]]
"""Says, by the number of a worker and two responses, what is chosen for every question."""


def responses_in(text: str) -> tuple[str, str]:
    """Return the two responses of a sheet as people see them."""
    first, _, rest = text.partition("\n\nA:\n")[2].partition("\n\nB:\n")
    return first, rest.partition("\n\n")[0]


@contextmanager
def at_work(campaign: CampaignClient, people: int, opinion: Opinion) -> Iterator[None]:
    """Let people work on whatever comes, until the block ends."""
    over = Event()
    links = [campaign.invite_worker(f"p{number}").url for number in range(people)]
    campaign.start()
    threads = [
        Thread(target=_live, args=(link, number, opinion, over))
        for number, link in enumerate(links)
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _live(link: str, number: int, opinion: Opinion, over: Event) -> None:
    with Client.from_link(link, patience=120) as client:
        worker = client.worker()
        while not over.is_set():
            found = worker.next()
            if isinstance(found, Waiting):
                over.wait(0.05)
                continue
            chosen = opinion(number, *responses_in(found.sentence.text))
            worker.submit(found, [Span(k, k + 1, label) for k, label in enumerate(chosen)])
