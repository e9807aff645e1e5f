"""Schedules of copying tasks, from given trees in time packed in whole numbers (CP-SAT).

The constraints, a sentence each: every shipment sends each of its C chunks along one of its trees; over a
link of bandwidth b go at most b r chunks in a step of r rounds; a step has at least one round; the rounds add
up to what is asked at most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from schedsolve.backends.cpsat import CpModel, least_solution

from ..bounds.tree_program import MOST_CHUNKS, TimedTree, TreeProgram
from ..claims.hops import Pair
from ..claims.orbits import shipment_images
from ..rules.steps import StepSchedule, steps_of_sends


def packed_trees(program: TreeProgram, chunks: int, rounds: int, seconds: float) -> StepSchedule | None:
    """Return a schedule of `chunks` chunks a shipment along the program's trees, in `rounds` rounds at most.

    None when none is found in so many seconds.
    """
    network, steps = program.problem.network, program.steps
    trees = list(program.trees)
    model = CpModel()
    times = [model.integer(0, chunks) for _ in trees]
    length = [model.integer(1, rounds) for _ in range(steps)]
    for shipment in program.shipment_rows:
        own = {x: 1 for x, tree in zip(times, trees, strict=True) if tree.shipment == shipment}
        model.linear(own, "=", chunks)
    load: dict[tuple[Pair, int], dict[int, int]] = defaultdict(dict)
    for x, tree in zip(times, trees, strict=True):
        for place, count in program.loads(tree).items():
            load[place][x] = count
    for (link, step), terms in load.items():
        bandwidth = Fraction(network.bandwidth_of[link])
        scaled = {x: count * bandwidth.denominator for x, count in terms.items()}
        model.linear({**scaled, length[step - 1]: -bandwidth.numerator}, "<=", 0)
    model.linear(dict.fromkeys(length, 1), "<=", rounds)
    found = least_solution(model, {}, seconds)
    if found is None:
        return None
    used = {tree: found.value(x) for x, tree in zip(times, trees, strict=True)}
    return schedule_of_trees(program, used, [found.value(x) for x in length], chunks)


def exact_chunks(program: TreeProgram, value: Fraction) -> list[int]:
    """Numbers of chunks for which the program's optimum is whole, if its weights are near fractions.

    The least for which the rounds of all steps together are whole too, and its double.
    """
    weights = program.exact_weights()
    if weights is None:
        return []
    least = lcm(value.denominator, *(weight.denominator for weight in weights.values()))
    return [least, 2 * least] if least <= MOST_CHUNKS else []


def schedule_of_trees(
    program: TreeProgram, used: Mapping[TimedTree, int], length: list[int], chunks: int
) -> StepSchedule:
    """Return the chunks of every shipment and of its images, sent along the trees."""
    images = list(zip(program.group, shipment_images(program.collective, program.group), strict=True))
    sends: dict[int, dict[tuple[int, int, tuple[int, ...]], list[int]]] = defaultdict(
        lambda: defaultdict(list)
    )
    sent: dict[int, int] = defaultdict(int)
    for tree, times in used.items():
        for j in range(sent[tree.shipment], sent[tree.shipment] + times):
            for image, numbers in images:
                chunk = numbers[tree.shipment] * chunks + j
                for i, step in tree.sends:
                    route = program.routes[i]
                    way = tuple(image[v] for v in route.switches)
                    sends[step][image[route.sender], image[route.receiver], way].append(chunk)
        sent[tree.shipment] += times
    return StepSchedule(steps_of_sends(sends, length), chunks)
