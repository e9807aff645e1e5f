"""The table of designs: its networks, its statuses, and for small networks its rows found again."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from schedsolve import design
from schedsolve.network.classes.network_class import NetworkClass, network_from_text

TABLE = Path(__file__).parents[3] / "instances" / "designs.csv"
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))
KNOWN = {
    ("telephone", "gossip"): {
        2: 1, 3: 2, 4: 4, 5: 5, 6: 6, 7: 7, 8: 12, 9: 9, 10: 13, 11: 11, 12: 18, 13: 17, 14: 21, 16: 32,
    },
    ("telephone", "broadcast"): {
        2: 1, 3: 2, 4: 4, 5: 5, 6: 6, 7: 8, 8: 12, 9: 10, 10: 12, 11: 13, 12: 15, 13: 18, 14: 21,
        15: 24, 16: 32,
    },
    ("telegraph", "gossip"): {2: 1, 3: 2, 4: 3, 5: 5, 6: 6, 7: 6, 8: 7, 9: 10},
}  # fmt: skip
"""OEIS A317185, to 12 nodes, and A007192, and the one-way gossip graphs."""


def members(row: dict[str, str]) -> NetworkClass:
    given = dict(part.split("=") for part in row["class"].split())
    most = int(given["max_degree"]) if "max_degree" in given else None
    return NetworkClass(
        int(row["nodes"]), directed="directed" in given, max_degree=most, circulant="circulant" in given
    )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['model']}-{row['task']}-{row['nodes']}")
def test_every_network_is_what_the_row_says(row: dict[str, str]) -> None:
    network = network_from_text(row["network"])
    assert members(row).why_not(network) is None
    assert len(network.edges) == int(row["edges"])
    assert (row["status"] == "optimal") == (row["edges"] == row["lower_bound"])
    if not row["class"] and row["model"] != "line":
        assert KNOWN[row["model"], row["task"]][int(row["nodes"])] == int(row["edges"])


@pytest.mark.parametrize(
    "row",
    [
        r
        for r in ROWS
        if int(r["nodes"]) == (6 if r["model"] == "line" else 7)
        and r["level_graphs"]
        and "directed" not in r["class"]
    ],
    ids=lambda row: f"{row['model']}-{row['task']}",
)
def test_rows_are_found_again(row: dict[str, str]) -> None:
    """With the count and the digest of the last level below."""
    options = dict(part.split("=") for part in row["class"].split())
    limits = {"ports": options.get("ports"), "max_degree": members(row).max_degree}
    found = design(row["model"], row["task"], int(row["nodes"]), **limits)  # type: ignore[arg-type]
    last = found.sides.levels[-1]
    assert (str(last.graphs), last.digest) == (row["level_graphs"], row["level_digest"])
    assert (str(found.sides.reached), str(found.sides.edges)) == (row["rounds_or_steps"], row["edges"])
