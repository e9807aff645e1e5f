"""Broadcasts and gossips in trees, in rounds whose calls share no node.

Sources: Slater, Cockayne, Hedetniemi, Information dissemination in trees (SIAM J. Comput. 10,
1981), for the proof that the broadcast below is fastest; Hromkovic et al., The complexity of
systolic dissemination of information in interconnection networks (RAIRO 1994), section 2, for
gossips.
"""

from __future__ import annotations

from typing import Any

from .distances import distances
from .network import Network
from .tasks import targets_of
from .wrong import require


def tree_broadcast_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """In a tree a node does best to first call the neighbor whose part takes longest."""
    require_tree(network)
    wanted = set(targets_of(claim, network.n))
    if claim.get("open"):
        return min(broadcast_time(network, v, -1, wanted) for v in range(network.n))
    require(len(claim["sources"]) == 1, "in a tree, for one source")
    return max(broadcast_time(network, claim["sources"][0], -1, wanted), 0)


def tree_gossip_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """In a tree a gossip takes twice the least broadcast time, and two-way one round less."""
    require_tree(network)
    require(claim["task"] == "gossip" and network.n > 1, "no gossip among several nodes")
    wanted = set(range(network.n))
    least = min(broadcast_time(network, v, -1, wanted) for v in range(network.n))
    return 2 * least - (1 if claim["two_way"] else 0)


def require_tree(network: Network) -> None:
    """Raise WrongError unless the network is a tree whose links have no direction."""
    tree = not network.directed and len(network.edges) == network.n - 1
    require(tree and len(distances(network, [0])) == network.n, "the network is no tree")


def broadcast_time(network: Network, root: int, parent: int, wanted: set[int]) -> int:
    """Return the rounds for an informed node to inform the wanted nodes of its part of the tree.

    The part is the tree without the side of the parent; -1 stands for a part without wanted nodes.
    If the parts behind its calls take t_1 >= t_2 >= ... rounds, the i-th called node is informed in
    round i, and its part takes until i + t_i.
    """
    order, above = [root], {root: parent}
    for v in order:
        for w in network.heads[v]:
            if w != above[v]:
                above[w] = v
                order.append(w)
    time: dict[int, int] = {}
    for v in reversed(order):
        parts = sorted((time[w] for w in network.heads[v] if w != above[v]), reverse=True)
        rounds = [i + t for i, t in enumerate(parts, 1) if t >= 0]
        time[v] = max(rounds, default=0 if v in wanted else -1)
    return time[root]
