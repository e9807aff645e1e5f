"""The matching models: telegraph (one-way) and telephone (two-way) rounds of calls that share no node.

Source: Hromkovic, Klasing, Unger, Wagener, Pardubska, The complexity of systolic dissemination of information
in interconnection networks (RAIRO 1994), section 2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from schedsolve.modelkit.parameters import ROOT, ROUNDS, SOURCE, TARGETS
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import LEAST_ROUNDS, Bound, Value
from schedsolve.modelkit.search import BoundSearch, Search
from schedsolve.modelkit.theorem_bounds import theorem_bounds
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from .claims import EVIDENCE
from .claims.lower_bounds import LOWER_BOUNDS
from .claims.refutations import refuted
from .rules import FORM, TELEPHONE, is_two_way, replay

if TYPE_CHECKING:
    from schedsolve.modelkit.formulation import Formulations


def check(problem: Problem) -> None:
    """Raise InputError when the problem cannot be posed.

    Arcs for telephone calls, or somebody who cannot be reached.
    """
    network = problem.network
    if network.directed and is_two_way(problem):
        raise InputError(
            "telephone calls go both ways: give an undirected network, or use telegraph, which keeps to the"
            " arcs"
        )
    if problem.task == "multicast" and problem.choice:
        raise InputError("a multicast needs a given source; --source min and max are for broadcast")
    if problem.task == "gossip" or problem.choice:
        need = "a gossip needs every node to reach every other"
        if problem.choice:
            need = (
                f"--{problem.node_parameter} {problem.choice} is for networks in which every node reaches"
                " every other"
            )
        everyone = range(network.node_count)
        _refuse_unreached(network, [0], everyone, need)
        _refuse_unreached(network.reversed(), [0], everyone, need, backwards=True)
    else:
        backwards, need = problem.task == "accumulation", f"the {problem.task} needs a path"
        _refuse_unreached(problem.broadcast_network, problem.sources, problem.targets, need, backwards)


def _refuse_unreached(
    network: Network, sources: Collection[int], targets: Collection[int], need: str, backwards: bool = False
) -> None:
    """Raise InputError if a target is out of reach. backwards: the network has its arcs reversed."""
    distances = network.distances_from(sources)
    missed = [network.labels[v] for v in targets if distances[v] is None]
    if missed:
        start = " or ".join(f"node {network.labels[v]}" for v in sources)
        u, v = (f"node {missed[0]}", start) if backwards else (start, f"node {missed[0]}")
        what = "not strongly connected" if network.directed else "disconnected"
        raise InputError(f"the network is {what}: {u} cannot reach {v}; {need}")


def _bounds(problem: Problem) -> Iterator[Bound]:
    """Yield the lower bounds that are cheap to compute.

    These are theorems, and shipped prices where they prove more.
    """
    best: Value = 0
    for bound in theorem_bounds(LOWER_BOUNDS)(problem):
        best = max(best, bound.value)
        yield bound
    from .bounds.prices_between import price_between_bound

    priced = price_between_bound(problem)
    if priced is not None and priced.value > best:
        yield priced


def promising_nodes(problem: Problem) -> Sequence[int]:
    """Return nodes that are likely to be the best source or root."""
    from .constructions.algorithms import promising_nodes

    return promising_nodes(problem)


def _searched(problem: Problem, start: int, seconds: float) -> Bound | None:
    from .bounds.searched import searched_bound

    return searched_bound(problem, start, seconds)


def _searches(*, two_way: bool) -> Iterator[Search]:
    from .constructions.algorithms import ALGORITHMS
    from .formulation import decisions

    yield from ALGORITHMS
    yield BoundSearch("covering relaxation", _searched)
    yield from decisions(two_way=two_way)


def _formulations() -> Formulations:
    from .formulation import FORMULATIONS

    return FORMULATIONS


_TASKS = {
    "broadcast": (SOURCE, ROUNDS),
    "multicast": (SOURCE, TARGETS, ROUNDS),
    "accumulation": (ROOT, ROUNDS),
    "gossip": (ROUNDS,),
}


def _record(name: str, summary: str) -> Model:
    return Model(
        name=name,
        summary=summary,
        source="Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), section 2",
        objective=LEAST_ROUNDS,
        tasks=_TASKS,
        check=check,
        replay=replay,
        form=FORM,
        bounds=_bounds,
        evidence=EVIDENCE,
        refutation=refuted,
        searches=partial(_searches, two_way=name == TELEPHONE),
        promising_nodes=promising_nodes,
        load_formulations=_formulations,
    )


MODELS = (
    _record("telegraph", "one-way calls; the calls of a round share no node"),
    _record("telephone", "two-way calls; the calls of a round share no node"),
)
