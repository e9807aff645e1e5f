"""The matching models as CP-SAT models of their own: broadcasts by rounds of calls, gossip by first arrivals.

Every rule is a function of its own, named after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from schedsolve.backends.cpsat import CpModel, Reader, decide_by_cpsat
from schedsolve.modelkit.formulation import Wish
from schedsolve.modelkit.search import Question, Search
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

from ..claims.formula import formula_size
from ..constructions.useful_calls import only_useful_calls
from ..rules import is_two_way

Arc = tuple[int, int]


def cpsat_search(question: Question) -> Search | None:
    """Decide by CP-SAT whether so many rounds suffice."""
    problem, rounds = question.problem, question.value
    return decide_by_cpsat(
        question, formula_size(problem, rounds), lambda model: _declare(model, problem, rounds)
    )


def scheduling_model(wish: Wish) -> Callable[[CpModel], Reader]:
    """What declares the CP-SAT model of a wish."""
    return lambda model: _declare(model, wish.problem, wish.limit)


def _declare(model: CpModel, problem: Problem, rounds: int) -> Reader:
    return (cpsat_gossip if problem.task == "gossip" else cpsat_broadcast)(model, problem, rounds)


@dataclass
class BroadcastTree:
    """The variables of a broadcast: `start_v`, "v is the source that is chosen", only where it is left open;
    `informed_v`, the round in which v is informed; `call_u_v`, "u calls v, who learns the message so".

    network: that of the broadcast; an accumulation is one run backwards. sources: the nodes that may start.
    """

    model: CpModel
    problem: Problem
    network: Network
    rounds: int
    sources: tuple[int, ...]
    start: dict[int, int] = field(default_factory=dict)
    informed: dict[int, int] = field(default_factory=dict)
    called: dict[Arc, int] = field(default_factory=dict)

    def callers(self, v: int) -> list[int]:
        """The ways in which a node that is no given source can come to know: calls, and being chosen."""
        return [self.called[u, v] for u in self.network.predecessors[v] if (u, v) in self.called] + [
            self.start[v] for _ in range(v in self.start)
        ]

    def is_given(self, v: int) -> bool:
        """Whether the node is a source without being chosen."""
        return not self.problem.choice and v in self.sources


def cpsat_broadcast(
    model: CpModel, problem: Problem, rounds: int, *, most_calls: int | None = None
) -> Reader:
    """A broadcast or multicast as a scheduling problem, an accumulation as a broadcast run backwards.

    The rules are those of `one_source`, `sources_know_at_once`, `informed_once`, `callers_are_informed`,
    `callers_know_earlier`, `one_call_at_a_time` and `few_calls`, which limits the calls of a node to
    `most_calls` where that is given.
    """
    x = _broadcast_variables(model, problem, rounds)
    for rule in (
        one_source,
        sources_know_at_once,
        informed_once,
        callers_are_informed,
        callers_know_earlier,
        one_call_at_a_time,
    ):
        rule(x)
    if most_calls is not None:
        few_calls(x, most_calls)
    return lambda value: _read_broadcast(x, value)


def _broadcast_variables(model: CpModel, problem: Problem, rounds: int) -> BroadcastTree:
    """The variables; a node's round is at least its distance from the sources, or M if that is less."""
    network = problem.network.reversed() if problem.task == "accumulation" else problem.network
    everyone = range(network.node_count)
    sources = tuple(everyone) if problem.choice else problem.sources
    x = BroadcastTree(model, problem, network, rounds, sources)
    if problem.choice:
        x.start = {v: model.boolean(f"start_{v}") for v in everyone}
    distance = network.distances_from(sources)
    for v in everyone:
        least = min(distance[v] or 0, rounds)
        x.informed[v] = model.integer(least, 0 if x.is_given(v) else rounds, f"informed_{v}")
    for u, v in network.arcs:
        if not x.is_given(v):
            x.called[u, v] = model.boolean(f"call_{u}_{v}")
    return x


def one_source(x: BroadcastTree) -> None:
    """With the source left open exactly one node starts."""
    if x.start:
        x.model.exactly_one(x.start.values())


def sources_know_at_once(x: BroadcastTree) -> None:
    """The source that is chosen is informed in round 0."""
    for v, start in x.start.items():
        x.model.at_most(x.informed[v], 0, when=start)


def informed_once(x: BroadcastTree) -> None:
    """Every target that is no source is called by exactly one node, every other node by at most one."""
    for v in range(x.network.node_count):
        if not x.is_given(v):
            (x.model.exactly_one if v in x.problem.targets else x.model.at_most_one)(x.callers(v))


def callers_are_informed(x: BroadcastTree) -> None:
    """A node that calls is a source or is called itself."""
    for (u, _), call in x.called.items():
        if not x.is_given(u):
            x.model.clause([-call, *x.callers(u)])


def callers_know_earlier(x: BroadcastTree) -> None:
    """A node that calls is informed in an earlier round than the one it calls."""
    for (u, v), call in x.called.items():
        x.model.later(x.informed[u], x.informed[v], when=call)


def one_call_at_a_time(x: BroadcastTree) -> None:
    """No two calls by one node lie in the same round."""
    for u in range(x.network.node_count):
        x.model.distinct_slots(
            [(x.informed[v], x.called[u, v]) for v in x.network.successors[u] if (u, v) in x.called]
        )


def few_calls(x: BroadcastTree, most: int) -> None:
    """No node takes part in more than so many calls."""
    for v in range(x.network.node_count):
        x.model.at_most_of([call for arc, call in x.called.items() if v in arc], most)


def _read_broadcast(x: BroadcastTree, value: Callable[[int], int]) -> tuple[Problem, Schedule]:
    pairs: list[list[Arc]] = [[] for _ in range(x.rounds)]
    for (u, v), call in x.called.items():
        if value(call):
            pairs[value(x.informed[v]) - 1].append((u, v))
    found = Schedule.two_way(pairs) if is_two_way(x.problem) else Schedule.one_way(pairs)
    problem = x.problem
    if x.start:
        problem = problem.at_node(next(v for v, start in x.start.items() if value(start)))
    return problem, only_useful_calls(problem, found.reversed() if problem.task == "accumulation" else found)


@dataclass
class Arrivals:
    """The variables of a gossip: `call_u_v_t3`, "there is a call along the link u-v in round 3", one for all
    rounds that are a period apart; `learnt_u_v_i_t3`, "item i first arrives at v, from u, in round 3", not
    before it can have reached u.
    """

    model: CpModel
    problem: Problem
    rounds: int
    slots: int
    call: dict[tuple[Arc, int], int] = field(default_factory=dict)
    learnt: dict[int, dict[tuple[int, int, int], int]] = field(default_factory=dict)

    @property
    def links(self) -> tuple[Arc, ...]:
        """The links that are called: edges in the two-way mode, else arcs."""
        return self.problem.network.edges if is_two_way(self.problem) else self.problem.network.arcs

    def call_along(self, u: int, v: int, t: int) -> int:
        """The call that brings something from u to v in round t."""
        link = (min(u, v), max(u, v)) if is_two_way(self.problem) else (u, v)
        return self.call[link, (t - 1) % self.slots + 1]


def cpsat_gossip(
    model: CpModel, problem: Problem, rounds: int, *, period: int | None = None, once: bool = False
) -> Reader:
    """A gossip by the first arrival of every item at every node.

    The rules are those of `one_call_a_node`, `learnt_once`, `arrivals_need_a_call` and
    `senders_learnt_earlier`, and with `once` that of `one_call_an_edge`; rounds that are a period apart share
    their calls.
    """
    slots = rounds if period is None else min(period, rounds)
    x = Arrivals(model, problem, rounds, slots)
    x.call = {
        ((u, v), t): model.boolean(f"call_{u}_{v}_t{t}") for u, v in x.links for t in range(1, slots + 1)
    }
    for i in range(problem.network.node_count):
        distance = problem.network.distances_from([i])
        x.learnt[i] = {
            (u, v, t): model.boolean(f"learnt_{u}_{v}_{i}_t{t}")
            for u, v in problem.network.arcs
            if v != i and distance[u] is not None
            for t in range((distance[u] or 0) + 1, rounds + 1)
        }
    for rule in (one_call_a_node, learnt_once, arrivals_need_a_call, senders_learnt_earlier):
        rule(x)
    if once:
        one_call_an_edge(x)

    def read(value: Callable[[int], int]) -> tuple[Problem, Schedule]:
        pairs = [[link for link in x.links if value(x.call_along(*link, t))] for t in range(1, rounds + 1)]
        found = Schedule.two_way(pairs) if is_two_way(problem) else Schedule.one_way(pairs)
        return problem, found if period else only_useful_calls(problem, found)

    return read


def one_call_a_node(x: Arrivals) -> None:
    """In every round every node takes part in at most one call."""
    for t in range(1, x.slots + 1):
        for v in range(x.problem.network.node_count):
            x.model.at_most_one([x.call[link, t] for link in x.links if v in link])


def one_call_an_edge(x: Arrivals) -> None:
    """Every edge is called at most once in a period, whichever way."""
    for u, v in x.problem.network.edges:
        x.model.at_most_one([call for (link, _), call in x.call.items() if link in ((u, v), (v, u))])


def learnt_once(x: Arrivals) -> None:
    """Every node learns every item but its own exactly once, through one arc in one round."""
    for i, learnt in x.learnt.items():
        for v in range(x.problem.network.node_count):
            if v != i:
                x.model.exactly_one([arrival for (_, head, _), arrival in learnt.items() if head == v])


def arrivals_need_a_call(x: Arrivals) -> None:
    """What is learnt through an arc in a round needs a call along it (two-way: along its edge) in the
    round.
    """
    for learnt in x.learnt.values():
        for (u, v, t), arrival in learnt.items():
            x.model.clause([-arrival, x.call_along(u, v, t)])


def senders_learnt_earlier(x: Arrivals) -> None:
    """What is learnt from a node that is not the item's origin was learnt there in an earlier round."""
    for i, learnt in x.learnt.items():
        for (u, _, t), arrival in learnt.items():
            if u != i:
                before = [
                    learnt[w, u, s]
                    for w in x.problem.network.predecessors[u]
                    for s in range(1, t)
                    if (w, u, s) in learnt
                ]
                x.model.clause([-arrival, *before])
