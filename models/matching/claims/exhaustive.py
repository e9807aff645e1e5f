"""The least number of rounds of the smallest networks, by looking at everything that can happen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schedsolve.problem import Problem

from ..rules import is_two_way

LARGEST_NETWORK = 4
"""Nodes up to which the search is done again and again without a thought."""

State = tuple[int, ...]


def exhaustive_search(problem: Problem) -> int | None:
    """The exact least number of rounds on a network of at most LARGEST_NETWORK nodes; None for larger ones
    and an open source.

    A state says what every node holds. Round after round, every state is followed by every legal round, until
    some state is complete.
    """
    network = problem.network
    if network.node_count > LARGEST_NETWORK or problem.choice:
        return None
    demand = problem.demand()
    links = network.edges if is_two_way(problem) else network.arcs
    states: set[State] = {demand.start}
    rounds = 0
    while not any(
        all(goal & ~held == 0 for goal, held in zip(demand.goal, state, strict=True)) for state in states
    ):
        states = {
            _after(state, calls, is_two_way(problem)) for state in states for calls in _matchings(links)
        }
        rounds += 1
    return rounds


def _matchings(links: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Every set of links that share no node."""
    if not links:
        yield []
        return
    (u, v), rest = links[0], links[1:]
    yield from _matchings(rest)
    for calls in _matchings([link for link in rest if u not in link and v not in link]):
        yield [(u, v), *calls]


def _after(state: State, calls: Sequence[tuple[int, int]], two_way: bool) -> State:
    held = list(state)
    for u, v in calls:
        held[v] |= state[u]
        if two_way:
            held[u] |= state[v]
    return tuple(held)
