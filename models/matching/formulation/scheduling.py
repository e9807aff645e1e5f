"""Broadcasts in the matching models as CP-SAT models of their own, for which a node is called in a round.

On a grid of 400 nodes that takes a tenth of the time of the integer program, whose variables are for rounds.

Every rule is a function of its own, named after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from schedsolve.modelkit.formulation import FormulationRequest
from schedsolve.modelkit.search import Question, RunningSearch
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

from ..claims.formula import formula_size
from ..constructions.useful_calls import only_useful_calls
from ..rules import is_two_way

if TYPE_CHECKING:
    from schedsolve.backends.cpsat import CpModel, Reader

Arc = tuple[int, int]


def cpsat_search(question: Question) -> RunningSearch | None:
    """Decide by CP-SAT whether so many rounds suffice; None for a gossip, whose integer program decides."""
    problem, rounds = question.problem, question.value
    if problem.task == "gossip":
        return None
    from schedsolve.backends.cpsat import decide_by_cpsat

    size = formula_size(problem, rounds)
    return decide_by_cpsat(question, size, lambda model: cpsat_broadcast(model, problem, rounds))


def scheduling_model(request: FormulationRequest) -> Callable[[CpModel], Reader] | None:
    """Return what declares the CP-SAT model of a request; None for a gossip, which has none of its own."""
    if request.problem.task == "gossip":
        return None
    return lambda model: cpsat_broadcast(model, request.problem, request.limit)


@dataclass
class BroadcastTree:
    """The variables of a broadcast.

    `start_v`, "v is the source that is chosen", only where it is left open; `informed_v`, the round in which
    v is informed; `call_u_v`, "u calls v, who learns the message so".

    Attributes
    ----------
    network
        That of the broadcast; an accumulation is one run backwards.
    sources
        The nodes that may start.
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
        """Return the ways in which a node that is no given source can come to know.

        Calls, and being chosen.
        """
        return [self.called[u, v] for u in self.network.predecessors[v] if (u, v) in self.called] + [
            self.start[v] for _ in range(v in self.start)
        ]

    def is_given(self, v: int) -> bool:
        """Whether the node is a source without being chosen."""
        return not self.problem.choice and v in self.sources


def cpsat_broadcast(
    model: CpModel, problem: Problem, rounds: int, *, most_calls: int | None = None
) -> Reader:
    """Return a broadcast or multicast as a scheduling problem, an accumulation as a broadcast run backwards.

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
    """Return the variables.

    A node's round is at least its distance from the sources, or M if that is less.
    """
    network = problem.broadcast_network
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
    """Require that the source that is chosen is informed in round 0."""
    for v, start in x.start.items():
        x.model.at_most(x.informed[v], 0, when=start)


def informed_once(x: BroadcastTree) -> None:
    """Every target that is no source is called by exactly one node, every other node by at most one."""
    for v in range(x.network.node_count):
        if not x.is_given(v):
            (x.model.exactly_one if v in x.problem.targets else x.model.at_most_one)(x.callers(v))


def callers_are_informed(x: BroadcastTree) -> None:
    """Require that a node that calls is a source or is called itself."""
    for (u, _), call in x.called.items():
        if not x.is_given(u):
            x.model.clause([-call, *x.callers(u)])


def callers_know_earlier(x: BroadcastTree) -> None:
    """Require that a node that calls is informed in an earlier round than the one it calls."""
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
