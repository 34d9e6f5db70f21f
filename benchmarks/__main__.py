"""Run all benchmarks, print a table and write results.json beside this file.

python -m benchmarks [--quick] [PART ...]

With ``--quick`` or parts (live, memory, ...) nothing is written. ``--quick`` takes the smallest
sizes, only to see that everything works: its figures mean nothing.
"""

import argparse
import json
import os
import platform
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.table import Table

from benchmarks import (
    agreement,
    augment,
    consensus,
    convert,
    live,
    memory,
    pages,
    people,
    policies,
    rehearsal,
    scores,
    sentences,
    stores,
    tagger,
)
from benchmarks._row import Row

RESULTS = Path(__file__).parent / "results.json"
PARTS: dict[str, ModuleType] = {
    part.__name__.rpartition(".")[2]: part
    for part in (
        agreement,
        scores,
        consensus,
        tagger,
        augment,
        policies,
        rehearsal,
        stores,
        sentences,
        convert,
        live,
        memory,
        pages,
        people,
    )
}


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="smallest sizes; nothing is written")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    start, before = time.perf_counter(), os.getloadavg()[0]
    parts: dict[str, float] = {}
    rows = list(_measured(options.parts or list(PARTS), parts, quick=options.quick))
    Console(width=150).print(_table(rows))
    minutes = (time.perf_counter() - start) / 60
    print(f"{minutes:.1f} minutes on {os.cpu_count()} cores; the load was {before:.1f} before.")
    if options.quick or options.parts:
        return
    about = {
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",  # noqa: TID251  the real clock
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load_before": round(before, 2),
        "minutes": round(minutes, 1),
        "seconds_by_part": parts,
    }
    records = [asdict(row) | {"ratio": row.ratio} for row in rows]
    text = json.dumps({**about, "rows": records}, indent=2)
    RESULTS.write_text(f"{text}\n", encoding="utf-8")
    print(f"Written to {RESULTS.relative_to(Path.cwd())}.")


def _measured(names: list[str], parts: dict[str, float], *, quick: bool) -> Iterator[Row]:
    """Measure part after part, say how far it is, and note how many seconds each has taken."""
    for name in names:
        start = time.perf_counter()
        done = sum(parts.values())
        print(f"{done:5.0f} s  load {os.getloadavg()[0]:5.2f}  {name}", flush=True)
        part = PARTS[name]
        if quick:
            vars(part).update(part.QUICK)
        yield from part.rows()
        parts[name] = round(time.perf_counter() - start, 1)


def _table(rows: list[Row]) -> Table:
    table = Table("what", "ours", "peer", "", "unit", "times faster", "load", box=None)
    for row in rows:
        ours, peer = f"{row.ours:.3g}", f"{row.peer:,.3g}"
        ratio = f"{row.ratio:,.0f}" if row.ratio > 10 else f"{row.ratio:.1f}"
        table.add_row(row.name, ours, peer, row.peer_name, row.unit, ratio, f"{row.load:.1f}")
    return table


if __name__ == "__main__":
    main()
