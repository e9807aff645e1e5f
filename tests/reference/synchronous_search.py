"""The least rounds of collectives in steps, by going through all sets of sends: for the smallest networks.

Written apart from the package: a state is what every node holds, and a step of r rounds leads to every state
that some choice of sends within the bandwidths leads to.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

Links = dict[tuple[int, int], int]
State = tuple[frozenset[int], ...]


def wanted_chunks(task: str, nodes: int, chunks: int, root: int) -> tuple[State, State]:
    """What every node holds at the start, and what it must hold in the end."""
    start: list[set[int]] = [set() for _ in range(nodes)]
    goal: list[set[int]] = [set() for _ in range(nodes)]
    number = 0
    for i in range(nodes) if task in ("allgather", "gather", "alltoall") else [root]:
        targets: list[list[int]] = [list(range(nodes))]
        if task == "gather":
            targets = [[root]]
        if task in ("scatter", "alltoall"):
            targets = [[v] for v in range(nodes)]
        for target in targets:
            for _ in range(chunks):
                start[i].add(number)
                for v in target:
                    goal[v].add(number)
                number += 1
    return tuple(map(frozenset, start)), tuple(map(frozenset, goal))


def followers(state: State, links: Links, rounds: int) -> Iterator[State]:
    """All states that a step of so many rounds can lead to, over every link as much as is of use."""
    choices = []
    for (u, v), bandwidth in links.items():
        fresh = sorted(state[u] - state[v])
        most = min(len(fresh), bandwidth * rounds)
        choices.append([(v, kept) for kept in combinations(fresh, most)])
    for sends in product(*choices):
        held = [set(x) for x in state]
        for v, kept in sends:
            held[v].update(kept)
        yield tuple(map(frozenset, held))


def feasible(
    task: str, nodes: int, links: Links, chunks: int, steps: int, rounds: int, root: int = 0
) -> bool:
    """Whether so many chunks pass in so many steps of so many rounds together."""
    start, goal = wanted_chunks(task, nodes, chunks, root)
    states: dict[int, set[State]] = {0: {start}}
    for step in range(1, steps + 1):
        following: dict[int, set[State]] = {}
        for spent, reached in states.items():
            for length in range(1, rounds - spent - (steps - step) + 1):
                target = following.setdefault(spent + length, set())
                for state in reached:
                    target.update(followers(state, links, length))
        states = following
    return any(
        all(need <= held for need, held in zip(goal, state, strict=True))
        for reached in states.values()
        for state in reached
    )
