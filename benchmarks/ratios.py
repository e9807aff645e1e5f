"""One table of how many times schedsolve's CPU time its peers take, of reports by `bench` and `collectives`.

`python -m benchmarks.ratios out/bench.json out/collectives.json`

It is Markdown. A ratio after > is that of a peer that was stopped before it had the answer.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.bench import PEERS

COLUMNS = (*PEERS, "msccl-tools", "ForestColl")
START_SECONDS = 0.01
"""A solve in less time counts as one of so many seconds in the ratios."""


def bench_row(row: Mapping[str, Any]) -> tuple[list[str], dict[str, tuple[float, bool]]]:
    """Return the first cells of a row of `bench`, and its peers' ratios, with whether each has the answer."""
    value = row["value"] if row["value"] == row["lower_bound"] else f"{row['lower_bound']}..{row['value']}"
    own = max(row["solve_seconds"], START_SECONDS)
    ratios = {
        name: (peer["solve_seconds"] / own, peer["status"] == "optimal")
        for name, peer in row["peers"].items()
        if peer["solve_seconds"] is not None
    }
    return [f"`{row['instance']}`", str(value), f"{row['solve_seconds']:.2f}"], ratios


def collectives_row(row: Mapping[str, Any]) -> tuple[list[str], dict[str, tuple[float, bool]]]:
    """Return the same of a row of `collectives`, whose CPU seconds are those of the whole process."""
    ratios = {name: (peer["seconds"] / row["seconds"], peer["ended"]) for name, peer in row["peers"].items()}
    return [f"`{row['words']}`", row["found"], f"{row['seconds']:.2f}"], ratios


def table(rows: Sequence[tuple[list[str], dict[str, tuple[float, bool]]]]) -> list[str]:
    """Return the lines of the table; the last ones are medians of those with the answer, and their number."""
    lines = [f"| problem | value | CPU s | {' | '.join(COLUMNS)} |", "|---" * (3 + len(COLUMNS)) + "|"]
    for cells, ratios in rows:
        shown = [_shown(*ratios[name]) if name in ratios else "" for name in COLUMNS]
        lines.append(f"| {' | '.join([*cells, *shown])} |")
    asked = {name: [ratios[name] for _, ratios in rows if name in ratios] for name in COLUMNS}
    answered = {name: [ratio for ratio, ended in of if ended] for name, of in asked.items()}
    medians = [f"{median(answered[name]):.3g}" if answered[name] else "" for name in COLUMNS]
    counts = [f"{len(answered[name])} of {len(asked[name])}" if asked[name] else "" for name in COLUMNS]
    lines.append(f"| median of those with the answer | | | {' | '.join(medians)} |")
    lines.append(f"| with the answer | | | {' | '.join(counts)} |")
    return lines


def _shown(ratio: float, ended: bool) -> str:
    digits = f"{ratio:.2g}" if ratio < 100 else f"{ratio:.0f}"
    return digits if ended else f"> {digits}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of two reports; the exit status is 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ratios", description=__doc__.splitlines()[0])
    parser.add_argument("bench", type=Path, metavar="BENCH.json")
    parser.add_argument("collectives", type=Path, metavar="COLLECTIVES.json")
    parsed = parser.parse_args(arguments)
    bench, collectives = (json.loads(file.read_text()) for file in (parsed.bench, parsed.collectives))
    rows = [*map(bench_row, bench["rows"]), *map(collectives_row, collectives)]
    print("\n".join(table(rows)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
