"""Small problems of calls from informed to uninformed nodes, and their optima by breadth-first search."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations, permutations

import networkx as nx
from hypothesis import strategies as st

from schedsolve.network.graph import Network
from tests.reference.brute_force import atlas

ATLAS = [Network.from_networkx(g) for g in atlas() if 0 < len(g) <= 5 and nx.is_connected(g)]


def least_rounds(network: Network, sources: Collection[int], targets: Collection[int]) -> int:
    """The optimum, by breadth-first search over all sets of informed nodes; every target can be reached."""
    wanted = frozenset(targets)
    level = {frozenset(sources)}
    rounds = 0
    while not any(wanted <= informed for informed in level):
        level = {after for informed in level for after in _informed_after(network, informed)}
        rounds += 1
    return rounds


def _informed_after(network: Network, informed: frozenset[int]) -> set[frozenset[int]]:
    """All sets that one round, in which every informed node calls or has nobody left to call, can lead to."""
    results = {informed}
    for u in informed:
        fresh = [v for v in network.successors[u] if v not in informed]
        results = {after | {v} for after in results for v in fresh if v not in after} | {
            after for after in results if after.issuperset(fresh)
        }
    return results


@st.composite
def problems(draw: st.DrawFn, most_nodes: int = 6) -> tuple[Network, list[int], list[int]]:
    """A network, directed or not, sources, and targets that they reach."""
    n = draw(st.integers(1, most_nodes))
    directed = draw(st.booleans())
    pairs = list(permutations(range(n), 2)) if directed else list(combinations(range(n), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    network = Network(n, tuple(edges), directed)
    sources = draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=2, unique=True))
    reached = [v for v, d in enumerate(network.distances_from(sources)) if d is not None]
    return network, sources, draw(st.lists(st.sampled_from(reached), unique=True))
