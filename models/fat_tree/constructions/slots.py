"""The choice of the height to which a sender, or a group of senders, sends in each of its slots.

The aim is to cover all in time.
"""

from __future__ import annotations

from collections.abc import Mapping

from schedsolve.backends.cpsat import CpModel, some_solution

Worth = Mapping[tuple[int, int], int]
"""How much of a height's subtree a slot given to it covers, by slot and height."""


def farthest_first(worth: Worth, needs: Mapping[int, int]) -> dict[int, int] | None:
    """Return the height of every slot if the heights take turns in the given order.

    The result is None if that does not cover what the heights need.
    """
    chosen: dict[int, int] = {}
    for height, need in needs.items():
        left = need
        while left > 0:
            covered = worth.get((len(chosen), height), 0)
            if not covered:
                return None
            left -= covered
            chosen[len(chosen)] = height
    return chosen


def slots_by_cpsat(worth: Worth, needs: Mapping[int, int], work: float) -> dict[int, int] | None:
    """Return the height of every slot used, or None if CP-SAT finds no solution with `work`.

    - A slot is given to at most one height.
    - The slots given to a height together cover what it needs.

    The deterministic `work` limits the search.
    """
    if any(sum(c for (_, j), c in worth.items() if j == height) < need for height, need in needs.items()):
        return None
    model = CpModel()
    given = {place: model.boolean() for place in worth}
    for slot in {slot for slot, _ in worth}:
        model.at_most_one(x for (other, _), x in given.items() if other == slot)
    for height, need in needs.items():
        weights = {given[place]: min(need, c) for place, c in worth.items() if place[1] == height}
        model.at_least(weights, need)
    value = some_solution(model, work)
    return None if value is None else {slot: j for (slot, j), x in given.items() if value(x)}
