"""The least rounds of collectives in steps: one plan for every chunk, and what they load together.

Written apart from the package, from the definition: a link of bandwidth b carries at most b r_s chunks in a
step of r_s rounds, r_s at least 1. For a given number of chunks the compositions of ever more rounds are gone
through; where that takes too long, CP-SAT counts how many chunks take which plan. Over all numbers of chunks
the least rounds per chunk are those of a linear program over the plans: its weights are shares of the
chunks, a solution in fractions becomes one in whole chunks and rounds when it is multiplied, and an empty
step takes its round from another one, which is cut in two when there are chunks and rounds enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

from ortools.sat.python import cp_model

from tests.reference.machines_program import least_rounds_of_plans
from tests.reference.machines_ways import Machine, TooLargeError, free_bits, least_loads, packed, unpacked
from tests.reference.synchronous_plans import plans

MOST_TOTALS = 20_000
"""Totals of loads that going through all choices looks at before CP-SAT is asked."""


def least_rounds_per_chunk(
    task: str,
    of: Machine,
    steps: int,
    node: int | None = None,
    *,
    ordered: bool = False,
    sizes: Sequence[Any] = (),
) -> Fraction | None:
    """The least R / C over all C; None when no number of chunks and rounds does. Raises TooLargeError."""
    units = plans(task, of, steps, node, ordered=ordered, sizes=sizes)
    return least_rounds_of_plans(units, list(of.links.values()), steps) if all(units) else None


def least_rounds(
    task: str,
    of: Machine,
    chunks: int,
    steps: int,
    node: int | None = None,
    *,
    ordered: bool = False,
    sizes: Sequence[Any] = (),
) -> int | None:
    """The least R in which C chunks pass in S steps; None when none does. Raises TooLargeError."""
    units = plans(task, of, steps, node, ordered=ordered, sizes=sizes)
    if not all(units):
        return None
    bandwidths = list(of.links.values())
    try:
        return least_rounds_by_search(units, bandwidths, chunks, steps)
    except TooLargeError:
        return least_rounds_by_counting(units, bandwidths, chunks, steps)


def least_rounds_by_search(
    units: Sequence[Sequence[int]], bandwidths: Sequence[Fraction], chunks: int, steps: int
) -> int:
    """The first R with a composition into S steps within which all chunks of all units fit.

    Raises TooLargeError when that takes more than MOST_TOTALS.
    """
    per_chunk = least_rounds_of_plans(units, bandwidths, steps)
    rounds, left = max(steps, ceil(chunks * per_chunk)), MOST_TOTALS
    free = free_bits(steps * len(bandwidths))
    while True:
        for lengths in compositions(rounds, steps):
            room = packed([floor(b * r) for r in lengths for b in bandwidths]) | free
            totals = [0]
            for unit in units:
                for _ in range(chunks):
                    left -= len(totals) * len(unit)
                    if left < 0:
                        raise TooLargeError
                    more = {total + plan for total in totals for plan in unit}
                    totals = least_loads((load for load in more if room - load & free == free), free)
            if totals:
                return rounds
        rounds += 1


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as a sum of positive numbers, in any order."""
    if parts == 1:
        yield (total,)
        return
    for first in range(1, total - parts + 2):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def least_rounds_by_counting(
    units: Sequence[Sequence[int]], bandwidths: Sequence[Fraction], chunks: int, steps: int
) -> int:
    """The same by CP-SAT: for every plan how many chunks take it."""
    model = cp_model.CpModel()
    most = sum(
        1 + ceil(len(units) * chunks * count / bandwidth)
        for unit in units
        for place, count in enumerate(unpacked(unit[0], steps * len(bandwidths)))
        for bandwidth in [bandwidths[place % len(bandwidths)]]
    )
    length = [model.new_int_var(1, most + steps, "") for _ in range(steps)]
    terms: dict[int, list[cp_model.LinearExpr]] = {}
    for unit in units:
        takers = [model.new_int_var(0, chunks, "") for _ in unit]
        model.add(sum(takers) == chunks)
        for taker, plan in zip(takers, unit, strict=True):
            for place, count in enumerate(unpacked(plan, steps * len(bandwidths))):
                if count:
                    terms.setdefault(place, []).append(count * taker)
    for place, crossing in terms.items():
        step, link = divmod(place, len(bandwidths))
        bandwidth = bandwidths[link]
        model.add(bandwidth.denominator * sum(crossing) <= bandwidth.numerator * length[step])
    model.minimize(sum(length))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = 20
    if solver.solve(model) != cp_model.OPTIMAL:
        raise TooLargeError
    return round(solver.objective_value)
