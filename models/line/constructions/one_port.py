"""Broadcast and multicast in trees under the 1-port line model in the least number of rounds.

The trees are undirected, and every call comes with its path.

Source: Farley, Minimum-time line broadcast networks (Networks 10, 1980): in a connected network of n
nodes ceil(log2 n) rounds suffice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from schedsolve.network.graph import Network
from schedsolve.network.named.trees import order_from
from schedsolve.runtime.errors import InputError

from ..claims.trees import require_tree
from .tree_broadcast import Rounds, tree_path


def one_port_multicast(network: Network, source: int, targets: Collection[int]) -> Rounds:
    """Return a multicast from `source` to `targets` in an undirected tree in ceil(log2 k) rounds.

    Here k is the number of nodes among the source and the targets. No other node is informed. The
    rounds are found from the last to the first:

    1. Pair the nodes that are informed by the end of a round along edge-disjoint paths, all but at
       most one.
    2. In every pair one node calls the other, and only the caller is informed before the round. So
       the number of informed nodes is halved, rounded up, until only the source is left.

    Raises
    ------
    InputError
        If the network is not an undirected tree, or if a node is outside it.

    References
    ----------
    Farley 1980.
    """
    if network.directed:
        raise InputError("the 1-port protocol needs an undirected tree: its calls go up and down")
    require_tree(network)
    network.distances_to([source], targets)
    order, parent = order_from(network, source)
    informed = {source, *targets}
    backwards: Rounds = []
    while len(informed) > 1:
        pairs = _edge_disjoint_pairs(order, parent, informed)
        calls = [(v, u, top) if v == source else (u, v, top) for u, v, top in pairs]
        backwards.append(
            [(caller, callee, tree_path(caller, callee, top, parent)) for caller, callee, top in calls]
        )
        informed.difference_update(callee for _, callee, _ in calls)
    return backwards[::-1]


def _edge_disjoint_pairs(
    order: Sequence[int], parent: Sequence[int], group: Collection[int]
) -> list[tuple[int, int, int]]:
    """Return pairs of the group's nodes with the top nodes of their edge-disjoint paths (step 1).

    All nodes but at most one are paired. `order` lists the tree's nodes, parents before children. The
    nodes of the group below an edge are paired among themselves, so at most one is left to use the
    edge.
    """
    single = [v if v in group else -1 for v in range(len(parent))]
    pairs = []
    for v in reversed(order[1:]):
        top = parent[v]
        if single[v] >= 0 and single[top] >= 0:
            pairs.append((single[top], single[v], top))
            single[top] = -1
        elif single[v] >= 0:
            single[top] = single[v]
    return pairs
