"""Cayley graphs and the groups they come from, against published numbers and networkx."""

from __future__ import annotations

from itertools import product

import pytest

from schedsolve.network.automorphism_generators import is_vertex_transitive
from schedsolve.network.classes.canonical_form import canonical_form
from schedsolve.network.classes.cayley import MOST_ELEMENTS, cayley_graphs, groups
from schedsolve.network.classes.network_class import NetworkClass, network_of, rows_of
from schedsolve.network.graph import Network

NUMBERS = [1, 1, 1, 2, 1, 2, 1, 5, 2, 2, 1, 5, 1, 2, 1, 14, 1, 5, 1, 5, 2, 2, 1, 15, 2, 2, 5, 4, 1, 4, 1]
"""Of groups of order 1 to 31 (OEIS A000001)."""


def test_groups() -> None:
    assert [len(groups(n)) for n in range(1, MOST_ELEMENTS + 1)] == NUMBERS
    for table in groups(12):
        assert all(sorted(row) == list(range(12)) for row in table)
        assert all(table[0][x] == table[x][0] == x for x in range(12))
        triples = product(range(12), repeat=3)
        assert all(table[table[x][y]][z] == table[x][table[y][z]] for x, y, z in triples)


@pytest.mark.parametrize(("n", "degree", "count"), [(8, 3, 2), (10, 3, 2), (12, 3, 4), (16, 3, 4), (9, 4, 3)])
def test_numbers_of_cayley_graphs(n: int, degree: int, count: int) -> None:
    """All cubic vertex-transitive graphs with so many nodes but the Petersen graph are Cayley graphs."""
    found = cayley_graphs(n, degree)
    assert len(set(found)) == len(found) == count
    for rows in found:
        assert {row.bit_count() for row in rows} == {degree}
        assert is_vertex_transitive(network_of(rows))


def test_transitive_graphs_are_cayley_graphs_but_for_petersens() -> None:
    """Up to nine nodes and with ten, by the generation of all regular graphs."""
    for n in range(3, 11):
        for degree in (d for d in range(2, min(n, 5)) if n * d % 2 == 0):
            every = set(NetworkClass(n, regular=degree, vertex_transitive=True).members(n * degree // 2))
            missing = every - set(cayley_graphs(n, degree))
            assert set(cayley_graphs(n, degree)) <= every
            petersen = canonical_form(rows_of(Network.from_spec("petersen"))).rows
            assert missing == ({petersen} if (n, degree) == (10, 3) else set())


def test_the_class() -> None:
    kind = NetworkClass(8, cayley=True, max_degree=3)
    assert kind.edge_counts() == [8, 12]
    assert kind.why_not(Network.from_spec("hypercube:3")) is None
    assert kind.why_not(Network.from_spec("path:8")) == "it is not a Cayley graph"
    assert NetworkClass(8, cayley=True, regular=3, bipartite=True).edge_counts() == [12]
    assert len(list(NetworkClass(8, cayley=True, regular=3, bipartite=True).members(12))) == 1
