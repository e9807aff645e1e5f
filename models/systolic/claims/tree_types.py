"""Optimal gossip in complete k-ary trees with a period: what a list of types proves for every height.

docs/theorems.md, section 2.

1. In a tree of height h let M be 2kh - 1 two-way and 2kh one-way, which is optimal. For a node v
   other than the root let U be the round in which all items below v are called up to its parent, and
   D that in which all others are called down to v.
2. The type of v is (a, d): the slack a = U - k g - 1, where g is the height of v, and the delay d =
   (D - U) mod p. A type with cost b says: the subtree of v can be done by round D + k g + b.
3. A node of type (a, d) and height g + 1 has k children of height g. One with slack a' <= a + k - 1
   is called up in slot a' - a - k, and down in some slot r, counted mod p from U; its delay is r
   minus the former slot.
4. The two slots of different children are different, and differ from 0 and d, the node's own
   (one-way, a child's two slots differ too).
5. So b is the greatest of ((r - d) mod p) + b' - k over the children, b' their costs, or 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from schedsolve.runtime.errors import ClaimError

Child = tuple[int, int]
"""A child of a type: its slack, and the slot r in which it is called down."""


@dataclass(frozen=True)
class NodeType:
    """A type in a list: its cost, and its children."""

    cost: int
    children: tuple[Child, ...]


@dataclass(frozen=True)
class TypeList:
    """Types that make a gossip in trees of every height.

    `arity` is k and `period` is p. `root` holds for every child of the root the rounds U and D,
    counted from round k (h - 1) + 1. `kinds` are the types by slack and delay.
    """

    arity: int
    two_way: bool
    period: int
    root: tuple[tuple[int, int], ...]
    kinds: dict[tuple[int, int], NodeType]

    def child(self, slack: int, child: Child) -> tuple[int, int]:
        """Return the type of a child of a node with this slack."""
        return child[0], (child[1] - self.up_slot(slack, child)) % self.period

    def up_slot(self, slack: int, child: Child) -> int:
        """Return the slot in which a child calls up a node with this slack (step 3 above).

        It is counted from the node's own call up.
        """
        return (child[0] - slack - self.arity) % self.period


def verify_types(found: TypeList) -> None:
    """Refuse a list that does not make an optimal gossip in the tree of every height.

    A list that passes does, by induction over the height: a leaf of any type is done at once; and the
    costs of the children, which are types of the list, hold one level below, so steps 3 to 5 above
    hold.

    Raises
    ------
    ClaimError
        If a type is wrong; the message names it.
    """
    k, p = found.arity, found.period
    if k < 2 or p < 1:
        raise ClaimError("types are for arity 2 or more and a period of 1 or more")
    for (slack, delay), kind in sorted(found.kinds.items()):
        name = f"type ({slack}, {delay})"
        if slack < 0 or not 0 <= delay < p or kind.cost < 0:
            raise ClaimError(
                f"{name} with cost {kind.cost} is none: slack and cost are 0 or more, delays mod p"
            )
        if len(kind.children) != k:
            raise ClaimError(f"{name} has {len(kind.children)} children, not {k}")
        if not found.two_way and delay == 0:
            raise ClaimError(f"{name}: one-way calls up and down have different slots")
        pairs = [{0, delay}]
        for child in kind.children:
            below = found.child(slack, child)
            if below not in found.kinds:
                raise ClaimError(f"{name} has a child of type {below}, which is not in the list")
            if not 0 <= child[0] <= slack + k - 1:
                raise ClaimError(f"{name} has a child of slack {child[0]}, more than {slack + k - 1}")
            pairs.append({found.up_slot(slack, child), child[1] % p})
            cost = (child[1] - delay) % p + found.kinds[below].cost - k
            if cost > kind.cost:
                raise ClaimError(
                    f"{name} has cost {kind.cost}, but its child of type {below} asks for {cost}"
                )
        _refuse_shared_slots(pairs, name)
    _verify_root(found)


def _verify_root(found: TypeList) -> None:
    k, p = found.arity, found.period
    last = 2 * k - 2 if found.two_way else 2 * k - 1
    if len(found.root) != k:
        raise ClaimError(f"the root has {len(found.root)} children, not {k}")
    for place, (up, down) in enumerate(found.root):
        below = up, (down - up) % p
        if below not in found.kinds:
            raise ClaimError(f"the root has a child of type {below}, which is not in the list")
        if down + found.kinds[below].cost > last:
            raise ClaimError(f"the root's child of type {below} is done too late")
        if any(down <= other for number, (other, _) in enumerate(found.root) if number != place):
            raise ClaimError(f"the root's child of type {below} is called down before all others called up")
        # Only in this order D comes after U below it, and after U of the siblings.
        if down < up and (found.two_way or (up, down) != (k, k - 1)):
            raise ClaimError(f"the root's child of type {below} is called down before it calls up")
        if not found.two_way and (up - down) % p == 0:
            raise ClaimError(
                f"the root's child of type {below}: one-way calls up and down have different slots"
            )
    _refuse_shared_slots([{up % p, down % p} for up, down in found.root], "the root")


def _refuse_shared_slots(pairs: Sequence[set[int]], name: str) -> None:
    """Refuse two edges of a node that use one slot (step 4)."""
    seen: set[int] = set()
    for pair in pairs:
        if pair & seen:
            raise ClaimError(f"{name} uses slot {min(pair & seen)} for two edges")
        seen |= pair
