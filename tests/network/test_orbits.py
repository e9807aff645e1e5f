from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from schedsolve.network.orbits import carriers, first_of_orbit

GENERATORS = st.integers(1, 8).flatmap(
    lambda count: st.lists(st.permutations(range(count)), max_size=3).map(lambda moves: (count, moves))
)


def test_orbits_of_small_groups() -> None:
    assert first_of_orbit(0, []) == []
    assert first_of_orbit(1, []) == [0] == first_of_orbit(1, [[0]])
    assert first_of_orbit(6, [[1, 2, 3, 4, 5, 0]]) == [0] * 6
    assert first_of_orbit(6, [[0, 5, 4, 3, 2, 1]]) == [0, 1, 2, 3, 2, 1]
    assert carriers(1, []) == {0: {0: range(1)}}
    assert carriers(3, [[1, 0, 2]]) == {0: {0: range(3), 1: [1, 0, 2]}, 2: {2: range(3)}}


@given(GENERATORS)
def test_an_orbit_is_what_permutations_connect(generators: tuple[int, list[list[int]]]) -> None:
    count, moves = generators
    graph = nx.Graph((v, move[v]) for move in moves for v in range(count))
    graph.add_nodes_from(range(count))
    wanted = {v: min(orbit) for orbit in nx.connected_components(graph) for v in orbit}
    assert first_of_orbit(count, moves) == [wanted[v] for v in range(count)]


@given(GENERATORS)
def test_carriers_are_of_the_group(generators: tuple[int, list[list[int]]]) -> None:
    count, moves = generators
    orbits = carriers(count, moves)
    firsts = first_of_orbit(count, moves)
    assert {v: first for first, images in orbits.items() for v in images} == dict(enumerate(firsts))
    group = {tuple(range(count))}
    pending = list(group) if count <= 5 else []
    for element in pending:
        fresh = {tuple(move[v] for v in element) for move in moves} - group
        group |= fresh
        pending += fresh
    for first, images in orbits.items():
        for v, image in images.items():
            assert image[first] == v
            assert sorted(image) == list(range(count))
            assert count > 5 or tuple(image) in group
