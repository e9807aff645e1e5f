"""Matchings in small bipartite graphs, against all assignments."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from schedsolve.network.classes.bipartite import full_matching


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_all_small_graphs(size: int) -> None:
    """Every graph with at most three nodes on the left and three on the right."""
    for edges in product([False, True], repeat=3 * size):
        partners = [[right for right in range(3) if edges[3 * left + right]] for left in range(size)]
        possible = any(
            all(right in partners[left] for left, right in enumerate(chosen))
            for chosen in permutations(range(3), size)
        )
        found = full_matching(range(size), partners.__getitem__)
        assert (found is not None) == possible
        if found is not None:
            assert sorted(found.values()) == list(range(size))
            assert all(right in partners[left] for right, left in found.items())


def test_a_long_augmenting_path() -> None:
    """The last of 3000 nodes displaces all others."""
    found = full_matching(range(3000), lambda left: range(max(0, 2998 - left), 3000 - left))
    assert found == {2999 - left: left for left in range(3000)}
