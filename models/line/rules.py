"""The referee of the line model: long-distance calls along edge-disjoint paths.

In a round every call uses a path of the network between its two ends, and no edge (in a directed network:
no arc) is used twice in a round. With K ports a node takes part in at most K calls of a round; nodes that
a call only passes through learn nothing and need no port. A call brings its receiver what its sender knew
before the round; a two-way (full-duplex) call also does the opposite.

Source: Cohen, Broadcasting, multicasting and gossiping in trees under the all-port line model; Farley
(1980) for one port.
"""

from __future__ import annotations

from itertools import pairwise

from schedsolve.modelkit.form import CallForm, Path, read_path
from schedsolve.modelkit.knowledge import missing_knowledge
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Replay
from schedsolve.modelkit.schedule import Call, Round, Schedule
from schedsolve.modelkit.task import Demand
from schedsolve.network.graph import Network

FORM = CallForm(Path, read_path)
"""A call may state its path."""


def ports_of(problem: Problem) -> int | None:
    """Return the most calls of a round in which a node may take part; None for any number."""
    ports: int | str = problem.parameters["ports"]
    return None if isinstance(ports, str) else ports


def replay(problem: Problem, schedule: Schedule) -> Replay:
    """Replay a schedule for a problem whose source or root is given; the value is the number of rounds.

    The violation is the first broken rule in the order of rounds and calls; if there is none, it names which
    items which nodes lack after the last round.
    """
    rounds = len(schedule.rounds)
    foreign = FORM.foreign(schedule)
    if foreign:
        return Replay(rounds, foreign)
    for number, calls in enumerate(schedule.rounds, 1):
        broken = broken_rule(problem.network, ports_of(problem), calls)
        if broken:
            return Replay(rounds, f"round {number}: {broken}")
    ends = ((demand, _held_at_end(demand, schedule)) for demand in problem.demands())
    return Replay(rounds, missing_knowledge(problem.network.labels, ends, rounds), legal=True)


def _held_at_end(demand: Demand, schedule: Schedule) -> list[int]:
    """Return the items that each node holds after the last round of legal rounds (bit masks by node)."""
    held = list(demand.start)
    for calls in schedule.rounds:
        before = {end: held[end] for call in calls for end in call[:2]}
        for call in calls:
            held[call.receiver] = _joined(held[call.receiver], before[call.sender])
            if call.two_way:
                held[call.sender] = _joined(held[call.sender], before[call.receiver])
    return held


def _joined(own: int, told: int) -> int:
    """Return the items of both; what nodes are told and adds all that they hold is kept once in memory."""
    both = own | told
    return told if both == told else both


def broken_rule(network: Network, ports: int | None, calls: Round) -> str | None:
    """Return the first rule that the calls of one round break; None if the round is legal."""
    labels = network.labels
    used: dict[tuple[int, int], Call] = {}
    busy = [0] * network.node_count
    for call in calls:
        name = _name(network, call)
        if network.directed and call.two_way:
            return f"{name} is two-way, but the network has arcs"
        broken = _broken_path(network, call, name)
        if broken:
            return broken
        for u, v in pairwise(path_of(network, call) or ()):
            edge = (u, v) if network.directed else (min(u, v), max(u, v))
            if edge in used:
                return (
                    f"{name} uses the edge {labels[edge[0]]}-{labels[edge[1]]}, as does"
                    f" {_name(network, used[edge])}"
                )
            used[edge] = call
        for end in call[:2]:
            busy[end] += 1
            if ports is not None and busy[end] > ports:
                return f"node {labels[end]} takes part in more than {ports} call{'s' if ports > 1 else ''}"
    return None


def _name(network: Network, call: Call) -> str:
    u, v = network.labels[call.sender], network.labels[call.receiver]
    return f"the call between {u} and {v}" if call.two_way else f"the call from {u} to {v}"


def path_of(network: Network, call: Call) -> tuple[int, ...] | None:
    """Return the path of a call; None if it has none.

    It is the path stated; else the edge between its ends; else, in an undirected tree, the only path.
    """
    if call.payload:
        return call.payload
    if network.has_arc(call.sender, call.receiver):
        return call[:2]
    if not network.is_tree:
        return None
    came_from = {call.sender: call.sender}
    queue = [call.sender]
    for u in queue:
        for w in network.successors[u]:
            if w not in came_from:
                came_from[w] = u
                queue.append(w)
    backwards = [call.receiver]
    while backwards[-1] != call.sender:
        backwards.append(came_from[backwards[-1]])
    return tuple(reversed(backwards))


def _broken_path(network: Network, call: Call, name: str) -> str | None:
    """Return what is wrong with the path of a call; None if it is a path between the call's two ends."""
    labels = network.labels
    if call.sender == call.receiver:
        return f"{name} has one end only"
    path = path_of(network, call)
    if path is None:
        return f'{name} needs a "path": its ends are no neighbours and the network is no undirected tree'
    if (path[0], path[-1]) != call[:2]:
        return f"the path of {name} leads from {labels[path[0]]} to {labels[path[-1]]}"
    if len(set(path)) < len(path):
        twice = next(v for i, v in enumerate(path) if v in path[:i])
        return f"the path of {name} visits node {labels[twice]} twice"
    for u, v in pairwise(path):
        if not network.has_arc(u, v):
            return (
                f"the path of {name} goes from {labels[u]} to {labels[v]}, where there is no"
                f" {'arc' if network.directed else 'edge'}"
            )
    return None
