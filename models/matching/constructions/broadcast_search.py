"""A search for short broadcast and multicast schedules of matching rounds on any network.

Two searches take turns. Passes build a schedule round by round, every round a matching from informed to
uninformed nodes that gives the most weight to the newly informed: a node's weight estimates the rounds needed
for what lies behind it, and what was late in earlier passes weighs more. Annealing moves nodes about in the
call tree of the best schedule until none is later than one round fewer allows.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import inf
from time import process_time

from schedsolve.modelkit.search import Effort
from schedsolve.network.graph import Network

from .broadcast_forest import NEVER, Forest, Rounds, Task, anneal, forest_of, rounds_of

PASSES = 20
NOISE = 0.3
LATE_BONUS = 0.1
FORGETTING = 0.95
LARGEST_BONUS = 2.0


def search_broadcast(
    network: Network,
    sources: Collection[int],
    targets: Collection[int],
    effort: Effort,
) -> Rounds:
    """Return a legal schedule: of the goal's rounds if one is found in time, else the shortest found.

    Parameters
    ----------
    network
        Undirected or directed.
    sources, targets
        Nodes from 0; the sources know the message before round 1, the targets must learn it, other nodes may
        pass it on.
    effort
        Its goal is a known lower bound, at which the search ends; one pass is always completed.

    Returns
    -------
    Rounds
        The rounds in order, each a list of calls (sender, receiver). No node is informed twice, none in vain.

    Raises
    ------
    InputError
        For no sources, nodes outside the network, or a target that no source reaches.

    References
    ----------
    Beier and Sibeyn's heuristic of a heaviest matching in every round; simulated annealing after Kirkpatrick,
    Gelatt and Vecchi.
    """
    deadline = process_time() + effort.seconds
    task = _checked(network, sources, targets)
    rng = random.Random(effort.seed)
    learned = [0.0] * network.node_count
    best = _useful(task, _pass(task, learned, None))
    goal = max(effort.goal, _least_rounds(task))
    forest: Forest | None = None
    turn = 0
    while len(best) > goal and process_time() < deadline:
        turn += 1
        if turn % (PASSES + 1):
            found = _useful(task, _pass(task, learned, rng, shared=turn % 2 == 0))
            if (len(found), len(found[-1])) < (len(best), len(best[-1])):
                best, forest = found, None
            _learn(learned, found, len(best) - 1)
            continue
        forest = forest or forest_of(task, best)
        if anneal(forest, len(best) - 1, rng, deadline):
            best, forest = _useful(task, rounds_of(forest)), None
    return best


def nearly_in_time(
    network: Network,
    sources: Collection[int],
    targets: Collection[int],
    *,
    wished_rounds: int,
    seed: int,
) -> Iterator[Rounds]:
    """Better and better schedules in which few targets come later than wished, for another search to mend.

    One is yielded after each of a number of passes, and a last one after annealing.

    Parameters
    ----------
    network
        The network.
    sources
        The nodes that know the message before round 1, from 0.
    targets
        The nodes that must be reached.
    wished_rounds
        At least 1. Other arguments, and what is raised, as in `search_broadcast`.
    seed
        Of the random numbers.
    """
    task = _checked(network, sources, targets)
    rng = random.Random(seed)
    learned = [0.0] * network.node_count
    best: Rounds = []
    least = inf
    for number in range(PASSES):
        found = _useful(task, _pass(task, learned, rng, shared=number % 2 == 0))
        late = sum(t * len(calls) for t, calls in enumerate(found[wished_rounds:], 1))
        if late < least:
            best, least = found, late
        yield best
        if not least:
            return
        _learn(learned, found, wished_rounds)
    forest = forest_of(task, best)
    anneal(forest, wished_rounds, rng, inf)
    yield _useful(task, rounds_of(forest))


def _checked(network: Network, sources: Collection[int], targets: Collection[int]) -> Task:
    network.distances_to(sources, targets)
    return Task(network, tuple(sorted(set(sources))), frozenset(targets) - frozenset(sources))


def _least_rounds(task: Task) -> int:
    """Return a lower bound: the distance of the farthest wanted node, or by growth.

    Growth: a node informed in some round calls at most one more in each of as many of the next rounds as it
    has links, less one for that to its caller in undirected networks; a source has all its links.
    """
    network, sources = task.network, task.sources
    distances = network.distances_from(sources)
    links = max((len(network.successors[v]) for v in range(network.node_count)), default=0)
    calls = links if network.directed else links - 1
    missing, rounds, new = len(task.wanted), 0, [0]
    while missing > 0:
        rounds += 1
        by_sources = sum(1 for s in sources if len(network.successors[s]) >= rounds)
        new.append(by_sources + sum(new[max(0, rounds - calls) :]))
        missing -= new[-1]
    return max([distances[v] or 0 for v in task.wanted] + [rounds])


def _useful(task: Task, rounds: Rounds) -> Rounds:
    """Return the rounds without useless calls, and without empty rounds at the end.

    A useless call leads to no wanted node.
    """
    needed = set(task.wanted)
    kept: Rounds = []
    for calls in reversed(rounds):
        useful = [(u, v) for u, v in calls if v in needed]
        needed.update(u for u, _ in useful)
        if useful or kept:
            kept.append(useful)
    return kept[::-1]


def _pass(
    task: Task,
    learned: Sequence[float],
    rng: random.Random | None,
    *,
    shared: bool = True,
) -> Rounds:
    """Return a schedule, built round by round.

    Without random numbers ties go to the larger node number.

    Parameters
    ----------
    task
        The network, its sources and the wanted nodes.
    learned
        Added to the weight of each node.
    rng
        The source of random numbers; None for none.
    shared
        See `_weights`.
    """
    successors = task.network.successors
    informed = list(task.sources)
    is_informed = bytearray(task.network.node_count)
    for s in informed:
        is_informed[s] = 1
    edge = {v for s in informed for v in successors[s] if not is_informed[v]}
    missing = set(task.wanted)
    rounds: Rounds = []
    while missing:
        calls = (
            _heaviest_matching(task.network, is_informed, sorted(edge)) if len(edge) <= len(informed) else []
        )
        if len(calls) < len(edge):
            weights = _weights(task.network, informed, missing, learned, shared)
            ranked = sorted(
                [(weight + (NOISE * rng.random() if rng else 0), v) for v, weight in weights], reverse=True
            )
            calls = _heaviest_matching(task.network, is_informed, [v for _, v in ranked])
        rounds.append(calls)
        for _, v in calls:
            is_informed[v] = 1
        for _, v in calls:
            informed.append(v)
            missing.discard(v)
            edge.discard(v)
            edge.update(u for u in successors[v] if not is_informed[u])
    return rounds


def _weights(
    network: Network,
    informed: Sequence[int],
    missing: Collection[int],
    learned: Sequence[float],
    shared: bool,
) -> list[tuple[int, float]]:
    """Return the uninformed nodes next to informed ones, with the rounds they are estimated to need.

    Only those count that have missing nodes behind or at them.

    On the graph of shortest paths from the informed nodes a node needs what a tree would need: the maximum
    over its children, those of largest need first, of position + need. shared: whether a node counts as a
    child of all its parents or only of one. The first suits networks that are hard because they must be
    filled quickly, the second those that are hard because they are deep.
    """
    distance = [NEVER] * network.node_count
    for u in informed:
        distance[u] = 0
    order = list(informed)
    successors = network.successors
    for u in order:
        next_distance = distance[u] + 1
        for v in successors[u]:
            if distance[v] < 0:
                distance[v] = next_distance
                order.append(v)
    need: list[float] = [NEVER] * network.node_count
    counted = bytearray(network.node_count)
    frontier = []
    for i in range(len(order) - 1, len(informed) - 1, -1):
        u = order[i]
        children = [
            v
            for v in successors[u]
            if distance[v] > distance[u] and need[v] > NEVER and (shared or not counted[v])
        ]
        if children:
            needs = sorted([need[v] for v in children], reverse=True)
            need[u] = learned[u] + max([position + below for position, below in enumerate(needs, 1)])
            for v in children:
                counted[v] = 1
        elif u in missing:
            need[u] = learned[u]
        if distance[u] == 1 and need[u] > NEVER:
            frontier.append((u, need[u]))
    return frontier


def _heaviest_matching(
    network: Network, is_informed: Sequence[int], receivers: Iterable[int]
) -> list[tuple[int, int]]:
    """Return calls from distinct informed nodes to distinct receivers, with as much weight as possible.

    The receivers come in order of falling weight.
    Sets of receivers that can be matched are the independent sets of a transversal matroid, so the greedy
    choice is the best (Edmonds and Fulkerson).
    """
    receiver_of: dict[int, int] = {}
    sender_of: dict[int, int] = {}
    closed: set[int] = set()
    for v in receivers:
        # Breadth-first search for an augmenting path from v; what a failed search saw is of no use to any
        # later one.
        reached_from: dict[int, int] = {}
        queue = [v]
        for w in queue:
            senders = [
                u
                for u in network.predecessors[w]
                if is_informed[u] and u not in reached_from and u not in closed
            ]
            reached_from.update(dict.fromkeys(senders, w))
            free = next((u for u in senders if u not in receiver_of), None)
            if free is not None:
                break
            queue += [receiver_of[u] for u in senders]
        else:
            closed.update(reached_from)
            continue
        while free is not None:
            w = reached_from[free]
            next_free = sender_of.get(w)
            receiver_of[free], sender_of[w] = w, free
            free = next_free
    return list(receiver_of.items())


def _learn(learned: list[float], rounds: Rounds, wished_rounds: int) -> None:
    """Give a bonus to the nodes that came later than wished and to those that passed the message on to them.

    Older bonuses fade.
    """
    learned[:] = [FORGETTING * bonus for bonus in learned]
    sender_of = {v: u for calls in rounds for u, v in calls}
    for calls in rounds[wished_rounds:]:
        for _, late in calls:
            v = late
            while v in sender_of:
                learned[v] = min(LARGEST_BONUS, learned[v] + LATE_BONUS)
                v = sender_of[v]
