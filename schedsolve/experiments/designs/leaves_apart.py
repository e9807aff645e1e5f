"""Networks of a level whose leaves are apart: built from networks without a leaf, a leaf at a time.

Where `Designs.leaves_apart` holds, these are all networks of the level that can answer.

1. A network that answers has at most one leaf at a node, and a node with a leaf has two more links at least.
   That is what `Designs.leaves_apart` says. So without its leaves it has no leaf, and is connected.
2. A leaf may be left out: it passes on to its neighbour only what it has from there, and its own item. So a
   network that answers does so without any of its leaves.
3. Hence every network that answers comes from one without a leaf that answers, by adding a leaf at a time, at
   nodes of that network that have none yet, so that every network on the way answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from schedsolve.network.classes.canonical_form import Rows, canonical_form

Holds = Callable[[Rows], bool]


def core_sizes(nodes: int, edges: int) -> Iterator[tuple[int, int]]:
    """Yield the nodes and links of the networks without a leaf to which leaves are added, largest first.

    Parameters
    ----------
    nodes, edges
        Of the networks of the level.
    """
    for core in range(nodes, max(3, -(-nodes // 2)) - 1, -1):
        links = edges - (nodes - core)
        if core <= links <= core * (core - 1) // 2:
            yield core, links


def with_leaves(core: Rows, nodes: int, holds: Holds) -> Iterator[tuple[Rows, bool]]:
    """Yield every network that is decided on the way from one without a leaf, each with whether it answers.

    Parameters
    ----------
    core
        The network without a leaf.
    nodes
        How many nodes the networks of the level have.
    holds
        Decides a network.
    """
    networks = {core}
    while networks:
        following: set[Rows] = set()
        for rows in sorted(networks):
            answers = holds(rows)
            yield rows, answers
            if answers and len(rows) < nodes:
                following.update(_with_a_leaf_more(rows))
        networks = following


def _with_a_leaf_more(rows: Rows) -> Iterator[Rows]:
    """Yield the network with a leaf at every node that is none and has none, in canonical form."""
    leaves = sum(1 << v for v, row in enumerate(rows) if row.bit_count() == 1)
    n = len(rows)
    for v, row in enumerate(rows):
        if row.bit_count() > 1 and not row & leaves:
            with_leaf = [*rows, 1 << v]
            with_leaf[v] |= 1 << n
            yield canonical_form(tuple(with_leaf)).rows
