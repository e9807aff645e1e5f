"""The referee of the matching models (telegraph and telephone): what a legal round is and what it does.

Telegraph (one-way): the calls of a round are arcs u -> v of the network that share no node; v learns all that u knew before the round.
Telephone (two-way): the calls of a round are edges of the network that share no node; both ends learn all that the other knew.

Source: Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), section 2; there the condition of the one-way mode must be read as
"no node takes part in two calls of a round".
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from schedsolve.model import Replay
from schedsolve.network import Label, Network
from schedsolve.problem import Problem
from schedsolve.schedule import Call, Round, Schedule
from schedsolve.task import Demand

TELEPHONE = "telephone"


def is_two_way(problem: Problem) -> bool:
    """Whether the calls of the problem's model go both ways."""
    return problem.model == TELEPHONE


def replay(problem: Problem, schedule: Schedule) -> Replay:
    """Replay a schedule for a problem whose source or root is given; the value is the number of rounds.

    The violation is the first broken rule in the order of rounds and calls, else what is still unknown to whom after the last round.
    """
    rounds = len(schedule.rounds)
    network = problem.network
    foreign = foreign_form(schedule)
    if foreign:
        return Replay(rounds, foreign)
    for number, calls in enumerate(schedule.rounds, 1):
        broken = broken_rule(network, is_two_way(problem), calls)
        if broken:
            return Replay(rounds, f"round {number}: {broken}")
    demand = problem.demand()
    held = list(demand.start)
    for held in knowledge_by_round(demand, schedule):  # noqa: B007
        pass
    return Replay(rounds, missing_knowledge(network.labels, demand, held, rounds), legal=True)


def foreign_form(schedule: Schedule, *, period: int | None = None) -> str | None:
    """What a schedule says that means nothing in rounds of whole messages with the given period or none; None if nothing."""
    if schedule.messages is not None:
        return "the schedule is clocked, with messages in place of rounds; here calls are made in rounds"
    if schedule.packet_count is not None or any(call[4:] != ((), (), ()) for calls in schedule.rounds for call in calls):
        return "the schedule sends packets, runs or ports; here a call brings all that its sender knows"
    if schedule.period not in (None, period):
        problem = "the problem has no period" if period is None else f"the period is {period}"
        return f"the schedule says that it repeats every {schedule.period} rounds, but {problem}"
    return None


def broken_rule(network: Network, two_way: bool, calls: Round) -> str | None:
    """The first rule that the calls of one round break, None when the round is legal."""
    busy: set[int] = set()
    for call in calls:
        u, v = network.labels[call.sender], network.labels[call.receiver]
        if call.two_way != two_way:
            if two_way:
                return f"the call from {u} to {v} is one-way; a telephone call is two-way, {json.dumps({'between': [u, v]})}"
            return f"the call between {u} and {v} is two-way; a telegraph call is one-way, {json.dumps({'from': u, 'to': v})}"
        if call.path:
            return f"the call from {u} to {v} has a path; here calls are between neighbours (long-distance calls are for the line model)"
        if (call.sender, call.receiver) not in network.arc_set:
            return f"there is no {'arc' if network.directed else 'edge'} from {u} to {v} in the network"
        for end in (call.sender, call.receiver):
            if end in busy:
                return f"node {network.labels[end]} takes part in two calls"
            busy.add(end)
    return None


def knowledge_by_round(demand: Demand, schedule: Schedule) -> Iterator[list[int]]:
    """For every round in turn, the items that each node holds after it (bit masks by node); the same list, updated in place.

    The rounds must be legal: then no node takes part in two calls, and the order of the calls within a round does not matter.
    """
    held = list(demand.start)
    for calls in schedule.rounds:
        for call in calls:
            transfer(held, call)
        yield held


def transfer(held: list[int], call: Call) -> None:
    """What one call does: the receiver (in a two-way call both ends) now also holds what the other end holds."""
    together = held[call.sender] | held[call.receiver]
    held[call.receiver] = together
    if call.two_way:
        held[call.sender] = together


def missing_knowledge(labels: tuple[Label, ...], demand: Demand, held: list[int], rounds: int) -> str | None:
    """Who still misses what, given what each node holds at the end; None when every goal is reached."""
    missing = [(v, goal & ~held[v]) for v, goal in enumerate(demand.goal) if goal & ~held[v]]
    if not missing:
        return None
    when = f"after the last round ({rounds}): "
    if demand.item_count == 1 and len(demand.start) > 1:
        names = [str(labels[v]) for v, _ in missing]
        return f"{when}the message has not reached {_some('node', names)}"
    v, items = missing[0]
    names = [str(labels[i]) for i in range(demand.item_count) if items >> i & 1]
    others = {1: "", 2: "; 1 more node misses something"}.get(len(missing), f"; {len(missing) - 1} more nodes miss something")
    return f"{when}node {labels[v]} does not know the item of {_some('node', names)}{others}"


def _some(noun: str, names: list[str], limit: int = 6) -> str:
    shown = ", ".join(names[:limit]) + (f" and {len(names) - limit} more" if len(names) > limit else "")
    return f"{noun}{'s' if len(names) > 1 else ''} {shown}"
