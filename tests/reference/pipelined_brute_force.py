"""The least times of pipelined collectives on tiny networks, as linear programmes over all trees and all
paths.

Nothing here is shared with the package: trees and paths are listed one by one, and a float solver is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations, permutations, product

from ortools.linear_solver import pywraplp

Link = tuple[int, int]
Bandwidths = Mapping[Link, int]


def ways(bandwidths: Bandwidths, relays: Collection[int], u: int, v: int) -> Iterator[list[Link]]:
    """All paths from u to v whose inner nodes are distinct relays."""
    inner = [w for w in relays if w not in (u, v)]
    for count in range(len(inner) + 1):
        for order in permutations(inner, count):
            nodes = [u, *order, v]
            links = [(nodes[i], nodes[i + 1]) for i in range(len(nodes) - 1)]
            if all(link in bandwidths for link in links):
                yield links


def trees(
    node_count: int, switches: Collection[int], bandwidths: Bandwidths, root: int
) -> Iterator[list[Link]]:
    """All out-trees from the root that span the compute nodes, each as the links it loads."""
    others = [v for v in range(node_count) if v not in switches and v != root]
    senders = [root, *others]
    arrivals = [
        [(u, links) for u in senders if u != v for links in ways(bandwidths, switches, u, v)] for v in others
    ]
    for choice in product(*arrivals):
        parent = {v: u for v, (u, _) in zip(others, choice, strict=True)}
        if all(_leads_to(parent, v, root) for v in others):
            yield [link for _, links in choice for link in links]


def _leads_to(parent: Mapping[int, int], v: int, root: int) -> bool:
    for _ in parent:
        if v == root:
            break
        v = parent[v]
    return v == root


def least_tree_time(
    node_count: int, switches: Collection[int], bandwidths: Bandwidths, roots: Collection[int]
) -> float:
    """The least time in which the unit of every root gets to all compute nodes."""
    groups = [list(trees(node_count, switches, bandwidths, root)) for root in roots]
    return _least_time(groups, bandwidths)


def least_flow_time(
    node_count: int, switches: Collection[int], bandwidths: Bandwidths, pairs: Collection[Link]
) -> float:
    """The least time in which a unit of every pair (from, to) passes."""
    groups = [list(ways(bandwidths, range(node_count), u, v)) for u, v in pairs]
    return _least_time(groups, bandwidths)


def _least_time(groups: list[list[list[Link]]], bandwidths: Bandwidths) -> float:
    """The least time in which each group sends 1 over its members, which load links."""
    solver = pywraplp.Solver.CreateSolver("GLOP")
    infinity = solver.infinity()
    time = solver.NumVar(0, infinity, "")
    loads = {link: solver.Constraint(0, infinity) for link in bandwidths}
    for link, bandwidth in bandwidths.items():
        loads[link].SetCoefficient(time, bandwidth)
    for members in groups:
        one = solver.Constraint(1, 1)
        for links in members:
            x = solver.NumVar(0, infinity, "")
            one.SetCoefficient(x, 1)
            for link in set(links):
                loads[link].SetCoefficient(x, -links.count(link))
    solver.Minimize(time)
    assert solver.Solve() == solver.OPTIMAL
    return float(time.solution_value())


def strong_digraphs(node_count: int, largest: int) -> Iterator[dict[Link, int]]:
    """Strongly connected digraphs with bandwidths 1..largest, at least one of every kind up to
    renumbering.
    """
    pairs = list(permutations(range(node_count), 2))
    orders = list(permutations(range(node_count)))
    place = {pair: i for i, pair in enumerate(pairs)}
    moves = [[place[order[u], order[v]] for u, v in pairs] for order in orders]
    for word in product(range(largest + 1), repeat=len(pairs)):
        if all(word <= tuple(word[i] for i in move) for move in moves):
            links = {pair: b for pair, b in zip(pairs, word, strict=True) if b}
            if is_strong(node_count, links):
                yield links


def is_strong(node_count: int, links: Collection[Link]) -> bool:
    """Whether every set of nodes that is not all of them has a leaving link."""
    return all(
        any(u in nodes and v not in nodes for u, v in links)
        for count in range(1, node_count)
        for nodes in combinations(range(node_count), count)
    )
