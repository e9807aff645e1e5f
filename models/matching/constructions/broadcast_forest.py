"""A broadcast as a forest of who informs whom in which order, and the annealing of such forests."""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import log
from time import process_time

from schedsolve.network.graph import Network

Rounds = list[list[tuple[int, int]]]

HOT, COLD = 0.15, 0.1
NEVER = -(10**9)


MOVES = 30_000


MOVES_BETWEEN_CLOCKS = 256


@dataclass(frozen=True)
class Task:
    """Who calls whom: the wanted nodes are the targets that are no sources."""

    network: Network
    sources: tuple[int, ...]
    wanted: frozenset[int]


@dataclass(frozen=True)
class Forest:
    """The calls of a schedule as trees, changed in place.

    Every node calls its receivers in their order, in the rounds after its own.

    Attributes
    ----------
    sender
        For every node the one it is informed by, -1 for sources and nodes outside the trees.
    receivers
        For every node.
    height
        For every node the rounds from its own to the last one that informs a wanted node below it; NEVER when
        there is none.
    """

    task: Task
    sender: list[int]
    receivers: list[list[int]]
    height: list[int]


def forest_of(task: Task, rounds: Rounds) -> Forest:
    """Return the forest of who informs whom in a schedule."""
    n = task.network.node_count
    forest = Forest(task, [-1] * n, [[] for _ in range(n)], [NEVER] * n)
    order = list(task.sources)
    for calls in rounds:
        for u, v in calls:
            forest.sender[v] = u
            forest.receivers[u].append(v)
            order.append(v)
    for v in reversed(order):
        forest.height[v] = _height(forest, v)
    return forest


def rounds_of(forest: Forest) -> Rounds:
    """Return the schedule in which nobody waits."""
    rounds: Rounds = []
    round_of = dict.fromkeys(forest.task.sources, 0)
    queue = list(round_of)
    for u in queue:
        for t, v in enumerate(forest.receivers[u], round_of[u] + 1):
            round_of[v] = t
            queue.append(v)
            rounds.extend([] for _ in range(t - len(rounds)))
            rounds[t - 1].append((u, v))
    return rounds


def _height(forest: Forest, v: int) -> int:
    own = 0 if v in forest.task.wanted else NEVER
    return max([own] + [position + forest.height[u] for position, u in enumerate(forest.receivers[v], 1)])


def _update_heights(forest: Forest, v: int) -> None:
    """Brings the heights of v and of the nodes above it up to date, after its receivers have changed."""
    while v >= 0 and (height := _height(forest, v)) != forest.height[v]:
        forest.height[v] = height
        v = forest.sender[v]


def _round_of(forest: Forest, v: int) -> int:
    t = 0
    while (u := forest.sender[v]) >= 0:
        t += forest.receivers[u].index(v) + 1
        v = u
    return t


def _lateness(forest: Forest, v: int, t: int, wished_rounds: int) -> int:
    """Return by how many rounds the wanted nodes of v's tree come late, all together.

    Node v is informed in round t.
    """
    late = 0
    stack = [(v, t)]
    while stack:
        u, t = stack.pop()
        if t + forest.height[u] <= wished_rounds:
            continue
        if t > wished_rounds and u in forest.task.wanted:
            late += t - wished_rounds
        stack += [(w, t + position) for position, w in enumerate(forest.receivers[u], 1)]
    return late


def anneal(forest: Forest, wished_rounds: int, rng: random.Random, deadline: float) -> bool:
    """Move nodes to other senders, or other places in their order, by simulated annealing.

    Returns
    -------
    bool
        Whether no node is late any more.
    """
    movable = [v for v, u in enumerate(forest.sender) if u >= 0]
    late = sum(_lateness(forest, s, 0, wished_rounds) for s in forest.task.sources)
    for move in range(MOVES):
        if not late or (move % MOVES_BETWEEN_CLOCKS == 0 and process_time() > deadline):
            break
        temperature = HOT * (COLD / HOT) ** (move / MOVES)
        v = rng.choice(_in_the_way(forest, wished_rounds, rng) if rng.random() < 0.5 else movable)
        late += _try_move(forest, v, wished_rounds, -temperature * log(1 - rng.random()), rng)
    return not late


def _in_the_way(forest: Forest, wished_rounds: int, rng: random.Random) -> list[int]:
    """Return the nodes on the way to a node that comes late.

    At each step one more is among them that was called there no later.
    """
    height = forest.height
    v = rng.choice([s for s in forest.task.sources if height[s] > wished_rounds])
    t = 0
    found: list[int] = []
    while later := [p for p, u in enumerate(forest.receivers[v], 1) if t + p + height[u] > wished_rounds]:
        position = rng.choice(later)
        found += (forest.receivers[v][rng.randrange(position)], forest.receivers[v][position - 1])
        v = found[-1]
        t += position
    return found


def _try_move(forest: Forest, v: int, wished_rounds: int, allowance: float, rng: random.Random) -> int:
    """Move v, with all that is below it, to a random sender and place; return the growth.

    It stays where lateness would grow by more than allowed.
    """
    sender, old_sender = rng.choice(forest.task.network.predecessors[v]), forest.sender[v]
    above = sender
    while above != v and forest.sender[above] >= 0:
        above = forest.sender[above]
    if above not in forest.task.sources:
        return 0
    old_place = forest.receivers[old_sender].index(v)
    del forest.receivers[old_sender][old_place]
    forest.sender[v] = -1
    _update_heights(forest, old_sender)
    place = rng.randrange(len(forest.receivers[sender]) + 1)
    growth = _cost_of_place(forest, sender, place, v, wished_rounds) - _cost_of_place(
        forest, old_sender, old_place, v, wished_rounds
    )
    if growth > allowance:
        sender, place, growth = old_sender, old_place, 0
    forest.receivers[sender].insert(place, v)
    forest.sender[v] = sender
    _update_heights(forest, sender)
    return growth


def _cost_of_place(forest: Forest, sender: int, place: int, v: int, wished_rounds: int) -> int:
    """Return the lateness if v came to this place among the sender's receivers.

    It counts v's tree and those pushed back by a round.
    """
    t = _round_of(forest, sender) + place + 1
    cost = _lateness(forest, v, t, wished_rounds)
    for u in forest.receivers[sender][place:]:
        t += 1
        if t + forest.height[u] > wished_rounds:
            cost += _lateness(forest, u, t, wished_rounds) - _lateness(forest, u, t - 1, wished_rounds)
    return cost
