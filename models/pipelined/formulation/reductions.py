"""Reductions of long messages.

Copying tasks run backwards, a reduce-scatter followed by an allgather, and trees of sums that are found
directly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from time import process_time

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import forwarding
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.own_limits import met

from ..bounds import counting_bound, lower_bounds, rank_groups
from ..bounds.cuts import tree_bottleneck
from ..bounds.strength import has_strength, strength
from ..constructions.allreduce import composed
from ..constructions.relays import at_relays
from ..constructions.shortest_ways import with_least_time
from ..constructions.textbook import refuse_large
from ..rules import broken_rule
from ..rules.demand import MIRRORED, Link, mirrored
from ..rules.schedule import PipelinedSchedule
from .cheapest_trees import MOST_NODES, cheapest_columns
from .search import Finding, search_trees
from .spanning_trees import spanning_trees

Half = PipelinedSchedule | Bound | None
LATEST = 0.9
"""The share of the time after which no more trees are looked for: their weights take a while."""
LARGEST_COMPOSED = 64
"""Compute nodes up to which a reduce-scatter and an allgather are put together outside the searches."""
LONGEST_SECONDS, DIGITS = 3600.0, 7


def search_sums(problem: Problem, seconds: float) -> Iterator[Finding]:
    """Schedules and bounds of a reduction, or of a copying task whose switches copy; None in between."""
    end = process_time() + seconds
    if has_strength(problem):
        yield from _by_strength(problem, seconds)
        return
    known: PipelinedSchedule | None = None
    upper: Fraction | None = None
    for finding in _from_copies(problem, seconds):
        if isinstance(finding, PipelinedSchedule):
            if broken_rule(problem, finding) is None:
                known, upper = finding, finding.time
                yield finding
        elif finding is not None:
            upper = Fraction(finding.value)
            yield finding
        else:
            yield None
    lower = max(Fraction(bound.value) for bound in lower_bounds(problem))
    if upper == lower or len(problem.network.compute_nodes) > MOST_NODES:
        met("compute nodes", MOST_NODES)
        return
    yield from _directly(problem, known, upper, end)


def _by_strength(problem: Problem, seconds: float) -> Iterator[Finding]:
    """Yield a reduce-scatter and an allgather where these are enough, else spanning trees.

    Of large networks that both exist comes first.
    """
    compute = problem.network.compute_nodes
    rate = tree_bottleneck(problem.network, dict.fromkeys(compute, 1))
    yield None
    both = existence_of_both(problem, rate.time, rate.time)
    enough = both.value == 1 / strength(problem.network).rate
    if enough and len(compute) <= LARGEST_COMPOSED:
        yield from _composed(problem, seconds)
        return
    if enough:
        yield both
    yield from spanning_trees(problem.network)


def _directly(
    problem: Problem, known: PipelinedSchedule | None, upper: Fraction | None, end: float
) -> Iterator[Finding]:
    """Trees by column generation, from those that are known on."""
    columns = cheapest_columns(problem)
    units = {shape.roots[0]: unit for unit, shape in enumerate(columns.shapes)}
    for tree in known.trees if known is not None else ():
        columns.add(0 if problem.task == "allreduce" else units[tree.root], tree)
    seconds = min(LONGEST_SECONDS, (end - process_time()) * LATEST)
    for _ in columns.solve(seconds, upper):
        yield None
    if problem.task == "allreduce" and "switches_copy" not in problem.parameters:
        yield _counted(problem, columns.lengths)
    schedule = columns.schedule()
    if schedule is not None and (upper is None or schedule.time < upper):
        yield schedule


def _counted(problem: Problem, lengths: Mapping[Link, float]) -> Bound | None:
    """Return the best bound of groups that short links join, None where each choice leaves one without ranks.

    On an undirected network without switches it is the time of the best trees, when the lengths are those of
    the program's optimum: the cheapest spanning tree costs the sum over all lengths x of (groups that links
    shorter than x join) - 1, and the links cost the sum of what is between these groups, so that some x
    attains the ratio (Tutte 1961, Nash-Williams 1961; Cunningham 1985 for the strength of a network).
    """
    both = {(u, v): -round(x + lengths.get((v, u), 0.0), DIGITS) for (u, v), x in lengths.items()}
    counted = [counting_bound(problem, groups) for groups in rank_groups(problem, both)]
    return max(counted, key=lambda bound: bound.value, default=None)


def _from_copies(problem: Problem, seconds: float) -> Iterator[Finding]:
    """Yield what the copying tasks of the same trees say."""
    plain = problem.with_parameters(switches_copy=None)
    if problem.task in MIRRORED:
        for finding in search_trees(mirrored(plain), seconds):
            if isinstance(finding, PipelinedSchedule):
                yield replace(finding, trees=tuple(tree.turned() for tree in finding.trees))
            elif finding is None or "ordered" not in problem.parameters:
                yield finding
    elif problem.task == "allreduce":
        yield from _composed(plain, seconds)
    else:
        yield from search_trees(plain, seconds)


def _composed(asked: Problem, seconds: float) -> Iterator[Finding]:
    """Yield an allreduce as a reduce-scatter and an allgather of equal parts, both at a time."""
    problem = forwarding(asked)
    one = other = None
    for halves in both_halves(problem, seconds):
        yield None
        one, other = halves
    if isinstance(one, PipelinedSchedule) and isinstance(other, PipelinedSchedule):
        yield with_least_time(asked, at_relays(asked, composed(problem, one, other)))
    elif one is not None and other is not None and "ordered" not in problem.parameters:
        yield existence_of_both(problem, _time(one), _time(other))


def both_halves(problem: Problem, seconds: float) -> Iterator[tuple[Half, Half]]:
    """Yield the allgathers on the reversed network and on the network, as they are found.

    None before that, and to the end when none is found.
    """
    allgather = replace(problem, task="allgather", parameters={})
    adding = replace(allgather, network=problem.network.reversed())
    one: Half = None
    for finding in search_trees(adding, seconds / 2):
        one = finding or one
        yield one, None
    alike = problem.network.bandwidth_of == adding.network.bandwidth_of
    other: Half = one if alike else None
    for finding in search_trees(allgather, seconds / 2) if not alike else ():
        other = finding or other
        yield one, other
    yield one, other


def one_after_the_other(problem: Problem, effort: Effort) -> PipelinedSchedule:
    """Return the best reduce-scatter, and after it the best allgather.

    Raises
    ------
    InputError
        If they are too large.
    """
    asked, problem = problem, forwarding(problem)
    *_, (one, other) = both_halves(problem, LONGEST_SECONDS)
    if not isinstance(one, PipelinedSchedule) or not isinstance(other, PipelinedSchedule):
        raise InputError("there is no list of trees")
    return at_relays(asked, composed(problem, one, other))


def _refuse_composition(problem: Problem) -> str | None:
    if len(problem.network.compute_nodes) > LARGEST_COMPOSED:
        return f"it is for at most {LARGEST_COMPOSED} compute nodes"
    return refuse_large(problem)


COMPOSED = Algorithm(
    "reduce-scatter-allgather",
    "the best reduce-scatter by trees, and the best allgather when it is over",
    frozenset({"allreduce"}),
    lambda problem: _refuse_composition(forwarding(problem)),
    one_after_the_other,
)


def _refuse_trees(problem: Problem) -> str | None:
    if not has_strength(problem):
        return "it is for all nodes, links of one bandwidth both ways, and no switches"
    return refuse_large(problem)


def _spanning(problem: Problem, _: Effort) -> PipelinedSchedule:
    *_unfinished, schedule = spanning_trees(problem.network)
    assert schedule is not None
    return schedule


SPANNING_TREES = Algorithm(
    "spanning-trees",
    "Nash-Williams, Tutte (1961), Cunningham (1985), Edmonds (1973): as many spanning trees as fit, each down"
    " to its root and back",
    frozenset({"allreduce"}),
    _refuse_trees,
    _spanning,
)


def _time(found: PipelinedSchedule | Bound) -> Fraction:
    return Fraction(found.value) if isinstance(found, Bound) else found.time


def existence_of_both(problem: Problem, adding: Fraction, copying: Fraction) -> Bound:
    """Return the upper bound that a reduce-scatter and an allgather exist for these times."""
    return Bound(
        "upper",
        (adding + copying) / len(problem.network.compute_nodes),
        "trees exist for a reduce-scatter and an allgather: flows of all units get to every compute node, and"
        " the switches are balanced (Edmonds; Bang-Jensen, Frank, Jackson)",
        {"kind": "flows", "adding": str(adding), "copying": str(copying)},
    )
