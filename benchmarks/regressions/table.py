"""The table of problems, and when a row is worse than the one that it is compared with."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from pathlib import Path

TABLE = Path(__file__).with_name("table.csv")
CPU_RATIO, CPU_SECONDS = 1.5, 0.5
"""A row that takes more than both of these, times and more, is worse."""
RANKS = {"optimal": 3, "infeasible": 3, "feasible": 2, "bounded": 1, "unknown": 0, "failed": -1}


@dataclass(frozen=True)
class Row:
    """A problem, and what a solve of it gave.

    Attributes
    ----------
    problem
        The words of `schedsolve solve` that pose it; files are named from the top of the project.
    source
        Where it comes from: comparison (`instances/comparison.toml`), docs, or battery.
    limit, seed
        Seconds of CPU time that the solve may take, and its seed.
    status, value, lower_bound
        Its outcome; "" for a side that was not found, and the status "failed" where there was none.
    cpu_seconds
        What it took, without the start of Python and the imports.
    """

    problem: str
    source: str
    limit: float
    seed: int
    status: str = ""
    value: str = ""
    lower_bound: str = ""
    cpu_seconds: float = 0

    @property
    def key(self) -> tuple[str, float, int]:
        """What a row is about."""
        return self.problem, self.limit, self.seed

    def worse_than(self, before: Row) -> list[str]:
        """Return in which ways this outcome is worse than an earlier one."""
        found = []
        if RANKS[self.status] < RANKS[before.status]:
            found.append(f"status {before.status} -> {self.status}")
        if _number(self.value, above=True) > _number(before.value, above=True):
            found.append(f"value {before.value} -> {self.value or 'none'}")
        if _number(self.lower_bound) < _number(before.lower_bound):
            found.append(f"bound {before.lower_bound} -> {self.lower_bound or 'none'}")
        if self.cpu_seconds > max(CPU_RATIO * before.cpu_seconds, before.cpu_seconds + CPU_SECONDS):
            found.append(f"CPU {before.cpu_seconds:.1f} -> {self.cpu_seconds:.1f} s")
        return found


def _number(text: str, *, above: bool = False) -> Fraction:
    """Return a value; one that was not found is beyond all others, on the side that is worst."""
    return Fraction(text) if text else Fraction(10**9 if above else -(10**9))


def read_table(path: Path = TABLE) -> list[Row]:
    """Return the rows of a table.

    Raises
    ------
    ValueError
        If two rows are about the same.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = [_row(each) for each in csv.DictReader(file)]
    if len({row.key for row in rows}) < len(rows):
        raise ValueError(f"{path.name} has a problem twice")
    return rows


def _row(entry: Mapping[str, str]) -> Row:
    numbers = {"limit": float(entry["limit"]), "seed": int(entry["seed"])}
    return Row(**{**entry, **numbers, "cpu_seconds": float(entry["cpu_seconds"])})  # type: ignore[arg-type]


def write_table(rows: Iterable[Row], path: Path = TABLE) -> None:
    """Write rows as a table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [each.name for each in fields(Row)], lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow(
                {**asdict(row), "limit": f"{row.limit:g}", "cpu_seconds": f"{row.cpu_seconds:.2f}"}
            )
