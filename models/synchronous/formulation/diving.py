"""Packing whole trees in time for given rounds of the steps, by diving.

A tree that the linear program uses most is kept for good, and the program is solved again for the chunks and
the room that are left, with new trees where they help.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import floor
from random import Random

from schedsolve.backends.growing_lp import GrowingLp

from ..bounds.tree_program import PRICE_SCALE, TimedTree, TreeProgram
from ..claims.hops import Pair
from ..rules.steps import StepSchedule
from .tree_packing import schedule_of_trees

MOST_PASSES = 40
"""Of new trees at one stage."""


def dive(
    program: TreeProgram,
    chunks: int,
    step_rounds: Sequence[int],
    left: Callable[[], float],
    seed: int = 0,
) -> Iterator[StepSchedule | None]:
    """Try to pack `chunks` trees of every shipment.

    None after every stage, and the schedule last, if there is one.

    Parameters
    ----------
    program
        The program that the search goes through.
    chunks
        The number of chunks.
    step_rounds
        The rounds of every step.
    left
        The seconds that are left.
    seed
        Of the lots that decide which of the trees that are used much is kept; 0 for the most used one.
    """
    lots = Random(seed)
    network = program.problem.network
    room = {
        (link, step): floor(network.bandwidth_of[link] * rounds)
        for step, rounds in enumerate(step_rounds, 1)
        for link in program.orbit_size
    }
    missing = dict.fromkeys(program.shipment_rows, chunks)
    used: Counter[TimedTree] = Counter()
    while any(missing.values()) and left() > 0:
        weights = _weights(program, missing, room)
        if weights is None:
            return
        yield None
        kept = {tree: floor(weight + 1e-6) for tree, weight in weights.items() if weight > 1 - 1e-6}
        drawn = {tree: weight * (lots.uniform(0.5, 1) if seed else 1) for tree, weight in weights.items()}
        for tree in sorted(weights, key=lambda tree: -drawn[tree]) if not kept else ():
            if all(room[place] >= times for place, times in program.loads(tree).items()):
                kept = {tree: 1}
                break
        if not kept:
            return
        for tree, times in kept.items():
            used[tree] += times
            missing[tree.shipment] -= times
            for place, load in program.loads(tree).items():
                room[place] -= load * times
        if min(room.values()) < 0:
            return
    if not any(missing.values()):
        yield schedule_of_trees(program, used, list(step_rounds), chunks)


def _weights(
    program: TreeProgram, missing: dict[int, int], room: dict[tuple[Pair, int], int]
) -> dict[TimedTree, float] | None:
    """Weights of trees that send all missing chunks within the room; None when there are none."""
    lp = GrowingLp()
    rows = {place: lp.row({}, "<=", free) for place, free in room.items()}
    short = {
        shipment: lp.row({lp.variable(1): 1}, ">=", count) for shipment, count in missing.items() if count
    }
    columns: dict[TimedTree, int] = {}

    def add(tree: TimedTree) -> bool:
        loads = program.loads(tree)
        if tree in columns or tree.shipment not in short or any(room[p] < t for p, t in loads.items()):
            return False
        column = columns[tree] = lp.variable()
        lp.enter(short[tree.shipment], column, 1)
        for place, times in loads.items():
            lp.enter(rows[place], column, times)
        return True

    for tree in list(program.trees):
        add(tree)
    for _ in range(MOST_PASSES):
        value = lp.solve()
        if value is None:
            return None
        if value < 1e-6:
            values = lp.values()
            return {tree: values[j] for tree, j in columns.items() if values[j] > 1e-6}
        duals = lp.duals()
        prices: list[dict[Pair, Fraction]] = [{} for _ in range(program.steps)]
        for (orbit, step), row in rows.items():
            size = program.orbit_size[orbit]
            closed = 0 if room[orbit, step] else 10 * PRICE_SCALE
            price = Fraction(closed + round(abs(duals[row]) / size * PRICE_SCALE), PRICE_SCALE)
            prices[step - 1][orbit] = price
        spread = [{link: step[orbit] for link, orbit in program.orbit.items()} for step in prices]
        new = False
        for tree, _ in program.cheapest(spread):
            program.add(tree)
            new |= add(tree)
        if not new:
            return None
    return None
