"""What a campaign remembers of submissions, so that they can be sent again."""

from spancrew.campaign._records import RECENT, Remembered, WorkerRecord


def test_only_the_last_submissions_of_a_worker_are_remembered() -> None:
    """Memory does not grow with the length of a campaign."""
    worker = WorkerRecord(0, 0.1)
    for number in range(3 * RECENT):
        worker.remember(number, Remembered(None, number, 0.1, late=False))

    assert list(worker.recent) == list(range(2 * RECENT, 3 * RECENT))
