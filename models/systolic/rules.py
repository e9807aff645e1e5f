"""The referee of the systolic models: the rounds of telegraph and telephone, repeated with a period.

A schedule A[1], ..., A[m] is p-systolic when A[t + p] = A[t] for all t with t + p <= m; with p >= m nothing
is required. With edge colouring, every edge of the network is used at most once in rounds 1, ..., p,
whichever way.

Source: Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), Definition 2.1; the colouring: Liestman,
Richards (1993).
"""

from __future__ import annotations

from collections.abc import Iterable

from schedsolve.modelkit.form import CallForm
from schedsolve.modelkit.knowledge import missing_knowledge
from schedsolve.modelkit.record import Replay
from schedsolve.models.matching.rules import broken_rule, is_two_way, knowledge_by_round, transfer
from schedsolve.problem import Problem
from schedsolve.schedule import Call, Schedule

FORM = CallForm(period=True)
"""A schedule may say after how many rounds it repeats."""


def period_of(problem: Problem) -> int:
    """The period of a problem. Raises ValueError while it is left open ("min")."""
    period = problem.parameters["period"]
    if not isinstance(period, int):
        raise ValueError("the period is left open")
    return period


def is_edge_colouring(problem: Problem) -> bool:
    """Whether every edge may be used only once in a period."""
    return bool(problem.parameters.get("edge_colouring"))


def replay(problem: Problem, schedule: Schedule) -> Replay:
    """Replay a schedule for a problem whose period, and source or root, is given; the value is the number of
    rounds.

    The violation is the first broken rule in the order of rounds, else what is still unknown to whom after
    the last round.
    """
    rounds = len(schedule.rounds)
    period = period_of(problem)
    foreign = FORM.foreign(schedule, period=period)
    if foreign:
        return Replay(rounds, foreign)
    used: dict[frozenset[int], int] = {}
    for t, calls in enumerate(schedule.rounds, 1):
        broken = broken_rule(problem.network, is_two_way(problem), calls)
        if not broken and t > period:
            broken = _difference(problem, schedule, t - period, t)
        if not broken and is_edge_colouring(problem) and t <= period:
            broken = _used_again(problem, used, calls, t)
        if broken:
            return Replay(rounds, f"round {t}: {broken}")
    demand = problem.demand()
    held = list(demand.start)
    for held in knowledge_by_round(demand, schedule):  # noqa: B007
        pass
    return Replay(rounds, missing_knowledge(problem.network.labels, demand, held, rounds), legal=True)


def _undirected(call: Call) -> tuple[int, int, bool]:
    return (min(call[:2]), max(call[:2]), True) if call.two_way else call[:3]


def _difference(problem: Problem, schedule: Schedule, earlier: int, t: int) -> str | None:
    """How round t differs from the earlier round that it should repeat; None when it does not."""
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
    """The first call along an edge that the period used before, while the edges of round t are noted in
    `used`; None without one.
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
    """Repeat one period until the task is complete, and cut there; None when that takes more than
    `most_rounds` rounds.

    problem: its source or root given. period_rounds: the calls of one period, or of fewer rounds when the
    others have none.
    """
    period, given = period_of(problem), period_rounds.rounds
    demand = problem.demand()
    held = list(demand.start)
    wanting = {v for v, goal in enumerate(demand.goal) if goal & ~held[v]}
    rounds: list[tuple[Call, ...]] = []
    while wanting:
        if len(rounds) >= most_rounds:
            return None
        slot = len(rounds) % period
        rounds.append(given[slot] if slot < len(given) else ())
        for call in rounds[-1]:
            transfer(held, call)
        wanting = {v for v in wanting if demand.goal[v] & ~held[v]}
    return Schedule(tuple(rounds), period)
