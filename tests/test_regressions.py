"""The table of `make regressions`: its rows stay, and a worse outcome is told from a better one."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from benchmarks.regressions.__main__ import _chosen, again, solved
from benchmarks.regressions.table import Row, read_table

ROWS, DIGEST = 977, "acc05e4c390e6772d2b3f9ec6ae9fcd2"
"""The rows of the table's first version, and a digest of their problems, limits and seeds."""
ROW = Row("telephone gossip cycle:6", "battery", 3, 0, "optimal", "3", "3", 1.0)


def test_no_row_leaves_the_table() -> None:
    """New rows go to its end; problems, limits and seeds of the first ones are as they were."""
    rows = read_table()[:ROWS]
    keys = "\n".join(f"{row.problem}|{row.limit:g}|{row.seed}" for row in rows)
    assert len(rows) == ROWS
    assert hashlib.sha256(keys.encode()).hexdigest().startswith(DIGEST)
    assert all(row.status for row in rows)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"status": "bounded"}, "status"),
        ({"value": "7/2"}, "value"),
        ({"value": ""}, "value"),
        ({"lower_bound": "2"}, "bound"),
        ({"lower_bound": ""}, "bound"),
        ({"cpu_seconds": 1.6}, "CPU"),
    ],
)
def test_what_is_worse(change: dict[str, object], word: str) -> None:
    (said,) = replace(ROW, **change).worse_than(ROW)  # type: ignore[arg-type]
    assert said.startswith(word)


@pytest.mark.parametrize(
    "change", [{}, {"value": "2", "lower_bound": "4"}, {"cpu_seconds": 1.5}, {"cpu_seconds": 0.0}]
)
def test_what_is_not_worse(change: dict[str, object]) -> None:
    """A better side, a little more time; and of a short solve twice the time."""
    assert not replace(ROW, **change).worse_than(ROW)  # type: ignore[arg-type]
    assert not replace(ROW, cpu_seconds=0.5).worse_than(replace(ROW, cpu_seconds=0.1))


def test_a_row_is_solved_and_compared() -> None:
    """In a process of its own; a value that was better before is named."""
    found = solved(ROW)
    assert (found.status, found.value, found.lower_bound) == ("optimal", "3", "3")
    assert solved(replace(ROW, problem="telephone gossip nothing:6")).status == "failed"
    left: list[str] = []
    list(again([replace(ROW, cpu_seconds=60), replace(ROW, value="2", cpu_seconds=60)], left))
    assert left == ["telephone gossip cycle:6 (3 s): value 2 -> 3"]


def test_a_share_takes_rows_at_equal_distances() -> None:
    rows = [replace(ROW, seed=seed) for seed in range(5)]
    assert [row.seed for row in _chosen(rows, "2/2", "")] == [1, 3]
    assert _chosen(rows, "1/1", "grid") == []
