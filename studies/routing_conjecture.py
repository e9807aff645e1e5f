"""The conjecture at the end of section 7 of the paper, measured.

With m1 messages that must be delivered one after the other and mr between random nodes, random routing takes
O(m1 + lg mr) delivery rounds.

`python -m studies.routing_conjecture [--nodes 1024] [--runs 40] [--seed 1]` prints the table.

References
----------
Strumpen and Krishnamurthy, A collision model for randomized routing in fat-tree networks (JPDC 2005).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

from schedsolve.models.routing.simulation.experiment import Summary, experiment, run_experiment
from schedsolve.models.routing.simulation.simulation import DEFAULT_RULES, delivery_rounds

if TYPE_CHECKING:
    import numpy as np

PATTERNS = ("shift:1", "shift:3", "bit-reversal", "transpose", "all-to-one")


@dataclass(frozen=True)
class Row:
    """What was measured.

    Attributes
    ----------
    sequential
        M1, the messages for one destination.
    parallel
        Mr, the others.
    """

    name: str
    sequential: int
    parallel: int
    summary: Summary

    @property
    def terms(self) -> float:
        """m1 + lg mr, where lg 0 counts as 0."""
        return self.sequential + log2(max(1, self.parallel))


def mixed_messages(
    n: int, sequential: int, parallel: int, runs: int, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Messages of some runs from distinct random sources: m1 of them to one random node, mr to random ones.

    Node v of run k is numbered k n + v. Needs m1 + mr < n.
    """
    import numpy as np

    nodes = generator.permuted(np.tile(np.arange(n, dtype=np.int32), (runs, 1)), axis=1)
    target, source = nodes[:, :1], nodes[:, 1 : sequential + parallel + 1]
    other = generator.integers(0, n - 1, size=source.shape, dtype=np.int32)
    destination = other + (other >= source)
    destination[:, :sequential] = target
    offset = (np.arange(runs, dtype=np.int32) * n)[:, None]
    return (source + offset).ravel(), (destination + offset).ravel()


def mixtures(n: int, runs: int, seed: int) -> Iterator[Row]:
    """Every power of four up to n/4 as m1 and 0, with as many as there are left, an eighth of n, and none."""
    import numpy as np

    generator = np.random.default_rng(seed)
    for sequential in [0, *(1 << k for k in range(0, n.bit_length() - 2, 2))]:
        for parallel in sorted({0, n // 8, n - sequential - 1}):
            if sequential + parallel:
                source, destination = mixed_messages(n, sequential, parallel, runs, generator)
                values = delivery_rounds(source, destination, n, runs, DEFAULT_RULES, generator)
                yield Row("mixture", sequential, parallel, Summary(values))


def patterns(n: int, runs: int, seed: int) -> Iterator[Row]:
    """Yield the patterns of the paper.

    In a permutation nothing is sequential, with one destination everything.
    """
    for name in PATTERNS:
        if name != "transpose" or n.bit_length() % 2:
            asked = experiment(n, name)
            count = asked.message_count
            together = (count, 0) if name == "all-to-one" else (0, count)
            yield Row(name, *together, run_experiment(asked, runs, seed))


def conjecture_lines(n: int, runs: int, seed: int) -> list[str]:
    """Return the table as Markdown."""
    lines = [
        "| messages | m1 | mr | rounds on average | 95 % | m1 + lg mr | rounds / (m1 + lg mr) |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in [*mixtures(n, runs, seed), *patterns(n, runs, seed)]:
        interval = row.summary.confidence_interval
        between = "-" if interval is None else f"{interval[0]:.2f}..{interval[1]:.2f}"
        ratio = f"{row.summary.mean / row.terms:.2f}" if row.terms else "-"
        lines.append(
            f"| {row.name} | {row.sequential} | {row.parallel} | {row.summary.mean:.2f} | {between} |"
            f" {row.terms:.1f} | {ratio} |"
        )
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=1024)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    print("\n".join(conjecture_lines(chosen.nodes, chosen.runs, chosen.seed)))


if __name__ == "__main__":
    main()
