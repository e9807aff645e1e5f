"""Gossip in complete trees with any period, optimal among those with the root as centre."""

from __future__ import annotations

from functools import lru_cache

from ..bounds.tree_values import NEVER, Branch, Choice, Mode, centre_time, centres, least_time
from ..claims.complete_trees import CompleteTree

LONGEST_PERIOD = 18
"""The longest period for which branches are searched."""
MOST_ROWS = 400
"""The most rows, height times period, of the table of a branch."""


def worth_building(tree: CompleteTree, period: int) -> bool:
    """Return whether the tables for the tree and the period are small enough."""
    return tree.height >= 1 and period <= LONGEST_PERIOD and tree.height * period <= MOST_ROWS


@lru_cache(maxsize=16)
def root_choices(arity: int, height: int, two_way: bool, period: int) -> tuple[Choice, ...]:
    """Return the branches of the root in a gossip that is the fastest with the root as centre.

    Empty if no number of rounds suffices with the period. The height is 1 or more.
    """
    parts = next(centres(arity, height, Mode(two_way, period)))
    return tuple(centre_time(parts, NEVER)[1])


def tree_calls(tree: CompleteTree, two_way: bool, period: int) -> list[list[tuple[int, int]]]:
    """Return the calls (caller, callee) in the slots of one period; a two-way call may be listed both ways.

    Parameters
    ----------
    tree
        A complete tree that `worth_building` accepts, and for which `root_choices` are not empty.
    two_way
        Whether calls are two-way.
    period
        The number of slots.

    References
    ----------
    docs/theorems.md, section 2, Lemma D.
    """
    known: dict[tuple[Branch, int, int], list[Choice]] = {}
    slots: list[list[tuple[int, int]]] = [[] for _ in range(period)]
    level = [
        (tree.root, node, choice)
        for node, choice in zip(
            tree.children[tree.root], root_choices(tree.arity, tree.height, two_way, period), strict=True
        )
    ]
    while level:
        following = []
        for parent, node, choice in level:
            branch, up, down = choice.branch, choice.up, choice.down
            slots[(up - 1) % period].append((node, parent))
            slots[(down - 1) % period].append((parent, node))
            if not tree.children[node]:
                continue
            if (branch, up, down) not in known:
                used = {up % period, down % period}
                known[branch, up, down] = least_time(branch.parts, up - 1, down, used)[1]
            below = known[branch, up, down]
            following += [(node, child, it) for child, it in zip(tree.children[node], below, strict=True)]
        level = following
    return slots
