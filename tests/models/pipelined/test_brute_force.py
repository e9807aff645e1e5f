"""The optimum against linear programs over all trees and all ways, on tiny networks."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import islice, permutations
from random import Random

import pytest

from tests.models.pipelined.problems import digraph, optimum, posed, random_switched
from tests.reference.machines_digraphs import is_strong, strong_digraphs
from tests.reference.machines_ways import machine
from tests.reference.pipelined_oracle import least_time


def agrees(node_count: int, compute: int, links: Mapping[tuple[int, int], int]) -> None:
    """All tasks have the optimum of the oracle."""
    network = digraph(node_count, links, compute)
    given = [(u, v, Fraction(bandwidth)) for (u, v), bandwidth in links.items()]
    of = machine(node_count, range(compute, node_count), given, directed=True)
    for task, node in (
        ("allgather", None), ("broadcast", 0), ("alltoall", None), ("scatter", 0), ("gather", 0)
    ):  # fmt: skip
        assert optimum(posed(task, network)) == least_time(task, of, node), (task, links)


@pytest.mark.parametrize("n", [2, 3])
def test_all_small_digraphs(n: int) -> None:
    """Every strongly connected digraph with bandwidths 1 and 2."""
    for links in strong_digraphs(n, 2):
        agrees(n, n, links)


def test_a_sample_of_digraphs_with_four_nodes() -> None:
    """Random strongly connected digraphs with bandwidths 1 and 2."""
    rng = Random(4)
    pairs = list(permutations(range(4), 2))
    checked = 0
    while checked < 40:
        links = {pair: b for pair in pairs if (b := rng.choice([0, 0, 1, 2]))}
        if is_strong(4, links):
            agrees(4, 4, links)
            checked += 1


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_all_digraphs_with_four_nodes(part: int) -> None:
    """Every strongly connected digraph with four nodes and bandwidths 1 and 2, up to renumbering."""
    for links in islice(strong_digraphs(4, 2), part, None, 20):
        agrees(4, 4, links)


@pytest.mark.parametrize("seed", range(30))
def test_balanced_switches(seed: int) -> None:
    """Random networks whose switches have as much bandwidth in as out, their compute nodes not."""
    rng = Random(seed)
    compute, switches = rng.choice([(2, 1), (3, 1), (3, 2), (4, 1)])
    links: dict[tuple[int, int], int] = {}
    while not links or not is_strong(compute + switches, links):
        links = random_switched(rng, compute, switches)
    agrees(compute + switches, compute, links)
