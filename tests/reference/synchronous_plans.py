"""All that can happen to one chunk in the steps of the synchronous model, as what it loads in every step.

Written apart from the package, from the definition. A chunk that is copied, forwards in time: a state is the
set of compute nodes that hold it; in a step any others get it, each over one way from a node that held it
before. A chunk of a reduction, backwards: a state says of some compute nodes which contributions they need to
have in their place; before the step these are, part by part and none twice, in its own place, kept, and in
those of nodes that send to it, each of which has one value; before the first step every node has its own.
When the order counts, all values are runs of consecutive nodes: then a node adds them one beside the other.
What nobody needs, nobody sends. Chunks meet on the links only, so that a schedule is one plan for every
chunk, and of plans that load no link less in any step only the least count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from tests.reference.machines_ways import (
    FIELD,
    Machine,
    TooLargeError,
    free_bits,
    least_loads,
    loads_of,
    ways,
)

State = tuple[int, ...]
Moves = dict[State, list[int]]
"""The states on the other side of a step, and what the step may load for each."""
MOST_LOADS = 300_000
"""Loads, and pairs of states, that the plans of a task go through before they are given up."""
COPIES = ("broadcast", "allgather", "allgatherv", "gather", "scatter", "alltoall", "alltoallv")
REDUCTIONS = ("reduce", "reduce-scatter", "allreduce")


class Effort:
    """What is left of a budget of loads."""

    def __init__(self, most: int) -> None:
        self.left = most

    def spend(self, count: int) -> None:
        """Use some of it. Raises TooLargeError when nothing is left."""
        self.left -= count
        if self.left < 0:
            raise TooLargeError


def plans(
    task: str,
    of: Machine,
    steps: int,
    node: int | None = None,
    *,
    ordered: bool = False,
    sizes: Sequence[Any] = (),
) -> list[list[int]]:
    """For every unit of the task that somebody waits for the least plans of one of its chunks.

    A plan is packed, link by link of the first step, then of the second, and so on. node: the source or the
    root of a task that has one. sizes: of an allgatherv for every member, of an alltoallv a row for each; a
    size of 2 is two units. Raises TooLargeError over the budget.
    """
    compute, effort = of.compute, Effort(MOST_LOADS)
    place = {v: rank for rank, v in enumerate(compute)}
    members = {v: place[v] for v in of.members}
    everybody = sum(1 << rank for rank in members.values())
    if task in COPIES:
        return [
            _copied(of, place[origin], wanted, steps, effort)
            for origin, wanted in copied_units(task, members, everybody, node, sizes)
        ]
    goals = {
        "reduce": [tuple(everybody if v == node else 0 for v in compute)],
        "reduce-scatter": [tuple(everybody if v == w else 0 for v in compute) for w in of.members],
        "allreduce": [tuple(everybody if v in members else 0 for v in compute)],
    }
    return [_summed(of, goal, steps, ordered, effort) for goal in goals[task]]


def copied_units(
    task: str, place: dict[int, int], everybody: int, node: int | None, sizes: Sequence[Any] = ()
) -> Iterator[tuple[int, int]]:
    """The units of a copying task: where each starts, and, as bits, who wants it."""
    if task in ("allgatherv", "alltoallv"):
        for row, sender in zip(sizes, place, strict=True):
            if task == "allgatherv":
                yield from ((sender, everybody) for _ in range(row))
            else:
                wanted = [(v, size) for v, size in zip(place, row, strict=True) if v != sender]
                yield from ((sender, 1 << place[v]) for v, size in wanted for _ in range(size))
        return
    for origin in [*place] if task in ("allgather", "gather", "alltoall") else [node]:
        assert origin is not None
        if task in ("allgather", "broadcast"):
            yield origin, everybody
        elif task == "gather":
            assert node is not None
            if origin != node:
                yield origin, 1 << place[node]
        else:
            yield from ((origin, 1 << place[v]) for v in place if v != origin)


def _arrivals(of: Machine) -> dict[int, dict[int, list[int]]]:
    """For every compute node and every other that has a way to it what these ways load, by their places among
    the compute nodes.
    """
    switches = {v for link in of.links for v in link} - set(of.compute)
    place = {v: rank for rank, v in enumerate(of.compute)}
    found: dict[int, dict[int, list[int]]] = {rank: {} for rank in place.values()}
    for way, load in loads_of(of, ways(of, of.compute, switches)):
        found[place[way.end]].setdefault(place[way.start], []).append(load)
    return found


def _through(
    of: Machine, start: State, order: Iterable[int], moves: Callable[[State, int], Moves], effort: Effort
) -> Moves:
    """The states that all steps, in some order, lead to, with the least loads of each."""
    free, width = free_bits((max(order, default=0) + 1) * len(of.links)), FIELD * len(of.links)
    states: Moves = {start: [0]}
    for step in order:
        following: dict[State, set[int]] = {}
        for state, loads in states.items():
            for after, added in moves(state, step).items():
                effort.spend(len(loads) * len(added))
                following.setdefault(after, set()).update(
                    load + (more << width * step) for load in loads for more in added
                )
        states = {state: least_loads(loads, free) for state, loads in following.items()}
    return states


def _copied(of: Machine, origin: int, wanted: int, steps: int, effort: Effort) -> list[int]:
    """The plans of a chunk that starts at a node and is wanted by others, given as bits."""
    arrivals, free = _arrivals(of), free_bits(len(of.links))

    def moves(state: State, step: int) -> Moves:
        found: dict[int, list[int]] = {state[0]: [0]}
        for v, senders in arrivals.items():
            of_use = step < steps - 1 or wanted >> v & 1
            loads = [load for u, some in senders.items() if state[0] >> u & 1 for load in some]
            if of_use and not state[0] >> v & 1:
                effort.spend(sum(map(len, found.values())) * len(loads))
                for held, before in list(found.items()):
                    more = [load + other for load in loads for other in before]
                    found[held | 1 << v] = least_loads(more, free)
        return {(held,): loads for held, loads in found.items() if loads}

    ends = _through(of, (1 << origin,), range(steps), moves, effort)
    complete = [load for (held,), loads in ends.items() if not wanted & ~held for load in loads]
    return least_loads(complete, free_bits(steps * len(of.links)))


def _summed(of: Machine, goal: State, steps: int, ordered: bool, effort: Effort) -> list[int]:
    """The plans of a chunk whose contributions some nodes need to have all."""
    arrivals, free = _arrivals(of), free_bits(len(of.links))
    # What can be in a node's place after so many steps.
    place = {v: rank for rank, v in enumerate(of.compute)}
    own = {place[v] for v in of.members}
    within = [[1 << v if v in own else 0 for v in arrivals]]
    for _ in range(steps):
        last = within[-1]
        within.append([last[v] | sum_of(last[u] for u in senders) for v, senders in arrivals.items()])
    known: dict[tuple[int, int, int], list[tuple[State, list[int]]]] = {}

    def origins(v: int, needed: int, step: int) -> list[tuple[State, list[int]]]:
        """The ways to put what a node needs together: what other nodes need before, and the loads."""
        if (v, needed, step) not in known:
            found = []
            bits = [rank for rank in range(len(goal)) if needed >> rank & 1]
            holders = [[u for u in (v, *arrivals[v]) if within[step][u] >> bit & 1] for bit in bits]
            for choice in product(*holders):
                parts = [0] * len(goal)
                for bit, u in zip(bits, choice, strict=True):
                    parts[u] |= 1 << bit
                if not ordered or all(is_run(part) for part in parts):
                    effort.spend(1)
                    loads = [0]
                    for u in set(choice) - {v}:
                        loads = [load + more for load in loads for more in arrivals[v][u]]
                    found.append((tuple(parts), least_loads(loads, free)))
            known[v, needed, step] = found
        return known[v, needed, step]

    def moves(state: State, step: int) -> Moves:
        found: Moves = {(0,) * len(goal): [0]}
        for v, needed in enumerate(state):
            joined: dict[State, set[int]] = {}
            for parts, loads in origins(v, needed, step) if needed else []:
                effort.spend(len(found))
                for before, others in found.items():
                    if all(not one or not other or one == other
                           for one, other in zip(parts, before, strict=True)):  # fmt: skip
                        effort.spend(len(loads) * len(others))
                        both = tuple(map(int.__or__, parts, before))
                        joined.setdefault(both, set()).update(x + y for x in loads for y in others)
            found = {both: least_loads(loads, free) for both, loads in joined.items()} if needed else found
        return found

    ends = _through(of, goal, range(steps - 1, -1, -1), moves, effort)
    return least_loads((load for loads in ends.values() for load in loads), free_bits(steps * len(of.links)))


def sum_of(masks: Iterable[int]) -> int:
    """All bits of some numbers."""
    total = 0
    for mask in masks:
        total |= mask
    return total


def is_run(mask: int) -> bool:
    """Whether the bits of a number follow one another without a gap."""
    return "0" not in bin(mask)[2:].strip("0")
