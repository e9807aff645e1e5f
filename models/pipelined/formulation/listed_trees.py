"""The program over all trees, listed one by one, where no cuts say which trees can be packed.

That is so where nodes that need nothing copy and add up, relays or switches, so that trees are Steiner trees:
to find the cheapest of these is NP-hard, and with it every program that says how many can be packed; and
where sums keep the order of the nodes, of which Edmonds' theorem says nothing. So the program is exact and as
large as there are trees.

Variables: the time; tree_R_K, what of the unit of the root R goes along the K-th of its trees; in_tree_R_K,
what comes together along it in a reduction. The links of a tree are those in whose rows it stands.

Only trees without what can be left out are listed: every leaf is a rank, and no node is entered twice. Those
of a root come from one walk: the first path that leaves what is reached is taken or given up, and the walk
turns back where what is not given up no longer leads to all ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from schedsolve.modelkit.formulas.integer_program import IntegerProgram, compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulation import FormulationRequest, IntegerFormulation
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from ..constructions.allreduce import paired
from ..constructions.shortest_ways import with_least_time
from ..rules.demand import REDUCTIONS, TREE_TASKS, Link, root_units, tree_roots
from ..rules.schedule import Path, PipelinedSchedule, WeightedTree
from .measure import Measure

Paths = tuple[Path, ...]
MOST_TREES, MOST_PATHS = 10_000, 100_000
"""The most trees of all roots together, and of one root even where an order of the nodes leaves few of them;
the most paths through switches."""
FINEST = 1000
"""The largest denominator of a tree's part of a unit."""


@dataclass
class _ListedTrees:
    """The variables, with their trees; outward and inward ones by root."""

    request: FormulationRequest
    measure: Measure
    program: IntegerProgram = field(default_factory=IntegerProgram)
    time: int = 0
    outward: dict[int, dict[int, Paths]] = field(default_factory=dict)
    inward: dict[int, dict[int, Paths]] = field(default_factory=dict)


def lists_trees(problem: Problem) -> bool:
    """Whether the trees of a problem are to be listed, as no smaller program says enough."""
    asked = problem.parameters
    copying = "switches_copy" in asked and bool(problem.network.switches)
    return problem.task in (*TREE_TASKS, *REDUCTIONS) and (copying or "ranks" in asked or "ordered" in asked)


def listed_formulation(request: FormulationRequest) -> IntegerFormulation:
    """Return the program; its least value is the least time.

    Raises
    ------
    InputError
        When there are too many trees.
    """
    problem = request.problem
    made = _ListedTrees(request, Measure.of(request))
    roots = tree_roots(problem)
    units = dict.fromkeys(roots, 1) if problem.task == "allreduce" else root_units(problem)
    made.time = made.measure.time(made.program, 2 * sum(units.values()))
    for r in roots:
        if problem.task in (*TREE_TASKS, "allreduce"):
            made.outward[r] = _declared(made, "tree", r, units[r], out_trees(problem, r, problem.network))
        if problem.task in REDUCTIONS:
            made.inward[r] = _declared(made, "in_tree", r, units[r], in_trees(problem, r))
        if len(made.program.variables) > MOST_TREES:
            _refuse_so_many()
    if request.minimise:
        made.program.costs[made.time] = 1
    made.program.require((_units, _as_much_in_as_out, _loads, _limit), made)
    meaning = "tree_R_K is what of the unit of R goes along its K-th tree, whose links' rows have it"
    if problem.task in REDUCTIONS:
        meaning += "; along in_tree_R_K contributions to it come together"
    return IntegerFormulation(
        made.program, lambda value: (problem, _schedule(made, value)), meaning, scale=made.measure.scale
    )


def _refuse_so_many() -> None:
    raise InputError(
        f"the program lists all trees, as no cuts say which can be packed; there are more than {MOST_TREES}"
    )


def _declared(
    made: _ListedTrees, kind: str, root: int, units: int, trees: Iterator[Paths]
) -> dict[int, Paths]:
    return {
        made.measure.amount(made.program, f"{kind}_{root}_{number}", units): tree
        for number, tree in enumerate(trees, 1)
    }


def _units(made: _ListedTrees) -> Iterator[Row]:
    """All parts of a unit, one for each tree, add up to it."""
    parts = made.measure.parts
    if made.request.problem.task == "allreduce":
        yield compare([x for trees in made.inward.values() for x in trees], "=", constant=parts)
        return
    for r, units in root_units(made.request.problem).items():
        yield compare(list((made.outward or made.inward)[r]), "=", constant=units * parts)


def _as_much_in_as_out(made: _ListedTrees) -> Iterator[Row]:
    """All that comes together at a root of an allreduce goes out from it."""
    for r in made.inward if made.outward else ():
        yield compare(list(made.inward[r]), "=", list(made.outward[r]))


def _loads(made: _ListedTrees) -> Iterator[Row]:
    """All trees together load a link with its bandwidth times the time at most."""
    loads: dict[Link, list[int]] = {link: [] for link in made.measure.network.bandwidth_of}
    for side in (made.inward, made.outward):
        for trees in side.values():
            for x, paths in trees.items():
                for path in paths:
                    for link in pairwise(path):
                        loads[link].append(x)
    for link, carried in loads.items():
        yield made.measure.load(made.time, link, carried)


def _limit(made: _ListedTrees) -> Iterator[Row]:
    """No more time is taken than was asked for."""
    yield from made.measure.limited(made.time)


def out_trees(problem: Problem, root: int, network: Network) -> Iterator[Paths]:
    """Yield the trees from a root to all ranks, without what can be left out, in the order of the walk."""
    ranks = set(ranks_of(problem))
    copying = bool(problem.parameters.get("switches_copy"))
    yield from _grown(_hops(network, copying=copying), root, ranks)


def in_trees(problem: Problem, root: int) -> Iterator[Paths]:
    """Yield the trees along which contributions come together at a root, in an order that sums allow."""
    ranks = ranks_of(problem)
    for paths in out_trees(problem, root, problem.network.reversed()):
        turned = tuple(path[::-1] for path in reversed(paths))
        if not problem.parameters.get("ordered"):
            yield turned
        elif (kept := _in_order(turned, root, {v: i for i, v in enumerate(ranks)})) is not None:
            yield kept


def _hops(network: Network, *, copying: bool) -> dict[int, list[Path]]:
    """Return by node that copies the paths to others of them, through switches that do not.

    Raises
    ------
    InputError
        When there are too many.
    """
    stations = range(network.node_count) if copying else network.compute_nodes
    only_forward = frozenset() if copying else network.switches
    hops: dict[int, list[Path]] = {}
    count = 0
    for start in stations:
        waiting: list[Path] = [(start,)]
        hops[start] = []
        while waiting:
            path = waiting.pop()
            for v in network.successors[path[-1]]:
                if v in only_forward and v not in path:
                    waiting.append((*path, v))
                elif v not in only_forward and v != start:
                    hops[start].append((*path, v))
            count += 1
            if count > MOST_PATHS:
                raise InputError(f"there are more than {MOST_PATHS} paths through switches")
    return hops


def _grown(hops: Mapping[int, Sequence[Path]], root: int, ranks: set[int]) -> Iterator[Paths]:
    """Yield the trees of paths from the root that reach all ranks, each once."""
    waiting: list[tuple[Paths, frozenset[Path]]] = [((), frozenset())]
    found = 0
    while waiting:
        taken, given_up = waiting.pop()
        reached = {root, *(path[-1] for path in taken)}
        if ranks <= reached:
            found += 1
            if found > MOST_TREES:
                _refuse_so_many()
            passing = {path[0] for path in taken}
            if all(path[-1] in ranks or path[-1] in passing for path in taken):
                yield taken
            continue
        if not ranks <= _within_reach(hops, reached, given_up):
            continue
        first = next(
            path
            for u in (root, *(path[-1] for path in taken))
            for path in hops[u]
            if path[-1] not in reached and path not in given_up
        )
        waiting.append((taken, given_up | {first}))
        waiting.append(((*taken, first), given_up))


def _within_reach(
    hops: Mapping[int, Sequence[Path]], reached: set[int], given_up: frozenset[Path]
) -> set[int]:
    """Return the nodes to which paths that are not given up lead from those that are reached."""
    seen, waiting = set(reached), list(reached)
    while waiting:
        for path in hops[waiting.pop()]:
            if path[-1] not in seen and path not in given_up:
                seen.add(path[-1])
                waiting.append(path[-1])
    return seen


def _in_order(paths: Paths, root: int, rank: Mapping[int, int]) -> Paths | None:
    """Return the paths of an inward tree in an order in which all sums are runs; None when there is none.

    A node can add up runs in turn, near ones first, just when they and its own contribution are a run.
    """
    children: dict[int, list[Path]] = {}
    for path in paths:
        children.setdefault(path[-1], []).append(path)
    runs: dict[int, tuple[int, int]] = {}
    for v in (*(path[0] for path in paths), root):
        parts = [runs[path[0]] for path in children.get(v, ())]
        parts += [(rank[v], rank[v])] if v in rank else []
        parts.sort()
        if any(one[1] + 1 != other[0] for one, other in pairwise(parts)):
            return None
        runs[v] = parts[0][0], parts[-1][1]
    ordered: list[Path] = []

    def gather(v: int) -> None:
        own = rank.get(v, -1)
        left = [path for path in children.get(v, ()) if runs[path[0]][1] < own]
        right = [path for path in children.get(v, ()) if runs[path[0]][1] >= own]
        for path in (
            *sorted(left, key=lambda path: -runs[path[0]][0]),
            *sorted(right, key=lambda path: runs[path[0]][0]),
        ):
            gather(path[0])
            ordered.append(path)

    gather(root)
    return tuple(ordered)


def _schedule(made: _ListedTrees, value: Callable[[str], float]) -> PipelinedSchedule:
    """Return the trees of a solution."""
    problem = made.request.problem
    variables, parts = made.program.variables, made.measure.parts

    def weight(x: int) -> Fraction:
        about = value(variables[x].name)
        return (
            Fraction(round(about), parts) if made.measure.whole else Fraction(about).limit_denominator(FINEST)
        )

    incoming, outgoing = (
        {r: [(weight(x), paths) for x, paths in trees.items() if weight(x)] for r, trees in side.items()}
        for side in (made.inward, made.outward)
    )
    whole = sum((part for some in incoming.values() for part, _ in some), Fraction(0))
    found: list[WeightedTree] = []
    for r in made.inward or made.outward:
        came = sum((part for part, _ in incoming.get(r, ())), Fraction(0))
        went = sum((part for part, _ in outgoing.get(r, ())), Fraction(0))
        unit = came / whole if problem.task == "allreduce" and whole else Fraction(0)
        unit = unit if problem.task == "allreduce" else Fraction(root_units(problem)[r])
        if not unit and problem.task == "allreduce" and whole:
            continue
        if (made.inward and not came) or (made.outward and not went):
            raise ValueError("the units do not get everywhere")
        ins = [WeightedTree(r, part * unit / came, inward=paths) for part, paths in incoming.get(r, ())]
        outs = [WeightedTree(r, part * unit / went, paths) for part, paths in outgoing.get(r, ())]
        found += paired(ins, outs, 1) if problem.task == "allreduce" else [*ins, *outs]
    return with_least_time(problem, PipelinedSchedule(Fraction(1), tuple(found)))
