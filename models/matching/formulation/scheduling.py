"""The matching models as CP-SAT models of their own: broadcasts by rounds of calls, gossip by first
arrivals.
"""

from __future__ import annotations

from collections.abc import Callable

from schedsolve.backends.cpsat import CpModel, Reader, decide_by_cpsat
from schedsolve.modelkit.search import Question, Search
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

from ..claims.formula import formula_size
from ..constructions.useful_calls import only_useful_calls
from ..rules import is_two_way


def cpsat_search(question: Question) -> Search | None:
    """Decide by CP-SAT whether so many rounds suffice."""
    problem, rounds = question.problem, question.value
    declare = cpsat_gossip if problem.task == "gossip" else cpsat_broadcast
    return decide_by_cpsat(
        question, formula_size(problem, rounds), lambda model: declare(model, problem, rounds)
    )


def cpsat_broadcast(
    model: CpModel, problem: Problem, rounds: int, *, most_calls: int | None = None
) -> Reader:
    """A broadcast or multicast as a scheduling problem, an accumulation as a broadcast run backwards.

    - A source is informed in round 0, every other informed node v in a round informed[v] from its distance,
      or M if that is less, to M.
    - Every target that is no source is called by exactly one node, every other node by at most one.
    - A node that calls is a source or is called itself, in an earlier round.
    - No two calls by one node lie in the same round.
    - No node takes part in more than `most_calls` calls, if that is given.
    """
    reverse = problem.task == "accumulation"
    network = problem.network.reversed() if reverse else problem.network
    sources = range(network.node_count) if problem.choice else problem.sources
    distance = network.distances_from(sources)
    start = {v: model.boolean() for v in range(network.node_count)} if problem.choice else {}
    if start:
        model.exactly_one(start.values())
    informed = {
        v: model.integer(
            0 if start else min(distance[v] or 0, rounds), 0 if v in sources and not start else rounds
        )
        for v in range(network.node_count)
    }
    called = {(u, v): model.boolean() for u, v in network.arcs if start or v not in sources}
    for v in range(network.node_count):
        callers = [called[u, v] for u in network.predecessors[v] if (u, v) in called]
        if start:
            callers.append(start[v])
            model.at_most(informed[v], 0, when=start[v])
        elif v in sources:
            callers = []
        if v in problem.targets and (callers or v not in sources):
            model.exactly_one(callers)
        else:
            model.at_most_one(callers)
        if start or v not in sources:
            for u in network.successors[v]:
                if (v, u) in called:
                    model.clause([-called[v, u], *callers])
    for (u, v), arc in called.items():
        model.later(informed[u], informed[v], when=arc)
    for u in range(network.node_count):
        model.distinct_slots([(informed[v], called[u, v]) for v in network.successors[u] if (u, v) in called])
        if most_calls is not None:
            model.at_most_of([called[arc] for arc in called if u in arc], most_calls)

    def read(value: Callable[[int], int]) -> tuple[Problem, Schedule]:
        pairs: list[list[tuple[int, int]]] = [[] for _ in range(rounds)]
        for (u, v), arc in called.items():
            if value(arc):
                pairs[value(informed[v]) - 1].append((u, v))
        found = Schedule.two_way(pairs) if is_two_way(problem) else Schedule.one_way(pairs)
        chosen = problem
        if start:
            chosen = problem.at_node(next(v for v, literal in start.items() if value(literal)))
        return chosen, only_useful_calls(chosen, found.reversed() if reverse else found)

    return read


def cpsat_gossip(
    model: CpModel, problem: Problem, rounds: int, *, period: int | None = None, once: bool = False
) -> Reader:
    """A gossip by the first arrival of every item at every node.

    - In every round every node takes part in at most one call; rounds that are a period apart, if there is a
      period, have the same calls.
    - With `once`, every edge is called at most once in a period, whichever way.
    - Every node learns every item but its own exactly once, through one arc in one round.
    - What is learnt through an arc in a round needs a call along the arc (in the two-way mode: along its
      edge) in that round.
    - What is learnt from a node that is not the item's origin was learnt by that node in an earlier round.
    """
    network, n = problem.network, problem.network.node_count
    two_way = is_two_way(problem)
    links = network.edges if two_way else network.arcs
    link_of = {(u, v): (min(u, v), max(u, v)) if two_way else (u, v) for u, v in network.arcs}
    slots = rounds if period is None else min(period, rounds)
    call = {(link, t): model.boolean() for link in links for t in range(1, slots + 1)}
    for t in range(1, slots + 1):
        for v in range(n):
            model.at_most_one([call[link, t] for link in links if v in link])
    if once:
        for u, v in network.edges:
            model.at_most_one([x for (link, _), x in call.items() if link in ((u, v), (v, u))])
    for t in range(slots + 1, rounds + 1):
        call.update({(link, t): call[link, t - slots] for link in links})
    for i in range(n):
        distance = network.distances_from([i])
        learnt = {
            (u, v, t): model.boolean()
            for u, v in network.arcs
            if v != i
            for t in range((distance[u] or 0) + 1, rounds + 1)
            if distance[u] is not None
        }
        for v in range(n):
            if v != i:
                model.exactly_one([x for (_, head, _), x in learnt.items() if head == v])
        for (u, v, t), x in learnt.items():
            model.clause([-x, call[link_of[u, v], t]])
            if u != i:
                model.clause(
                    [
                        -x,
                        *(
                            learnt[w, u, s]
                            for w in network.predecessors[u]
                            for s in range(1, t)
                            if (w, u, s) in learnt
                        ),
                    ]
                )

    def read(value: Callable[[int], int]) -> tuple[Problem, Schedule]:
        pairs = [[link for link in links if value(call[link, t])] for t in range(1, rounds + 1)]
        found = Schedule.two_way(pairs) if is_two_way(problem) else Schedule.one_way(pairs)
        return problem, found if period else only_useful_calls(problem, found)

    return read
