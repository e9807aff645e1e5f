"""What flows claim of trees that nobody wrote down, computed straight from the definitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from schedsolve.modelkit.evidence import Fields, fields
from schedsolve.modelkit.formulas.flows import RootedFlows
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import forwarding
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from schedsolve.runtime.files.number_reader import exact_number

from ..rules.demand import TREE_TASKS, mirrored, root_units, unbalanced_switches, whole_bandwidths

LOOKS_DEPTH_FIRST = 16
"""How many nodes flows look at for each node of the network before they go to the others far apart."""


def flows_claim(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """Return the time in which trees exist for a task, without the trees: an upper bound.

    When all switches have as much bandwidth in as out, trees exist for a rate of x units of every root if and
    only if a flow of x times the number of units gets from them, x for each, to every single compute node
    (Edmonds 1973 and Bang-Jensen, Frank, Jackson 1995; for allgathers Zhao et al., ForestColl). The flows are
    computed, each from the roots and the compute nodes before it: a cut that leaves out one of these has been
    looked at.

    A reduce and a reduce-scatter are a broadcast and an allgather on the reversed network, run backwards. An
    allreduce takes what both take, a reduce-scatter and an allgather, for each of as many parts of the buffer
    as there are ranks. Relays are taken for switches: what trees do through switches, they can do.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "time", as text; of an allreduce "adding" and "copying", the times of an allgather on the reversed
        network and on the network.

    Raises
    ------
    ClaimError
        If a switch is unbalanced or a flow is too small.
    """
    if "ordered" in problem.parameters:
        raise ClaimError("trees that exist need not keep the order of the nodes")
    if problem.task == "allreduce":
        problem = forwarding(problem)
        allgather = replace(problem, task="allgather", parameters={})
        adding = replace(allgather, network=problem.network.reversed())
        parts = zip((adding, allgather), ("adding", "copying"), strict=True)
        total = sum((_trees_exist(part, evidence.get(name)) for part, name in parts), Fraction(0))
        return total / len(problem.network.compute_nodes)
    return _trees_exist(mirrored(forwarding(problem)), evidence.get("time"))


def flows_fields(problem: Problem, _: Mapping[str, Any]) -> Fields:
    """Return the fields of such evidence: two times for an allreduce, one for other tasks."""
    return fields("adding", "copying") if problem.task == "allreduce" else fields("time")


def _trees_exist(problem: Problem, claimed: Any) -> Fraction:
    """Return the time that is claimed, of an allgather or a broadcast."""
    network = problem.network
    if problem.task not in TREE_TASKS:
        raise ClaimError("flows to single nodes show that trees exist; this task has none")
    if unbalanced_switches(network):
        raise ClaimError("a switch has more bandwidth on one side than on the other")
    time = exact_number(claimed)
    if time is None or time <= 0:
        raise ClaimError('flows are for a "time" above 0, a whole number or a fraction as text')
    unit, whole = whole_bandwidths(network)
    rate = unit / time
    roots = root_units(problem)
    source = network.node_count
    flows = RootedFlows(
        source + 1,
        [*whole, *((source, v) for v in roots)],
        [c * rate.denominator for c in whole.values()] + [rate.numerator * units for units in roots.values()],
        [source],
    )
    needed = rate.numerator * sum(roots.values())
    for v in in_turn(network, roots, lambda: flows.looked_at):
        if not flows.spread_to(v, needed):
            raise ClaimError(f"node {network.labels[v]} does not get enough in the time {time}")
    return time


def in_turn(network: Network, roots: Mapping[int, int], looked_at: Callable[[], int]) -> Iterator[int]:
    """Yield the compute nodes, each once, in an order in which flows go on from one to the next.

    At first they are depth first. Where each flow has a long way to go, as in an allgather in a cycle, the
    others are half-way between those before: then the ways are half as long each time.

    looked_at: how many nodes the flows so far have looked at.
    """
    left = depth_first(network, roots)
    most = LOOKS_DEPTH_FIRST * network.node_count
    for i, v in enumerate(left):
        if looked_at() > most:
            yield from far_apart(left[i:])
            return
        yield v


def far_apart(items: Sequence[int]) -> Iterator[int]:
    """Yield the items in the order of their numbers' binary digits read backwards (van der Corput 1935)."""
    numbers = [0]
    while len(numbers) < len(items):
        numbers = [2 * i for i in numbers] + [2 * i + 1 for i in numbers]
    return (items[i] for i in numbers if i < len(items))


def depth_first(network: Network, roots: Mapping[int, int]) -> list[int]:
    """Return the compute nodes, the roots first, then each where it can be after one that sends to it.

    So many of them are next to nodes that were looked at before. Those out of reach come last.
    """
    seen, stack, found = set(roots), list(roots), []
    while stack:
        v = stack.pop()
        if v not in roots:
            if v in seen:
                continue
            seen.add(v)
            found.append(v)
        stack += [w for w in reversed(network.successors[v]) if w not in seen]
    compute = set(network.compute_nodes)
    return sorted(roots) + [v for v in found if v in compute] + sorted(compute - seen)
