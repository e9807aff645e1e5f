"""Canonical forms, automorphism generators, and the connected graphs of a class by their number of links."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import networkx as nx
import pytest

from schedsolve.network.classes.canonical_form import Rows, canonical_form
from schedsolve.network.classes.graph_generation import GraphClass, connected_graphs
from tests.reference.brute_force import atlas

ATLAS = [g for g in atlas() if 0 < len(g) <= 6 and nx.is_connected(g)]
KNOWN = {
    7: [11, 33, 67, 107, 132, 138, 126, 95, 64, 40, 21, 10, 5, 2, 1, 1],
    8: [23, 89, 236, 486],
    9: [47, 240, 797],
}
"""The numbers of connected graphs (OEIS A054924), from trees on."""


def rows_of(graph: nx.Graph) -> Rows:
    return tuple(sum(1 << w for w in graph[v]) for v in sorted(graph))


def renumbered(rows: Rows, image: list[int]) -> Rows:
    moved = [0] * len(rows)
    for v, row in enumerate(rows):
        moved[image[v]] = sum(1 << image[w] for w in range(len(rows)) if row >> w & 1)
    return tuple(moved)


def group_order(generators: tuple[tuple[int, ...], ...], n: int) -> int:
    reached, waiting = {tuple(range(n))}, [tuple(range(n))]
    while waiting:
        p = waiting.pop()
        for g in generators:
            q = tuple(g[x] for x in p)
            if q not in reached:
                reached.add(q)
                waiting.append(q)
    return len(reached)


def random_digraphs() -> list[Rows]:
    rng = random.Random(5)
    made = []
    for n in (3, 4, 5, 6) * 10:
        arcs = [(u, v) for u, v in permutations(range(n), 2) if rng.random() < 0.3]
        made.append(tuple(sum(1 << v for v in range(n) if (u, v) in arcs) for u in range(n)))
    return made


@pytest.mark.parametrize("directed", [False, True])
def test_a_form_is_the_same_for_every_numbering(directed: bool) -> None:
    """Renumbering changes nothing; the image leads to the form; only isomorphic graphs share one; the
    generators give as many automorphisms as there are.
    """
    rng = random.Random(3)
    graphs = random_digraphs() if directed else [rows_of(g) for g in ATLAS]
    for rows in graphs:
        n = len(rows)
        form = canonical_form(rows, directed=directed)
        assert renumbered(rows, list(form.image)) == form.rows
        order = rng.sample(range(n), n)
        assert canonical_form(renumbered(rows, order), directed=directed).rows == form.rows
        symmetries = [p for p in permutations(range(n)) if renumbered(rows, list(p)) == rows]
        assert group_order(form.generators, n) == len(symmetries)
    if not directed:
        assert len({canonical_form(rows).rows for rows in graphs}) == len(graphs)


@pytest.mark.parametrize("name", ["petersen_graph", "cubical_graph", "heawood_graph", "tutte_graph"])
def test_symmetric_graphs(name: str) -> None:
    """Regular graphs, whose refinement alone says nothing."""
    graph = nx.convert_node_labels_to_integers(getattr(nx, name)())
    rows = rows_of(graph)
    order = random.Random(1).sample(range(len(rows)), len(rows))
    assert canonical_form(renumbered(rows, order)).rows == canonical_form(rows).rows


def test_the_numbers_of_connected_graphs() -> None:
    for n, counts in KNOWN.items():
        found = [
            sum(1 for _ in connected_graphs(GraphClass(n), m)) for m in range(n - 1, n - 1 + len(counts))
        ]
        assert found == counts


def test_the_numbers_of_connected_digraphs() -> None:
    """OEIS A003085: 1, 2, 13, 199 digraphs are connected without their directions."""
    for n, total in ((1, 1), (2, 2), (3, 13), (4, 199)):
        kind = GraphClass(n, directed=True)
        assert sum(1 for m in range(n * n) for _ in connected_graphs(kind, m)) == total


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_classes_are_those_of_the_atlas(n: int) -> None:
    """Every class against the graphs of the atlas with its properties."""
    for most, least, bipartite in ((9, 0, False), (3, 0, False), (9, 2, False), (3, 2, True), (9, 0, True)):
        kind = GraphClass(n, max_degree=most, min_degree=least, bipartite=bipartite)
        wanted = {
            canonical_form(rows_of(g)).rows
            for g in ATLAS
            if len(g) == n
            and all(least <= d <= most for _, d in g.degree())
            and (not bipartite or nx.is_bipartite(g))
        }
        found = [form.rows for m in range(n * n) for form in connected_graphs(kind, m)]
        fit = [rows for rows in found if all(row.bit_count() >= least for row in rows)]
        assert set(fit) == wanted
        assert len(fit) == len(wanted)
        assert all(sum(map(int.bit_count, rows)) <= 2 * kind.most_edges for rows in found)


def test_residues_are_parts() -> None:
    """The parts have no graph in common and together all of them."""
    whole = [form.rows for form in connected_graphs(GraphClass(7), 9)]
    parts = [[form.rows for form in connected_graphs(GraphClass(7), 9, i, 4)] for i in range(4)]
    assert sorted(rows for part in parts for rows in part) == sorted(whole)
    assert all(not set(a) & set(b) for a, b in combinations(parts, 2))
