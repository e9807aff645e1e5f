"""Collectives in steps by going through every schedule send by send: for the tiniest machines.

Written apart from the package, and from `synchronous_plans`, which it is there to test: a state is what every
node has of every chunk at once, and a step tries every set of sends that the links can carry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import floor

from tests.reference.machines_ways import Machine, TooLargeError, Way, ways
from tests.reference.synchronous_plans import COPIES, copied_units

State = tuple[tuple[int, ...], ...]
"""For every chunk, for every compute node: the contributions in its value, as bits; in a copying task 1 where
it is held and 0 where not.
"""


def feasible(
    task: str,
    of: Machine,
    chunks: int,
    steps: int,
    rounds: int,
    node: int | None = None,
    *,
    ordered: bool = False,
    budget: int = 100_000,
) -> bool:
    """Whether so many chunks pass in so many steps of so many rounds together. Raises TooLargeError."""
    start, goal = _ends(task, of, chunks, node)
    left = [budget]
    switches = {v for link in of.links for v in link} - set(of.compute)
    single = [(way, c) for way in ways(of, of.compute, switches) for c in range(len(start))]
    # After s steps of t rounds together: the states reached.
    reached: dict[int, set[State]] = {0: {start}}
    for step in range(steps):
        following: dict[int, set[State]] = {}
        for used, states in reached.items():
            for length in range(1, rounds - used - (steps - step - 1) + 1):
                for state in states:
                    for sends in _carried(of, single, length, left):
                        following.setdefault(used + length, set()).update(
                            _after(task, of, state, sends, ordered, left)
                        )
        reached = following
    return any(
        all(state[c][v] == value for c, v, value in goal) for states in reached.values() for state in states
    )


def _ends(task: str, of: Machine, chunks: int, node: int | None) -> tuple[State, list[tuple[int, int, int]]]:
    """The state at the start, and what is wanted: (chunk, place of the node, value)."""
    count = len(of.compute)
    place = {v: rank for rank, v in enumerate(of.compute)}
    everybody = (1 << count) - 1
    start: list[tuple[int, ...]] = []
    goal: list[tuple[int, int, int]] = []
    if task in COPIES:
        for origin, wanted in copied_units(task, place, everybody, node):
            for _ in range(chunks):
                goal += [(len(start), v, 1) for v in range(count) if wanted >> v & 1]
                start.append(tuple(int(v == origin) for v in of.compute))
        return tuple(start), goal
    results: dict[str, list[Sequence[int | None]]] = {
        "reduce": [[node]],
        "reduce-scatter": [[v] for v in of.compute],
        "allreduce": [of.compute],
    }
    for nodes in results[task]:
        for _ in range(chunks):
            goal += [(len(start), place[v], everybody) for v in nodes if v is not None]
            start.append(tuple(1 << rank for rank in range(count)))
    return tuple(start), goal


def _carried(
    of: Machine, single: list[tuple[Way, int]], length: int, left: list[int]
) -> Iterator[list[tuple[Way, int]]]:
    """All sets of sends, each a way and a chunk, that the links can carry in a step of so many rounds."""
    room = {link: floor(bandwidth * length) for link, bandwidth in of.links.items()}

    def chosen(first: int) -> Iterator[list[tuple[Way, int]]]:
        left[0] -= 1
        if left[0] < 0:
            raise TooLargeError
        yield []
        for number in range(first, len(single)):
            links = single[number][0].links
            if all(room[link] for link in links):
                for link in links:
                    room[link] -= 1
                for rest in chosen(number + 1):
                    yield [single[number], *rest]
                for link in links:
                    room[link] += 1

    return chosen(0)


def _after(
    task: str, of: Machine, state: State, sends: list[tuple[Way, int]], ordered: bool, left: list[int]
) -> Iterator[State]:
    """The states to which sends lead when they are legal: every receiver of values keeps its own or not, and
    adds in any order.
    """
    place = {v: rank for rank, v in enumerate(of.compute)}
    arriving: dict[tuple[int, int], list[int]] = {}
    for way, c in sends:
        sender, receiver = place[way.start], place[way.end]
        if task in COPIES and (not state[c][sender] or state[c][receiver] or (c, receiver) in arriving):
            return
        arriving.setdefault((c, receiver), []).append(state[c][sender])
    states = [state]
    for (c, receiver), parts in arriving.items():
        if task in COPIES:
            values = {1}
        else:
            values = _sums([state[c][receiver], *parts], ordered) | _sums(parts, ordered)
        states = [_with(one, c, receiver, value) for one in states for value in values]
        left[0] -= len(states)
    yield from states


def _sums(parts: list[int], ordered: bool) -> set[int]:
    """The sum of values, one added to another in any order, if it is legal in one."""
    if any(one & other for one, other in combinations(parts, 2)):
        return set()
    for first, *rest in permutations(parts):
        total, legal = first, True
        for part in rest:
            total |= part
            legal = legal and not (ordered and "0" in bin(total)[2:].strip("0"))
        if legal:
            return {total}
    return set()


def _with(state: State, chunk: int, receiver: int, value: int) -> State:
    values = (*state[chunk][:receiver], value, *state[chunk][receiver + 1 :])
    return (*state[:chunk], values, *state[chunk + 1 :])
