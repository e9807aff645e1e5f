"""Schedules of copying tasks, from trees in time packed in whole numbers, by diving.

The constraints, a sentence each: every shipment sends each of its C chunks along one of its trees; over a
link of bandwidth b go at most b r chunks in a step of r rounds; a step has at least one round; the rounds add
up to what is asked at most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import ceil, floor

from ..bounds.tree_program import TimedTree, TreeProgram
from ..claims.orbits import shipment_images
from ..rules.steps import StepSchedule, steps_of_sends

TINY = 1e-6


def dive(
    program: TreeProgram, chunks: int, rounds: int, heavy: float, left: Callable[[], float]
) -> Iterator[StepSchedule | None]:
    """Look for a schedule of `chunks` chunks a shipment, in `rounds` rounds at most, along whole trees.

    The program is solved again and again, with new trees where they help, and each time some of its amounts
    are kept for good: the whole parts, and some fractions rounded up, those of the steps' rounds first.

    Parameters
    ----------
    program
        The program, to which trees are added.
    chunks
        The number of chunks.
    rounds
        The number of rounds.
    heavy
        Every fraction of a tree of at least this much is rounded up; if there is none, the largest is.
    left
        The seconds that are left.

    Yields
    ------
    StepSchedule | None
        None after every pass of the program, and the schedule last, if there is one.
    """
    kept = dict.fromkeys(program.rounds, 1)
    while left() > 0:
        for j in (*program.rounds, *program.trees.values()):
            program.lp.at_least(j, Fraction(kept.get(j, 0), chunks))
        for value in program.solve(left()):
            yield None
            if value is None or value * chunks < rounds + TINY:
                break
        if value is None or value * chunks >= rounds + TINY:
            return
        amounts = [x * chunks for x in program.lp.values()]
        parts = {j: x % 1 for j, x in enumerate(amounts) if TINY < x % 1 < 1 - TINY}
        if not parts:
            used = {tree: round(amounts[j]) for tree, j in program.trees.items()}
            yield schedule_of_trees(program, used, [round(amounts[j]) for j in program.rounds], chunks)
            return
        steps = {j: parts[j] for j in program.rounds if j in parts}
        largest = max(steps or parts, key=parts.__getitem__)
        up = [j for j, part in parts.items() if part >= heavy and not steps]
        kept |= {j: floor(amounts[j] + TINY) for j in program.trees.values()}
        kept |= {j: ceil(amounts[j]) for j in up or [largest]}


def schedule_of_trees(
    program: TreeProgram, used: Mapping[TimedTree, int], length: list[int], chunks: int
) -> StepSchedule:
    """Return the chunks of every shipment and of its images, sent along as many of the trees as needed."""
    images = list(zip(program.group, shipment_images(program.collective, program.group), strict=True))
    sends: dict[int, dict[tuple[int, int, tuple[int, ...]], list[int]]] = defaultdict(
        lambda: defaultdict(list)
    )
    sent: dict[int, int] = defaultdict(int)
    for tree, times in used.items():
        end = min(chunks, sent[tree.shipment] + times)
        for j in range(sent[tree.shipment], end):
            for image, numbers in images:
                chunk = numbers[tree.shipment] * chunks + j
                for i, step in tree.sends:
                    route = program.routes[i]
                    way = tuple(image[v] for v in route.switches)
                    sends[step][image[route.sender], image[route.receiver], way].append(chunk)
        sent[tree.shipment] = end
    return StepSchedule(steps_of_sends(sends, length), chunks)
