"""Whether collectives in steps can be done, by going through all sets of sends: for the smallest networks.

Written apart from the package: a state is who holds which chunk, and a step of r rounds leads to every state
to which some choice of sends within the bandwidths leads. Of the sets that a node can get in a step only the
largest are continued, as to hold more never hurts; chunks of one shipment are alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

Links = dict[tuple[int, int], int]
State = tuple[int, ...]
"""For every chunk the nodes that hold it, as a bit mask."""


class OverBudgetError(Exception):
    """More states than asked for."""


def wanted_chunks(task: str, nodes: int, chunks: int, root: int) -> tuple[State, State]:
    """Who holds every chunk at the start, and who must hold it in the end."""
    start: list[int] = []
    goal: list[int] = []
    everybody = (1 << nodes) - 1
    for i in range(nodes) if task in ("allgather", "gather", "alltoall") else [root]:
        targets = [everybody]
        if task == "gather":
            targets = [1 << root]
        if task in ("scatter", "alltoall"):
            targets = [1 << v for v in range(nodes)]
        for target in targets:
            start += [1 << i] * chunks
            goal += [target] * chunks
    return tuple(start), tuple(goal)


class Search:
    """All that follows from one question. budget: of states and sets looked at; None for any number."""

    def __init__(self, nodes: int, links: Links, goal: State, chunks: int, budget: int | None) -> None:
        self.nodes, self.links, self.goal, self.chunks = nodes, links, goal, chunks
        self.left = float("inf") if budget is None else budget
        self.distance = [[0 if v == w else 99 for w in range(nodes)] for v in range(nodes)]
        for _ in range(nodes):
            for u, v in links:
                for w in range(nodes):
                    self.distance[w][v] = min(self.distance[w][v], self.distance[w][u] + 1)
        self.known: dict[tuple[State, int, int], bool] = {}

    def spend(self) -> None:
        """Look at one thing more. Raises OverBudgetError when that is too much."""
        self.left -= 1
        if self.left < 0:
            raise OverBudgetError

    def can(self, state: State, steps: int, rounds: int) -> bool:
        """Whether the goal is reached in so many more steps of so many rounds together."""
        if all(not need & ~held for need, held in zip(self.goal, state, strict=True)):
            return True
        if not steps or not self.hopeful(state, steps, rounds):
            return False
        if steps == 1:
            return all(self.completes(state, v, rounds) for v in range(self.nodes))
        key = state, steps, rounds
        if key not in self.known:
            lengths = range(rounds - steps + 1, 0, -1)
            self.known[key] = any(
                self.can(after, steps - 1, rounds - length)
                for length in lengths
                for after in self.followers(state, steps, length)
            )
        return self.known[key]

    def hopeful(self, state: State, steps: int, rounds: int) -> bool:
        """Whether what is missing is near enough, and can come in over the links of who misses it."""
        for v in range(self.nodes):
            missing = [c for c, held in enumerate(state) if self.goal[c] >> v & 1 and not held >> v & 1]
            if len(missing) > rounds * sum(b for (_, w), b in self.links.items() if w == v):
                return False
            for c in missing:
                if all(self.distance[u][v] > steps for u in range(self.nodes) if state[c] >> u & 1):
                    return False
        return True

    def completes(self, state: State, v: int, rounds: int) -> bool:
        """Whether a node gets all that it misses in one step: every chunk over a link of its own share."""
        room = {u: b * rounds for (u, w), b in self.links.items() if w == v}
        missing = [c for c, held in enumerate(state) if self.goal[c] >> v & 1 and not held >> v & 1]

        def assigned(place: int) -> bool:
            if place == len(missing):
                return True
            for u, free in list(room.items()):
                if free and state[missing[place]] >> u & 1:
                    room[u] -= 1
                    if assigned(place + 1):
                        return True
                    room[u] += 1
            return False

        return assigned(0)

    def gains(self, state: State, v: int, steps: int, rounds: int) -> list[frozenset[int]]:
        """The largest sets of chunks that a node can get in a step and that can be of use."""
        sets = {frozenset[int]()}
        for (u, w), bandwidth in self.links.items():
            if w == v:
                fresh = [
                    c
                    for c, held in enumerate(state)
                    if held >> u & 1 and not held >> v & 1 and self.useful(state, c, v, steps - 1)
                ]
                larger = set()
                for one in sets:
                    for kept in combinations(fresh, min(len(fresh), bandwidth * rounds)):
                        self.spend()
                        larger.add(one | set(kept))
                sets = larger
        self.left -= len(sets)
        largest: list[frozenset[int]] = []
        for one in sorted(sets, key=len, reverse=True):
            if not any(one < other for other in largest):
                largest.append(one)
        return largest

    def useful(self, state: State, c: int, v: int, steps: int) -> bool:
        """Whether somebody who misses the chunk is the node, or near enough behind it."""
        return any(
            self.goal[c] >> w & 1 and not state[c] >> w & 1 and self.distance[v][w] <= steps
            for w in range(self.nodes)
        )

    def followers(self, state: State, steps: int, rounds: int) -> Iterator[State]:
        """The states that a step of so many rounds can lead to, chunks of a shipment in order."""
        seen: set[State] = set()
        for gained in product(*(self.gains(state, v, steps, rounds) for v in range(self.nodes))):
            self.spend()
            held = list(state)
            for v, chunks in enumerate(gained):
                for c in chunks:
                    held[c] |= 1 << v
            ordered = tuple(
                x for i in range(0, len(held), self.chunks) for x in sorted(held[i : i + self.chunks])
            )
            if ordered not in seen:
                seen.add(ordered)
                yield ordered


def feasible(
    task: str,
    nodes: int,
    links: Links,
    chunks: int,
    steps: int,
    rounds: int,
    root: int = 0,
    budget: int | None = None,
) -> bool | None:
    """Whether so many chunks pass in so many steps of so many rounds together; None over the budget."""
    start, goal = wanted_chunks(task, nodes, chunks, root)
    try:
        return rounds >= steps and Search(nodes, links, goal, chunks, budget).can(start, steps, rounds)
    except OverBudgetError:
        return None
