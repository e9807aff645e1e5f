"""The linear program of copying tasks and reductions, which go along trees, for other solvers.

Variables, all 0 or more, and fractions, or with a number of packets whole numbers of them: the time; y_R_U_V,
what of the unit of the root R goes from U to V, compute nodes; f_R_T_U_V, what of it goes on to T; h_U_V_W,
in networks with switches, what of all that U passes on the link from V to W carries. By Edmonds' theorem
trees can be packed into y when every cut lets a whole unit out, which flows to all nodes below y say, whole
trees into whole y; what U passes on gets along any ways through switches, which do not copy.

Contributions to a root come together along such trees backwards: in_y_R_U_V goes from V to U then, and so do
in_f and in_h. An allreduce does both, in the shares share_R of the roots, which sum to 1.

Size: for n compute nodes, m links between them (without switches; else all pairs) and k roots about k n m
variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, lcm

from schedsolve.backends.max_flow import minimum_cut
from schedsolve.modelkit.formulas.integer_program import IntegerProgram, compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulation import FormulationRequest, IntegerFormulation
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from ..constructions.allreduce import paired
from ..constructions.shortest_ways import with_least_time
from ..rules.demand import REDUCTIONS, Link, root_units, tree_roots
from ..rules.schedule import PipelinedSchedule, WeightedTree
from .measure import Measure
from .packing import pack_trees
from .program_ways import Carried, over_ways

DENOMINATORS = (60, 1000)
"""What links carry is rounded to such fractions at most; if they do not fit, up to the last of these."""
FINEST = DENOMINATORS[-1]
TINY = 1e-7
MOST_VARIABLES = 300_000


@dataclass
class _Side:
    """The trees outward, or those inward, which run backwards.

    Attributes
    ----------
    prefix
        Of the names of the variables.
    arcs
        The links in the direction of the trees from the root, with the links of the network that they are.
    carried, flows, hops
        By root and pair of compute nodes; by root, destination and pair; by node that passes on and link.
    """

    prefix: str
    arcs: dict[Link, Link]
    pairs: list[Link]
    carried: dict[tuple[int, Link], int] = field(default_factory=dict)
    flows: dict[tuple[int, int, Link], int] = field(default_factory=dict)
    hops: dict[tuple[int, Link], int] = field(default_factory=dict)


@dataclass
class _TreeProgram:
    """The variables; share: of every root of an allreduce."""

    network: Network
    request: FormulationRequest
    sides: list[_Side]
    measure: Measure
    program: IntegerProgram = field(default_factory=IntegerProgram)
    time: int = 0
    share: dict[int, int] = field(default_factory=dict)


def tree_formulation(request: FormulationRequest) -> IntegerFormulation:
    """Return the program; its least value is the least time.

    Raises
    ------
    InputError
        When it would be too large.
    """
    problem = request.problem
    network, roots = problem.network, tree_roots(problem)
    pairs = _pairs(network)
    if len(roots) * len(network.compute_nodes) * len(pairs) > MOST_VARIABLES:
        raise InputError(f"the linear program would have more than {MOST_VARIABLES} variables")
    outward = _Side("", {(u, v): (u, v) for u, v in network.arcs}, pairs)
    inward = _Side("in_", {(v, u): (u, v) for u, v in network.arcs}, [(v, u) for u, v in pairs])
    sides = [inward] if problem.task in REDUCTIONS else [outward]
    sides = [inward, outward] if problem.task == "allreduce" else sides
    made = _TreeProgram(network, request, sides, Measure.of(request))
    units = dict.fromkeys(roots, 1) if problem.task == "allreduce" else root_units(problem)
    passes = sum(units.values()) * len(network.compute_nodes)
    made.time = made.measure.time(made.program, len(sides) * passes)
    for r in roots if problem.task == "allreduce" else ():
        made.share[r] = made.measure.amount(made.program, f"share_{r}", 1)
    for side in made.sides:
        _declare(made, side, units)
    if request.minimise:
        made.program.costs[made.time] = 1
    made.program.require((_arrivals, _copies, _ways, _loads, _shares, _limit), made)
    meaning = "y_R_U_V is what of the unit of R goes from U to V; f_R_T_U_V of it goes on to T"
    if problem.task in REDUCTIONS:
        meaning += "; in_y_R_U_V goes from V to U, where contributions to R come together"
    return IntegerFormulation(
        made.program, lambda value: (problem, _schedule(made, value)), meaning, scale=made.measure.scale
    )


def _pairs(network: Network) -> list[Link]:
    """Return the pairs of compute nodes between which something can go without another in between."""
    if not network.switches:
        return list(network.arcs)
    pairs = []
    for u in network.compute_nodes:
        seen, waiting = {u}, [u]
        while waiting:
            for w in network.successors[waiting.pop()]:
                if w not in seen:
                    seen.add(w)
                    if w in network.switches:
                        waiting.append(w)
                    else:
                        pairs.append((u, w))
    return pairs


def _declare(made: _TreeProgram, side: _Side, units: Mapping[int, int]) -> None:
    """Declare the variables of one side; units: of every root."""

    def amount(name: str, most: int) -> int:
        return made.measure.amount(made.program, side.prefix + name, most)

    for r, most in units.items():
        links = [(u, v) for u, v in side.pairs if v != r]
        for u, v in links:
            side.carried[r, (u, v)] = amount(f"y_{r}_{u}_{v}", most)
        for t in made.network.compute_nodes:
            for u, v in links if t != r else ():
                side.flows[r, t, (u, v)] = amount(f"f_{r}_{t}_{u}_{v}", most)
    switches, passes = made.network.switches, sum(units.values()) * len(made.network.compute_nodes)
    for u in made.network.compute_nodes if switches else ():
        for v, w in side.arcs:
            if w != u and (v == u or v in switches):
                side.hops[u, (v, w)] = amount(f"h_{u}_{v}_{w}", passes)


def _arrivals(made: _TreeProgram) -> Iterator[Row]:
    """Of every root's flow to a node, that node keeps all of the unit, and others send on all they get."""
    units = {} if made.share else root_units(made.request.problem)
    for side in made.sides:
        into: dict[tuple[int, int, int], list[int]] = {}
        out: dict[tuple[int, int, int], list[int]] = {}
        for (r, t, (u, v)), x in side.flows.items():
            into.setdefault((r, t, v), []).append(x)
            out.setdefault((r, t, u), []).append(x)
        for r, t in dict.fromkeys((r, t) for r, t, _ in side.flows):
            for v in made.network.compute_nodes:
                if v != r:
                    kept = [made.share[r]] if v == t and made.share else []
                    unit = units.get(r, 0) * made.measure.parts if v == t else 0
                    yield compare(into.get((r, t, v), []), "=", [*out.get((r, t, v), []), *kept], unit)


def _copies(made: _TreeProgram) -> Iterator[Row]:
    """Between two nodes goes at least as much of a unit as any one node gets that way: all get copies."""
    for side in made.sides:
        for (r, _, e), x in side.flows.items():
            yield compare([x], "<=", [side.carried[r, e]])


def _ways(made: _TreeProgram) -> Iterator[Row]:
    """All that one node passes to another arrives there, through switches that send on all they get."""
    for side in made.sides:
        into: dict[tuple[int, int], list[int]] = {}
        out: dict[tuple[int, int], list[int]] = {}
        for (u, (v, w)), x in side.hops.items():
            into.setdefault((u, w), []).append(x)
            out.setdefault((u, v), []).append(x)
        passed: dict[Link, list[int]] = {}
        for (_, pair), y in side.carried.items():
            passed.setdefault(pair, []).append(y)
        for u, w in dict.fromkeys((*into, *out)):
            if w != u:
                sent_on = out if w in made.network.switches else passed
                yield compare(into.get((u, w), []), "=", sent_on.get((u, w), []))


def _loads(made: _TreeProgram) -> Iterator[Row]:
    """All roots together load a link with its bandwidth times the time at most."""
    loads: dict[Link, list[int]] = {}
    for side in made.sides:
        amounts = side.hops if made.network.switches else side.carried
        for (_, e), x in amounts.items():
            loads.setdefault(side.arcs[e], []).append(x)
    for link in made.network.bandwidth_of:
        yield made.measure.load(made.time, link, loads.get(link, []))


def _shares(made: _TreeProgram) -> Iterator[Row]:
    """All shares of the roots add up to the buffer."""
    if made.share:
        yield compare(made.share.values(), "=", constant=made.measure.parts)


def _limit(made: _TreeProgram) -> Iterator[Row]:
    """No more time is taken than was asked for."""
    yield from made.measure.limited(made.time)


def _schedule(made: _TreeProgram, value: Callable[[str], float]) -> PipelinedSchedule:
    """Return the trees of a solution."""
    problem, name = made.request.problem, made.program.variables

    def amount(x: int) -> float | Fraction:
        about = value(name[x].name)
        return Fraction(round(about), made.measure.parts) if made.measure.whole else about

    units = {r: Fraction(u) for r, u in root_units(problem).items()} if not made.share else {}
    if made.share:
        shares = {r: Fraction(amount(x)).limit_denominator(FINEST) for r, x in made.share.items()}
        whole = sum(shares.values(), Fraction(0))
        if not whole:
            raise ValueError("the shares of the roots are nothing")
        units = {r: share / whole for r, share in shares.items()}
    sides: list[dict[int, list[WeightedTree]]] = []
    for side in made.sides:
        trees: dict[int, list[WeightedTree]] = {}
        for r, share in units.items():
            if share:
                carried = {e: amount(y) for (root, e), y in side.carried.items() if root == r}
                trees[r] = list(_trees(made.network, r, share, carried))
        if made.network.switches:
            about_ways: Carried = {key: amount(x) for key, x in side.hops.items()}
            trees = over_ways(trees, about_ways)
        sides.append(trees)
    if problem.task == "allreduce":
        inward, outward = sides
        found = [tree for r in inward for tree in paired([t.turned() for t in inward[r]], outward[r], 1)]
    else:
        found = [tree for trees in sides[0].values() for tree in trees]
        found = [tree.turned() for tree in found] if made.sides[0].prefix else found
    return with_least_time(problem, PipelinedSchedule(Fraction(1), tuple(found)))


def _trees(
    network: Network, root: int, share: Fraction, carried: Mapping[Link, float | Fraction]
) -> Iterator[WeightedTree]:
    """Yield trees of the weight `share` together within fractions near the amounts, exact ones as they are.

    Raises
    ------
    ValueError
        If they let less than the share out of some cut.
    """
    for most in (*DENOMINATORS, 0):
        shares = {e: _rounded(x, share, most) for e, x in carried.items() if x > TINY}
        copies = lcm(*(part.denominator for part in shares.values()))
        capacities = {e: int(part * copies) for e, part in shares.items() if part}
        if _lets_out(network, root, capacities, copies):
            break
    else:
        raise ValueError("the units do not get everywhere")
    for tree in pack_trees(network.compute_nodes, capacities, {root: copies}):
        if not isinstance(tree, float):
            yield WeightedTree(root, share * Fraction(tree.copies, copies), tuple(tree.links))


def _rounded(amount: float | Fraction, share: Fraction, most: int) -> Fraction:
    """Return the part of the share that an amount is, with a denominator of at most `most`; for 0 no less."""
    if isinstance(amount, Fraction):
        return amount / share
    part = amount / float(share)
    return Fraction(part).limit_denominator(most) if most else Fraction(ceil((part + TINY) * FINEST), FINEST)


def _lets_out(network: Network, root: int, capacities: Mapping[Link, int], amount: int) -> bool:
    """Whether so much can flow from the root to every other node."""
    import numpy

    if not capacities:
        return False
    tails = numpy.array([u for u, _ in capacities], dtype=numpy.int32)
    heads = numpy.array([v for _, v in capacities], dtype=numpy.int32)
    room = numpy.array(list(capacities.values()), dtype=numpy.int64)
    others = (v for v in network.compute_nodes if v != root)
    ends = set(map(int, (*tails, *heads)))
    return all(v in ends and minimum_cut(tails, heads, room, root, v)[0] >= amount for v in others)
