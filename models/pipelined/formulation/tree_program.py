"""The linear program of an allgather or a broadcast without switches, for other solvers.

Variables, all 0 or more and no whole numbers: the time; y_R_U_V, what the link from U to V carries of the
unit of the root R; f_R_T_U_V, what of it goes on to T. By Edmonds' theorem trees can be packed into y when
every cut lets a whole unit out, which flows to all nodes below y say.

Size: for n nodes, m links and k roots about k n m variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, lcm

from schedsolve.backends.max_flow import minimum_cut
from schedsolve.errors import InputError
from schedsolve.formulas.integer_program import IntegerProgram, compare
from schedsolve.formulas.linear_program import Row
from schedsolve.modelkit.formulation import FormulationRequest, IntegerFormulation, Solved
from schedsolve.network.graph import Network
from schedsolve.task import with_article

from ..constructions.shortest_ways import with_least_time
from ..rules.demand import Link, tree_roots
from ..rules.schedule import PipelinedSchedule, WeightedTree
from .packing import pack_trees

DENOMINATORS = (60, 1000)
"""What links carry is rounded to such fractions at most; if they do not fit, up to the last of these."""
TINY = 1e-7
MOST_VARIABLES = 300_000


@dataclass
class _TreeProgram:
    """carried[r, e] and flows[r, t, e], by root, destination and link."""

    network: Network
    request: FormulationRequest
    program: IntegerProgram = field(default_factory=IntegerProgram)
    time: int = 0
    carried: dict[tuple[int, Link], int] = field(default_factory=dict)
    flows: dict[tuple[int, int, Link], int] = field(default_factory=dict)


def tree_formulation(request: FormulationRequest) -> IntegerFormulation:
    """Return the program; its least value is the least time.

    Raises
    ------
    InputError
        With switches, which do not copy, and when it would be too large.
    """
    problem = request.problem
    network, roots = problem.network, tree_roots(problem)
    if "ranks" in problem.parameters or "sizes" in problem.parameters:
        raise InputError(f"{with_article(problem.task)} with --ranks or --sizes has no linear program here")
    if network.switches:
        raise InputError(f"{with_article(problem.task)} through switches has no linear program here")
    if len(roots) * network.node_count * len(network.arcs) > MOST_VARIABLES:
        raise InputError(f"the linear program would have more than {MOST_VARIABLES} variables")
    made = _TreeProgram(network, request)
    made.time = made.program.variable("time", upper=None, integer=False)
    for r in roots:
        links = [(u, v) for u, v in network.arcs if v != r]
        for u, v in links:
            made.carried[r, (u, v)] = made.program.variable(f"y_{r}_{u}_{v}", upper=None, integer=False)
        for t in range(network.node_count):
            for u, v in links if t != r else ():
                name = f"f_{r}_{t}_{u}_{v}"
                made.flows[r, t, (u, v)] = made.program.variable(name, upper=None, integer=False)
    if request.minimise:
        made.program.costs[made.time] = 1
    made.program.require((_arrivals, _copies, _loads, _limit), made)
    meaning = "y_R_U_V is what the link from U to V carries of the unit of R; f_R_T_U_V of it goes on to T"

    def decode(value: Callable[[str], float]) -> Solved:
        trees: list[WeightedTree] = []
        for r in roots:
            about = {e: value(f"y_{r}_{e[0]}_{e[1]}") for root, e in made.carried if root == r}
            trees += _trees(network, r, about)
        return problem, with_least_time(problem, PipelinedSchedule(Fraction(1), tuple(trees)))

    return IntegerFormulation(made.program, decode, meaning)


def _arrivals(made: _TreeProgram) -> Iterator[Row]:
    """Of every root's flow to a node, that node keeps one unit, and others send on all that they get."""
    into: dict[tuple[int, int, int], list[int]] = {}
    out: dict[tuple[int, int, int], list[int]] = {}
    for (r, t, (u, v)), x in made.flows.items():
        into.setdefault((r, t, v), []).append(x)
        out.setdefault((r, t, u), []).append(x)
    for r, t in dict.fromkeys((r, t) for r, t, _ in made.flows):
        for v in range(made.network.node_count):
            if v != r:
                yield compare(into.get((r, t, v), []), "=", out.get((r, t, v), []), int(v == t))


def _copies(made: _TreeProgram) -> Iterator[Row]:
    """Yield the rows by which a link carries at least what goes on to any one node.

    All get copies of the same unit.
    """
    for (r, _, e), x in made.flows.items():
        yield compare([x], "<=", [made.carried[r, e]])


def _loads(made: _TreeProgram) -> Iterator[Row]:
    """Yield the units of all roots together load a link with its bandwidth times the time at most."""
    for link, bandwidth in made.network.bandwidth_of.items():
        carried = [y for (_, e), y in made.carried.items() if e == link]
        yield compare(carried, "<=", {made.time: bandwidth})


def _limit(made: _TreeProgram) -> Iterator[Row]:
    """Yield the time is at most what was asked for."""
    if made.request.value is not None:
        yield compare([made.time], "<=", [], made.request.value)


def _trees(network: Network, root: int, about: Mapping[Link, float]) -> Iterator[WeightedTree]:
    """Trees of weight 1 together within fractions near the amounts.

    Raises
    ------
    ValueError
        If they let less than a unit out of some cut.
    """
    if network.node_count == 1:
        return
    for most in (*DENOMINATORS, 0):
        if most:
            shares = {e: Fraction(x).limit_denominator(most) for e, x in about.items() if x > TINY}
        else:
            finest = DENOMINATORS[-1]
            shares = {e: Fraction(ceil((x + TINY) * finest), finest) for e, x in about.items() if x > TINY}
        copies = lcm(*(share.denominator for share in shares.values()))
        capacities = {e: int(share * copies) for e, share in shares.items() if share}
        if _lets_out(network, root, capacities, copies):
            break
    else:
        raise ValueError("the units do not get everywhere")
    for tree in pack_trees(network.compute_nodes, capacities, {root: copies}):
        if tree is not None:
            yield WeightedTree(root, Fraction(tree.copies, copies), tuple(tree.links))


def _lets_out(network: Network, root: int, capacities: Mapping[Link, int], amount: int) -> bool:
    """Whether so much can flow from the root to every other node."""
    import numpy

    if not capacities:
        return False
    tails = numpy.array([u for u, _ in capacities], dtype=numpy.int32)
    heads = numpy.array([v for _, v in capacities], dtype=numpy.int32)
    room = numpy.array(list(capacities.values()), dtype=numpy.int64)
    others = (v for v in range(network.node_count) if v != root)
    ends = set(map(int, (*tails, *heads)))
    return all(v in ends and minimum_cut(tails, heads, room, root, v)[0] >= amount for v in others)
