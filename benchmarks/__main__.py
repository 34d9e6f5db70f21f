"""Run all benchmarks, print a table and write results.json beside this file."""

import json
import time
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import (
    agreement,
    augment,
    consensus,
    live,
    memory,
    pages,
    policies,
    rehearsal,
    scores,
    stores,
)

RESULTS = Path(__file__).parent / "results.json"


def main() -> None:
    """Measure, print, write."""
    start = time.perf_counter()
    rows = []
    for part in (
        agreement,
        scores,
        consensus,
        augment,
        policies,
        rehearsal,
        stores,
        live,
        memory,
        pages,
    ):
        print(f"{time.perf_counter() - start:5.0f} s  {part.__name__}", flush=True)
        rows += part.rows()
    table = Table("what", "ours", "peer", "", "unit", "times faster", box=None)
    for row in rows:
        ours, peer = f"{row.ours:.3g}", f"{row.peer:,.3g}"
        ratio = f"{row.ratio:,.0f}" if row.ratio > 10 else f"{row.ratio:.1f}"
        table.add_row(row.name, ours, peer, row.peer_name, row.unit, ratio)
    Console(width=120).print(table)
    records = [asdict(row) | {"ratio": row.ratio} for row in rows]
    RESULTS.write_text(json.dumps(records, indent=2) + "\n", encoding="utf-8")
    minutes = (time.perf_counter() - start) / 60
    print(f"Written to {RESULTS.relative_to(Path.cwd())} after {minutes:.1f} minutes.")


if __name__ == "__main__":
    main()
