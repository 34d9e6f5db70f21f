"""Run all benchmarks, print a table and write results.json beside this file."""

import json
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import (
    agreement,
    augment,
    consensus,
    live,
    pages,
    policies,
    rehearsal,
    scores,
    stores,
)

RESULTS = Path(__file__).parent / "results.json"


def main() -> None:
    """Measure, print, write."""
    parts = (agreement, scores, consensus, augment, policies, rehearsal, stores, live, pages)
    rows = [row for part in parts for row in part.rows()]
    table = Table("what", "ours", "peer", "", "unit", "times faster", box=None)
    for row in rows:
        ours, peer = f"{row.ours:.3g}", f"{row.peer:,.3g}"
        table.add_row(row.name, ours, peer, row.peer_name, row.unit, f"{row.ratio:,.0f}")
    Console(width=120).print(table)
    records = [asdict(row) | {"ratio": row.ratio} for row in rows]
    RESULTS.write_text(json.dumps(records, indent=2) + "\n", encoding="utf-8")
    print(f"Written to {RESULTS.relative_to(Path.cwd())}.")


if __name__ == "__main__":
    main()
