"""Optimal gossip in complete trees of every height from a list of types (docs/theorems.md, section 2)."""

from __future__ import annotations

from functools import cache

from ..bounds.tree_periods import every_height
from ..claims.complete_trees import CompleteTree
from ..claims.tree_types import Child, NodeType, TypeList

LONGEST_PERIOD = 24
"""The longest period for which a list of types is searched for, unless a theorem gives one."""


def theorem_2(k: int) -> TypeList:
    """Return the types of Theorem 2: two-way gossip for arity k >= 4 with period p = k + 2.

    A child called in the same slot j both ways has slack a + j - 2 and delay 0. Slacks greater than p
    are reduced by multiples of p, which keeps the slot.

    Raises
    ------
    ValueError
        If k < 4.
    """
    if k < 4:
        raise ValueError(f"Theorem 2 is for arity 4 or more, not {k}")
    p = k + 2

    def lower(slack: int) -> int:
        return slack - p * max(0, -((p - slack) // p))

    def loop(slack: int, slot: int) -> Child:
        return lower(slack + slot - 2), slot

    root = [(i, i + p) for i in range(k - 3)] + [(k - 3, k), (k - 2, k + 1), (k - 1, k - 1)]
    kinds = {(0, 0): NodeType(0, (*(loop(0, j) for j in range(2, k + 1)), (k - 1, 1)))}
    wanted = [(up, (down - up) % p) for up, down in root] + [(k - 1, 2)]
    for slack, delay in wanted:
        if (slack, delay) not in kinds:
            slots = [j for j in range(1, k + 2) if j != (delay or k + 1)]
            children = tuple(loop(slack, j) for j in slots)
            kinds[slack, delay] = NodeType(1 if delay else 0, children)
            wanted += [(below, 0) for below, _ in children]
    return TypeList(k, True, p, tuple(root), kinds)


@cache
def types_for(arity: int, two_way: bool, period: int) -> TypeList | None:
    """Return a list of types for a period, by Theorem 2 or by the recursion; None if none is found."""
    if two_way and arity >= 4 and period == arity + 2:
        return theorem_2(arity)
    if not arity < period <= LONGEST_PERIOD:
        return None
    return every_height(arity, two_way, period)


def scheme_calls(tree: CompleteTree, found: TypeList) -> list[list[tuple[int, int]]]:
    """Return the calls (caller, callee) in the slots of one period.

    A two-way call is listed once for each direction in which it is needed.
    """
    k, p, h = found.arity, found.period, tree.height
    slots: list[dict[tuple[int, int], None]] = [{} for _ in range(p)]
    start = k * (h - 1) + 1
    level = []
    for child, (up, down) in zip(tree.children[tree.root], found.root, strict=False):
        level.append((tree.root, child, start + up, start + down, (up, (down - up) % p)))
    for _ in range(h):
        following = []
        for parent, node, up, down, kind in level:
            slots[(up - 1) % p][node, parent] = None
            slots[(down - 1) % p][parent, node] = None
            chosen = found.kinds[kind].children
            for child, (slack, slot) in zip(tree.children[node], chosen, strict=False):
                called = up + found.up_slot(kind[0], (slack, slot))
                below = found.child(kind[0], (slack, slot))
                following.append((node, child, called, up + slot, below))
        level = following
    return [list(slot) for slot in slots]
