"""The referee of the matching models (telegraph and telephone): what a legal round is and what it does.

Telegraph (one-way): the calls of a round are arcs u -> v of the network that share no node; v learns all that
u knew before the round. Telephone (two-way): the calls of a round are edges of the network that share no
node; both ends learn all that the other knew.

Source: Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), section 2; there the condition of the
one-way mode must be read as "no node takes part in two calls of a round".
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from schedsolve.modelkit.form import CallForm
from schedsolve.modelkit.knowledge import missing_knowledge
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Replay
from schedsolve.modelkit.schedule import Call, Round, Schedule
from schedsolve.modelkit.task import Demand
from schedsolve.network.graph import Network
from schedsolve.runtime.limits.budget import spend

TELEPHONE = "telephone"
FORM = CallForm()
"""A call brings all that its sender knows, and says nothing besides its ends."""


def is_two_way(problem: Problem) -> bool:
    """Whether the calls of the problem's model go both ways."""
    return problem.model == TELEPHONE


def replay(problem: Problem, schedule: Schedule) -> Replay:
    """Replay a schedule for a problem whose source or root is given; the value is the number of rounds.

    The violation is the first broken rule in the order of rounds and calls, else what is still unknown to
    whom after the last round.
    """
    rounds = len(schedule.rounds)
    network = problem.network
    foreign = FORM.foreign(schedule)
    if foreign:
        return Replay(rounds, foreign)
    for calls in schedule.different_rounds:
        broken = broken_rule(network, is_two_way(problem), calls)
        if broken:
            number = next(t for t, other in enumerate(schedule.rounds, 1) if other is calls)
            return Replay(rounds, f"round {number}: {broken}")
    ends = ((demand, held_at_end(demand, schedule)) for demand in problem.demands())
    return Replay(rounds, missing_knowledge(network.labels, ends, rounds), legal=True)


def broken_rule(network: Network, two_way: bool, calls: Round) -> str | None:
    """Return the first rule that the calls of one round break, None when the round is legal."""
    busy: set[int] = set()
    for call in calls:
        u, v = network.labels[call.sender], network.labels[call.receiver]
        if call.two_way != two_way:
            if two_way:
                return (
                    f"the call from {u} to {v} is one-way; a telephone call is two-way,"
                    f" {json.dumps({'between': [u, v]})}"
                )
            return (
                f"the call between {u} and {v} is two-way; a telegraph call is one-way,"
                f" {json.dumps({'from': u, 'to': v})}"
            )
        if not network.has_arc(call.sender, call.receiver):
            return f"there is no {'arc' if network.directed else 'edge'} from {u} to {v} in the network"
        for end in (call.sender, call.receiver):
            if end in busy:
                return f"node {network.labels[end]} takes part in two calls"
            busy.add(end)
    return None


def knowledge_by_round(demand: Demand, schedule: Schedule) -> Iterator[list[int]]:
    """For every round in turn, the items that each node holds after it (bit masks by node).

    The same list, updated in place.

    The rounds must be legal: then no node takes part in two calls, and the order of the calls within a round
    does not matter.
    """
    held = list(demand.start)
    for calls in schedule.rounds:
        for call in calls:
            transfer(held, call)
        yield held


def held_at_end(demand: Demand, schedule: Schedule) -> list[int]:
    """Return the items that each node holds after the last round of legal rounds (bit masks by node).

    Raises
    ------
    OverBudgetError
        If a file's few rounds stand for more calls than its budget.
    """
    spend("calls", schedule.call_count)
    held = list(demand.start)
    for held in knowledge_by_round(demand, schedule):  # noqa: B007
        pass
    return held


def transfer(held: list[int], call: Call) -> None:
    """Carry out one call: the receiver also holds what the other end holds now.

    In a two-way call both ends do.
    """
    together = held[call.sender] | held[call.receiver]
    held[call.receiver] = together
    if call.two_way:
        held[call.sender] = together
