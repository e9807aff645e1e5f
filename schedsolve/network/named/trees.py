"""Trees from a root, and paths from an end."""

from __future__ import annotations

from schedsolve.network.graph import Network


def order_from(network: Network, root: int) -> tuple[list[int], list[int]]:
    """Return the nodes of a tree, parents before children, and every node's parent (-1 for the root)."""
    parent = [-1] * network.node_count
    order = [root]
    for v in order:
        for w in network.successors[v]:
            if w != parent[v]:
                parent[w] = v
                order.append(w)
    return order, parent


def is_path(network: Network) -> bool:
    """Return whether the network is an undirected path, with any numbering of its nodes."""
    return network.is_tree and all(len(near) <= 2 for near in network.successors)


def path_order(network: Network) -> list[int]:
    """Return the nodes of a path from the end with the smaller number."""
    return order_from(network, next(v for v, near in enumerate(network.successors) if len(near) <= 1))[0]
