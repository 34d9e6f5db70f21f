"""Write a store as this version does, for tests of later ones: ``python tools/write_store.py``.

A real server runs a small campaign with people, a guide and a webhook; what it leaves is written
to ``tests/stores/written`` as SQL. Run it before a release, and whenever the schema has changed.
"""

import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import spancrew
from spancrew.campaign import Campaign, Waiting, event_of
from spancrew.client import Client
from spancrew.core import Span
from spancrew.formats import read, write
from spancrew.stores import Derived, check_store, material_of, open_sql

TARGET = Path(__file__).parents[1] / "tests" / "stores" / "written"
PLAN = {"answers": 2, "crew": 2, "warm_up": "none", "feedback": "gate:threshold=0.5"}
SENTENCES = 6
ANSWERED = 7


def main() -> None:
    """Run the campaign, and write what is left of it."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        with serving(folder) as link, Client.from_link(link) as admin:
            run_campaign(admin, folder)
        schema = keep_snapshot(folder / "spancrew.db")
        target = TARGET / f"{spancrew.__version__}-schema-{schema}.sql"
        target.write_text(dump(folder / "spancrew.db"), encoding="utf-8")
    sys.stdout.write(f"{target} is written.\n")


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Run a server while the block runs; yield its admin link."""
    words = [sys.executable, "-m", "spancrew.cli", "serve", "--port", "0", "--quiet"]
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True)  # noqa: S603  our own
    try:
        yield next(filter(None, map(admin_link, process.stdout or ())))
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()


def admin_link(line: str) -> str | None:
    """Return the link in a line that the server prints."""
    found = re.search(r"admin +(\S+)", line)
    return None if found is None else found[1]


def run_campaign(admin: Client, folder: Path) -> None:
    """Let two workers and an expert do a part of a campaign."""
    demo = read("demo").dataset.without_answers()
    write(demo.take(np.arange(SENTENCES)), folder / "news.jsonl")
    campaign = admin.create("Names in news", folder / "news.jsonl", PLAN, gold="ignore")
    campaign.set_guide("Mark every name.")
    campaign.add_webhook("https://crew.example/hook")
    links = [campaign.invite_worker(each).url for each in ("Ann", "Bo")]
    expert = campaign.invite_expert("Eve").url
    campaign.start()
    for number in range(ANSWERED):
        with Client.from_link(links[number % 2]) as client:
            worker = client.worker(campaign.id)
            sheet = worker.next()
            if not isinstance(sheet, Waiting):
                worker.submit(sheet, [Span(0, 1, "PER")] if number % 3 else [])
    with Client.from_link(expert) as client:
        question = client.expert(campaign.id).next()
        if not isinstance(question, Waiting):
            client.expert(campaign.id).submit(question, [Span(0, 1, "PER")])
    campaign.set_budget(50.0)


def keep_snapshot(path: Path) -> int:
    """Keep a snapshot, as a server does of longer journals; return the number of the schema."""
    with closing(open_sql(path)) as store:
        (id_,) = store.campaigns()
        (material,) = filter(None, [store.kept(id_, "material")])
        events = (event_of(each.entry) for each in store.read(id_))
        campaign = Campaign.replay(material_of(material.data), events)
        store.keep(id_, "snapshot", Derived(campaign.version, campaign.snapshot()))
        return check_store(store).schema


def dump(path: Path) -> str:
    """Return a database as SQL, with the mark by which a file is known as ours."""
    with closing(sqlite3.connect(path)) as raw:
        (mark,) = raw.execute("PRAGMA application_id").fetchone()
        return "\n".join([f"PRAGMA application_id = {mark};", *raw.iterdump(), ""])


if __name__ == "__main__":
    main()
