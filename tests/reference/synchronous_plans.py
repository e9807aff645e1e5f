"""All that can happen to one chunk in the steps of the synchronous model, as what it loads in every step.

Written apart from the package, from the definition. A chunk that is copied: a state is the set of compute
nodes that hold it; in a step any others get it, each over one way from a node that held it before. A chunk of
a reduction: a state says which contributions every compute node has in its place; in a step each keeps its
value or drops it and adds the values that some others had before the step, no contribution twice, and, when
the order counts, only to a run of consecutive nodes. Chunks meet on the links only, so that a schedule is one
plan for every chunk, and of plans that load no link less in any step only the least count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

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
"""The states after a step, and what the step may load for each."""
Mover = Callable[[State, int], Moves]
"""What a step makes of a state when only some nodes, given as bits, may get anything; EVERYBODY before the
last step, in which each of the nodes given has to get what it wants.
"""
EVERYBODY = -1
MOST_LOADS = 400_000
"""Loads that the plans of a task go through before they are given up."""
COPIES = ("broadcast", "allgather", "gather", "scatter", "alltoall")
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
    task: str, of: Machine, steps: int, node: int | None = None, *, ordered: bool = False
) -> list[list[int]]:
    """For every unit of the task that somebody waits for the least plans of one of its chunks.

    A plan is packed, link by link of the first step, then of the second, and so on. node: the source or the
    root of a task that has one. Raises TooLargeError over the budget.
    """
    compute, effort = of.compute, Effort(MOST_LOADS)
    everybody = (1 << len(compute)) - 1
    place = {v: rank for rank, v in enumerate(compute)}
    if task in COPIES:
        copying = _copying(of, effort)
        return [
            _reached(of, (1 << place[origin],), copying, _covers(wanted), wanted, steps, effort)
            for origin, wanted in copied_units(task, place, everybody, node)
        ]
    own = tuple(1 << rank for rank in range(len(compute)))
    adding = _adding(of, ordered, effort)
    targets = {
        "reduce": [1 << place[node] if node is not None else 0],
        "reduce-scatter": list(own),
        "allreduce": [everybody],
    }
    return [
        _reached(of, own, adding, _complete(wanted, everybody), wanted, steps, effort)
        for wanted in targets[task]
    ]


def copied_units(
    task: str, place: dict[int, int], everybody: int, node: int | None
) -> Iterator[tuple[int, int]]:
    """The units of a copying task: where each starts, and, as bits, who wants it."""
    for origin in place if task in ("allgather", "gather", "alltoall") else (node,):
        assert origin is not None
        if task in ("allgather", "broadcast"):
            yield origin, everybody
        elif task == "gather":
            assert node is not None
            if origin != node:
                yield origin, 1 << place[node]
        else:
            yield from ((origin, 1 << place[v]) for v in place if v != origin)


def _covers(wanted: int) -> Callable[[State], bool]:
    return lambda state: not wanted & ~state[0]


def _complete(wanted: int, everybody: int) -> Callable[[State], bool]:
    return lambda state: all(v == everybody for rank, v in enumerate(state) if wanted >> rank & 1)


def _reached(
    of: Machine,
    start: State,
    moves: Mover,
    done: Callable[[State], bool],
    wanted: int,
    steps: int,
    effort: Effort,
) -> list[int]:
    """The least loads with which a chunk gets from its start to a state in which it is done.

    wanted: the nodes that wait for it, as bits; what others get in the last step is of no use.
    """
    free, width = free_bits(len(of.links) * steps), FIELD * len(of.links)
    states: dict[State, list[int]] = {start: [0]}
    for step in range(steps):
        following: dict[State, set[int]] = {}
        for state, loads in states.items():
            for after, added in moves(state, wanted if step == steps - 1 else EVERYBODY).items():
                if step < steps - 1 or done(after):
                    effort.spend(len(loads) * len(added))
                    following.setdefault(after, set()).update(
                        load + (more << width * step) for load in loads for more in added
                    )
        states = {state: least_loads(loads, free) for state, loads in following.items()}
    return least_loads((load for state, loads in states.items() if done(state) for load in loads), free)


def _arrivals(of: Machine) -> dict[tuple[int, int], list[int]]:
    """What the ways from one compute node to another load, by their places among the compute nodes."""
    switches = {v for link in of.links for v in link} - set(of.compute)
    place = {v: rank for rank, v in enumerate(of.compute)}
    found: dict[tuple[int, int], list[int]] = {}
    for way, load in loads_of(of, ways(of, of.compute, switches)):
        found.setdefault((place[way.start], place[way.end]), []).append(load)
    return found


def _joined(
    of: Machine, choices: Iterable[list[tuple[int, list[int]]]], start: Moves, shape: str, effort: Effort
) -> Moves:
    """One choice for every node after another: what a node has then, and the loads for it.

    shape: "append", when a state lists what every node has, or "add", when it is one set of nodes.
    """
    free, moves = free_bits(len(of.links)), start
    for options in choices:
        following: dict[State, set[int]] = {}
        for state, loads in moves.items():
            for value, added in options:
                after = (*state, value) if shape == "append" else (state[0] | value,)
                effort.spend(len(loads) * len(added))
                following.setdefault(after, set()).update(load + more for load in loads for more in added)
        moves = {state: least_loads(loads, free) for state, loads in following.items()}
    return moves


def _copying(of: Machine, effort: Effort) -> Mover:
    """What a step makes of the set of nodes that hold a chunk."""
    arrivals = _arrivals(of)
    known: dict[tuple[State, int], Moves] = {}

    def moves(state: State, receivers: int) -> Moves:
        if (state, receivers) not in known:
            choices = []
            for v in range(len(of.compute)):
                loads: list[int] = []
                for (u, w), some in arrivals.items():
                    loads += some if w == v and state[0] >> u & 1 else []
                if receivers & ~state[0] & 1 << v and loads:
                    choices.append([(0, [0]), (1 << v, loads)])
            known[state, receivers] = _joined(of, choices, {state: [0]}, "add", effort)
        return known[state, receivers]

    return moves


def _adding(of: Machine, ordered: bool, effort: Effort) -> Mover:
    """What a step makes of the values of a chunk at all nodes."""
    arrivals, free = _arrivals(of), free_bits(len(of.links))
    known: dict[tuple[State, int], Moves] = {}

    def values_after(state: State, v: int) -> list[tuple[int, list[int]]]:
        senders = sorted({u for u, w in arrivals if w == v})
        found: dict[int, list[int]] = {}
        for count in range(len(senders) + 1):
            for taken in combinations(senders, count):
                for parts in ([state[v], *(state[u] for u in taken)], [state[u] for u in taken]):
                    value = sum(parts)
                    if not parts or any(one & other for one, other in combinations(parts, 2)):
                        continue
                    if ordered and "0" in bin(value)[2:].strip("0"):
                        continue
                    loads = [0]
                    for u in taken:
                        loads = [load + more for load in loads for more in arrivals[u, v]]
                    found[value] = least_loads([*found.get(value, []), *loads], free)
        return list(found.items())

    def moves(state: State, receivers: int) -> Moves:
        if (state, receivers) not in known:
            choices = [
                values_after(state, v) if receivers >> v & 1 else [(value, [0])]
                for v, value in enumerate(state)
            ]
            if receivers != EVERYBODY:
                full = (1 << len(state)) - 1
                choices = [
                    [option for option in options if option[0] == full or not receivers >> v & 1]
                    for v, options in enumerate(choices)
                ]
            known[state, receivers] = _joined(of, choices, {(): [0]}, "append", effort)
        return known[state, receivers]

    return moves
