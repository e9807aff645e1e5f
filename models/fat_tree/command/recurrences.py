"""The paper's recurrences (2) to (4) with their roundings made exact, for powers of two.

Source: Bilardi, Codenotti, Del Corso, Pinotti, Resta, Broadcast and associative operations on fat-trees
(1997).
"""

from __future__ import annotations

from ..constructions.broadcasts import copies, inverse_capacity
from ..rules.tree import SHAPES, FatTree


def shaped_tree(shape: str, height: int) -> FatTree:
    """Return the fat-tree of 2^height processors with capacities by name."""
    return FatTree(height, tuple(SHAPES[shape](1 << j) for j in range(height + 1)))


def sparse_time(tree: FatTree, height: int) -> int:
    """S(n) by recurrence (2).

    S(w^-1(a)) + S(w^-1(b)) + 4 log n for r = a b copies, 2 log n for two, 0 for a single processor.
    """
    k = copies(tree, height)
    if k < 2:
        return 2 * height * k
    near, nearer = (inverse_capacity(tree, 1 << part) for part in (k - k // 2, k // 2))
    return sparse_time(tree, near) + sparse_time(tree, nearer) + 4 * height


def broadcast_time(tree: FatTree, height: int) -> int:
    """T(n) = S(n) + T(n / r) by recurrence (3), with r in place of w(n), as w(n) = 1 would never end."""
    return (
        0 if height == 0 else sparse_time(tree, height) + broadcast_time(tree, height - copies(tree, height))
    )


def pipelined_time(tree: FatTree, height: int) -> int:
    """T'(n) by recurrence (4).

    S(n), then 2^q - 1 messages from every copy, the farthest first, then T' of the subtrees of all copies.

    Of those to the height H - g there are 2^(q-1-g), so that the last one is sent 2^q - 2^(q-1-g) - 1 steps
    after the first of all.
    """
    if height == 0:
        return 0
    rest = height - copies(tree, height)
    q = min(rest, max(1, rest.bit_length() - 1))
    spreading = max(((1 << q) - (1 << (q - 1 - g)) - 1 + 2 * (rest - g) for g in range(q)), default=0)
    return sparse_time(tree, height) + spreading + pipelined_time(tree, rest - q)
