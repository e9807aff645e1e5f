"""The referee of the systolic models: the rounds of telegraph and telephone, repeated with a period.

A schedule A[1], ..., A[m] is p-systolic if A[t + p] = A[t] for all t with t + p <= m; for p >= m
nothing is required. With edge colouring, every edge of the network is used at most once in rounds 1,
..., p, in either direction.

Source: Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), Definition 2.1; the colouring:
Liestman, Richards (1993).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from math import floor, inf

from schedsolve.modelkit.form import CallForm
from schedsolve.modelkit.knowledge import missing_knowledge
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Replay
from schedsolve.modelkit.schedule import Call, Round, Schedule
from schedsolve.modelkit.task import Demand
from schedsolve.models.matching.rules import broken_rule, held_at_end, is_two_way, transfer
from schedsolve.network.graph import Network
from schedsolve.network.named.trees import order_from
from schedsolve.runtime.errors import InputError

LARGEST_LISTED = 5000
"""The most nodes of a tree for which an incomplete gossip names the items that nodes lack."""

FORM = CallForm(period=True)
"""A schedule may state its period."""


def period_of(problem: Problem) -> int:
    """Return the period of a problem.

    Raises
    ------
    InputError
        If the period is left open ("min").
    """
    period = problem.parameters["period"]
    if not isinstance(period, int):
        raise InputError("the period is left open (min); result.placed is the problem of its schedule")
    return period


def is_edge_colouring(problem: Problem) -> bool:
    """Return whether every edge may be used only once in a period."""
    return bool(problem.parameters.get("edge_colouring"))


def replay(problem: Problem, schedule: Schedule) -> Replay:
    """Replay a schedule for a problem whose period, and source or root, is given.

    The value is the number of rounds. The violation is the first broken rule in the order of rounds;
    if there is none, it names which items which nodes lack after the last round.
    """
    rounds = len(schedule.rounds)
    period = period_of(problem)
    foreign = FORM.foreign(schedule, period=period)
    if foreign:
        return Replay(rounds, foreign)
    used: dict[frozenset[int], int] = {}
    for t, calls in enumerate(schedule.rounds, 1):
        if t > period and _same(calls, schedule.rounds[t - period - 1]):
            continue
        broken = broken_rule(problem.network, is_two_way(problem), calls)
        if not broken and t > period:
            broken = _difference(problem, schedule, t - period, t)
        if not broken and is_edge_colouring(problem) and t <= period:
            broken = _used_again(problem, used, calls, t)
        if broken:
            return Replay(rounds, f"round {t}: {broken}")
    if problem.task == "gossip" and problem.network.is_tree:
        late = max(tree_crossings(problem.network, schedule.rounds[:period], period).values(), default=0)
        if late <= rounds or problem.network.node_count > LARGEST_LISTED:
            return Replay(rounds, _late(late) if late > rounds else None, legal=True)
    ends: Iterable[tuple[Demand, Sequence[int]]]
    if problem.task in ("broadcast", "multicast"):
        demand = problem.demand()
        times = arrivals(demand.start, schedule.rounds[:period], period)
        ends = [(demand, [1 if time <= rounds else 0 for time in times])]
    else:
        ends = ((demand, held_at_end(demand, schedule)) for demand in problem.demands())
    return Replay(rounds, missing_knowledge(problem.network.labels, ends, rounds), legal=True)


def _same(calls: Round, earlier: Round) -> bool:
    """Return whether two rounds are written alike; those of a long schedule are often the same object."""
    return calls is earlier or calls == earlier


def _late(late: float) -> str:
    """Return the violation of a gossip in a large tree that is complete only after round `late`."""
    after = "never complete" if late == inf else f"complete only after round {late:.0f}"
    return f"the calls of its period make a gossip that is {after}"


def tree_crossings(
    network: Network, slots: Sequence[Iterable[Call]], period: int
) -> dict[tuple[int, int], float]:
    """Return for every arc u -> v of a tree the round after which v knows all that lies behind the arc.

    It is infinite if that never happens. Behind u -> v lie the nodes that the tree without the edge
    keeps together with u.

    1. What u knows only grows, so all of it is at v exactly when a call came from u after all that
       lies behind u -> v was at u, that is, after all of it had crossed every other arc into u.
    2. So a gossip is complete when every arc is crossed, and no node's items need to be listed.

    Parameters
    ----------
    network
        An undirected tree.
    slots
        The calls of slots 1, 2, ... of the period, each slot legal.
    period
        The period with which the slots repeat.
    """
    calls: dict[tuple[int, int], list[int]] = {arc: [] for arc in network.arcs}
    for slot, made in enumerate(slots, 1):
        for u, v, two_way, *_ in made:
            calls[u, v].append(slot)
            if two_way:
                calls[v, u].append(slot)
    order, parent = order_from(network, 0)
    crossed: dict[tuple[int, int], float] = {}
    for u in reversed(order[1:]):
        ready = max((crossed[w, u] for w in network.successors[u] if w != parent[u]), default=0)
        crossed[u, parent[u]] = _next_call(calls[u, parent[u]], period, ready)
    for u in order:
        arrivals = sorted((crossed[w, u] for w in network.successors[u]), reverse=True)
        for v in network.successors[u]:
            if parent[v] == u:
                last = arrivals[0] if crossed[v, u] != arrivals[0] else (*arrivals, 0)[1]
                crossed[u, v] = _next_call(calls[u, v], period, last)
    return crossed


def arrivals(start: Sequence[int], slots: Sequence[Iterable[Call]], period: int) -> list[float]:
    """Return the round after which each node knows a single message; infinite if it never does.

    The earlier a node knows it, the earlier it passes it on by each of its calls; so the nodes are gone
    through in the order in which they are informed, each once.

    Parameters
    ----------
    start
        For every node, 1 if it knows the message before round 1, else 0.
    slots
        The calls of slots 1, 2, ... of the period, each slot legal.
    period
        The period with which the slots repeat.
    """
    calls: list[list[tuple[int, int]]] = [[] for _ in start]
    for slot, made in enumerate(slots, 1):
        for u, v, two_way, *_ in made:
            calls[u].append((slot, v))
            if two_way:
                calls[v].append((slot, u))
    found = [0 if known else inf for known in start]
    queue = [(0.0, v) for v, known in enumerate(start) if known]
    while queue:
        time, u = heappop(queue)
        if time > found[u]:
            continue
        for slot, v in calls[u]:
            after = _next_call([slot], period, time)
            if after < found[v]:
                found[v] = after
                heappush(queue, (after, v))
    return found


def _next_call(slots: Sequence[int], period: int, ready: float) -> float:
    """Return the first round after `ready` in one of the period's `slots`; infinite if there is none."""
    return (
        min((ready + 1 + (slot - ready - 1) % period for slot in slots), default=inf) if ready < inf else inf
    )


def _undirected(call: Call) -> tuple[int, int, bool]:
    return (min(call[:2]), max(call[:2]), True) if call.two_way else call[:3]


def _difference(problem: Problem, schedule: Schedule, earlier: int, t: int) -> str | None:
    """Return how round t differs from the earlier round that it should repeat; None if it does not."""
    first, second = ({_undirected(call) for call in schedule.rounds[number - 1]} for number in (earlier, t))
    if first == second:
        return None
    u, v, two_way = min(first ^ second)
    names = problem.network.labels
    call = f"the call {'between' if two_way else 'from'} {names[u]} {'and' if two_way else 'to'} {names[v]}"
    where = (
        f"is made in round {earlier} but not here"
        if (u, v, two_way) in first
        else f"is not made in round {earlier}"
    )
    return f"{call} {where}; with period {period_of(problem)} the two rounds are the same"


def _used_again(
    problem: Problem, used: dict[frozenset[int], int], calls: Iterable[Call], t: int
) -> str | None:
    """Return the first call of round t along an edge that the period used before; None if there is none.

    The edges of the round are added to `used`.
    """
    for call in calls:
        before = used.setdefault(frozenset(call[:2]), t)
        if before < t:
            u, v = (problem.network.labels[x] for x in sorted(call[:2]))
            return (
                f"the edge {u}-{v} was used in round {before}; an edge colouring uses every edge at most once"
                " in a period"
            )
    return None


def run_until_complete(problem: Problem, period_rounds: Schedule, most_rounds: int) -> Schedule | None:
    """Repeat one period until the task is complete, and end the schedule there.

    Parameters
    ----------
    problem
        The problem, with its source or root given.
    period_rounds
        The calls of one period, or of its first rounds if the others have none.
    most_rounds
        The most rounds allowed.

    Returns
    -------
    The schedule; None if the task takes more than `most_rounds` rounds.
    """
    period, given = period_of(problem), period_rounds.rounds
    slots = (*given[:period], *[()] * (min(period, most_rounds) - len(given)))
    complete = _complete_after(problem, slots, most_rounds)
    if complete is None:
        return None
    return Schedule(tuple(slots[t % period] for t in range(complete)), period)


def _complete_after(problem: Problem, slots: Sequence[Round], most_rounds: int) -> int | None:
    """Return the number of rounds after which the repeated slots of a period complete the task.

    None if that takes more than `most_rounds`.
    """
    period = period_of(problem)
    if problem.task == "gossip" and problem.network.is_tree:
        late = max(tree_crossings(problem.network, slots, period).values(), default=0)
        return floor(late) if late <= most_rounds else None
    demand = problem.demand()
    if problem.task in ("broadcast", "multicast"):
        times = arrivals(demand.start, slots, period)
        late = max(times[v] for v, goal in enumerate(demand.goal) if goal)
        return floor(late) if late <= most_rounds else None
    held = list(demand.start)
    wanting = {v for v, goal in enumerate(demand.goal) if goal & ~held[v]}
    rounds = 0
    while wanting:
        if rounds >= most_rounds:
            return None
        for call in slots[rounds % period]:
            transfer(held, call)
        rounds += 1
        wanting = {v for v in wanting if demand.goal[v] & ~held[v]}
    return rounds
