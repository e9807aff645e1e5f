"""Complete k-ary trees, recognised in a network with any numbering of its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from schedsolve.network.graph import Network


@dataclass(frozen=True)
class CompleteTree:
    """A complete tree: inner nodes have `arity` children, and all leaves are `height` below the root.

    `children` holds those of every node, in increasing order.
    """

    arity: int
    height: int
    root: int
    children: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=4)
def complete_tree(network: Network) -> CompleteTree | None:
    """Return the complete tree that the network is, of arity 2 or more; None if it is not one.

    The height is 0 or more, and the nodes may be numbered in any way.
    """
    if not network.is_tree:
        return None
    n = network.node_count
    degrees = sorted({len(near) for near in network.successors})
    inner = [v for v, near in enumerate(network.successors) if len(near) > 1]
    if n > 1 and not (len(degrees) in (2, 3) and degrees[0] == 1 and degrees[1] >= 2):
        return None
    arity = 2 if n == 1 else degrees[1]
    root = 0 if n == 1 else next((v for v in inner if len(network.successors[v]) == arity), 0)
    children: list[tuple[int, ...]] = [()] * n
    level, height, above = [root], 0, {root: root}
    while True:
        for v in level:
            children[v] = tuple(sorted(w for w in network.successors[v] if w != above[v]))
        sizes = {len(children[v]) for v in level}
        if sizes == {0}:
            return CompleteTree(arity, height, root, tuple(children))
        if sizes != {arity}:
            return None
        above.update((w, v) for v in level for w in children[v])
        level, height = [w for v in level for w in children[v]], height + 1
