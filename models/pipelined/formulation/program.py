"""The linear program of a scatter, a gather or an alltoall for other solvers.

Flows, those of one source together.

That of copying tasks and reductions, which go along trees, is in `tree_program`.

Variables: the time, and what every link carries of every flow; all 0 or more, and fractions, or with a number
of packets whole numbers of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from schedsolve.modelkit.formulas.integer_program import IntegerProgram, compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulation import FormulationRequest, Formulations, IntegerFormulation, Solved
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import forwarding
from schedsolve.network.graph import Network

from ..constructions.shortest_ways import with_least_time
from ..rules.demand import REDUCTIONS, TREE_TASKS, Link, flow_ends, flow_units
from ..rules.schedule import Flow, PipelinedSchedule
from .exact_flows import Flows, rounded_flows
from .listed_trees import listed_formulation, lists_trees
from .measure import Measure, time_scale
from .tree_program import tree_formulation

TINY = 1e-7


@dataclass
class _Program:
    """The variables.

    Attributes
    ----------
    network
        With its links turned round for a gather, so that all flows go from their ends.
    """

    problem: Problem
    network: Network
    measure: Measure
    program: IntegerProgram = field(default_factory=IntegerProgram)
    time: int = 0
    flows: dict[int, dict[Link, int]] = field(default_factory=dict)


def integer_formulation(request: FormulationRequest) -> IntegerFormulation:
    """Return the program of a problem; its least value is the least time.

    Raises
    ------
    InputError
        For trees of which there are too many: see `listed_formulation`.
    """
    if lists_trees(request.problem):
        return listed_formulation(request)
    if request.problem.task in (*TREE_TASKS, *REDUCTIONS):
        return tree_formulation(request)
    problem = forwarding(request.problem)
    network = problem.network.reversed() if problem.task == "gather" else problem.network
    measure = Measure.of(replace(request, problem=replace(problem, network=network)))
    made = _Program(problem, network, measure)
    units = {s: sum(flow_units(problem, s).values()) for s in flow_ends(problem)}
    made.time = measure.time(made.program, sum(units.values()))
    for s, most in units.items():
        made.flows[s] = {
            (u, v): measure.amount(made.program, f"x_{s}_{u}_{v}", most) for u, v in network.arcs if v != s
        }
    if request.minimise:
        made.program.costs[made.time] = 1
    made.program.require((_arrivals, _loads, _limit), made)
    meaning = "x_S_U_V is what the link from U to V carries of the flow of S, in nodes from 0"
    if problem.task == "gather":
        meaning += "; links are turned round"
    return IntegerFormulation(made.program, _decoder(made), meaning, scale=measure.scale)


def _arrivals(made: _Program) -> Iterator[Row]:
    """Another rank gets of every flow its units more than it sends on; other nodes send on all they get."""
    for s, flow in made.flows.items():
        units = flow_units(made.problem, s)
        for v in range(made.network.node_count):
            if v != s:
                entering = [x for (_, end), x in flow.items() if end == v]
                leaving = [x for (start, _), x in flow.items() if start == v]
                yield compare(entering, "=", leaving, units.get(v, 0) * made.measure.parts)


def _loads(made: _Program) -> Iterator[Row]:
    """All flows together load a link with its bandwidth times the time at most."""
    for link in made.network.bandwidth_of:
        yield made.measure.load(made.time, link, [flow[link] for flow in made.flows.values() if link in flow])


def _limit(made: _Program) -> Iterator[Row]:
    """No more time is taken than was asked for."""
    yield from made.measure.limited(made.time)


def _decoder(made: _Program) -> Callable[[Callable[[str], float]], Solved]:
    def decode(value: Callable[[str], float]) -> Solved:
        about = {
            s: {(u, v): x for u, v in flow if (x := value(f"x_{s}_{u}_{v}")) > TINY}
            for s, flow in made.flows.items()
        }
        rounded: Flows | None
        if made.measure.whole:
            parts = made.measure.parts
            rounded = {
                s: {e: Fraction(round(x), parts) for e, x in flow.items()} for s, flow in about.items()
            }
        else:
            rounded = rounded_flows(made.network, {s: flow_units(made.problem, s) for s in about}, about)
        if not rounded:
            raise ValueError("the flows do not get everywhere")
        backwards = made.problem.task == "gather"
        flows = tuple(
            Flow(s, tuple((v, u, x) if backwards else (u, v, x) for (u, v), x in sorted(flow.items())))
            for s, flow in rounded.items()
        )
        return made.problem, with_least_time(made.problem, PipelinedSchedule(Fraction(1), flows=flows))

    return decode


FORMULATIONS = Formulations(
    integer_formulation, takes_packets=True, needs_value=False, denominator=time_scale
)
