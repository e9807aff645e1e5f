"""The synchronous model.

Collectives in steps on networks with bandwidths and switches, C chunks in S steps of R rounds together.

References
----------
Cai, Liu, Maleki, Musuvathi, Mytkowicz, Nelson, Saarikivi, Synthesizing optimal collective algorithms (PPoPP
2021), k-synchronous algorithms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from schedsolve.modelkit.demands import SIZES, UNEQUAL_TASKS, check_sizes
from schedsolve.modelkit.parameters import ORDERED
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import RANKS, check_ranks, ranks_of
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.search import Search
from schedsolve.runtime.errors import ClaimError, InputError, counted

from .claims import EVIDENCE, bandwidth
from .claims.bandwidth import distance_bound, worst_rounds_per_chunk
from .claims.compositions import refuted_formula
from .claims.hops import least_steps
from .claims.reductions import counting_bound, counting_evidence
from .options import CHUNKS, ROOT, ROUNDS_OF_CHUNKS, ROUNDS_PER_CHUNK, SOURCE, STEPS
from .rules import collective_of, replay
from .rules.files import StepForm
from .rules.mirror import spreading
from .rules.reductions import REDUCTIONS

if TYPE_CHECKING:
    from schedsolve.modelkit.formulation import Formulations

LARGEST_NETWORK, MOST_UNITS = 4096, 20_000


def check(problem: Problem) -> None:
    """Raise InputError when the problem cannot be posed.

    Fewer than two compute nodes, a source or root left open or at a switch, somebody out of reach, rounds
    without chunks or fewer than the steps.
    """
    network, parameters = problem.network, problem.parameters
    if network.node_count > LARGEST_NETWORK:
        raise InputError(f"synchronous schedules are for at most {LARGEST_NETWORK} nodes")
    if len(network.compute_nodes) < 2:
        raise InputError(f"{problem.task} needs two compute nodes or more")
    if problem.node_parameter in parameters:
        if problem.choice or len(problem.sources) > 1:
            raise InputError(f"{problem.task} needs one given node, such as --{problem.node_parameter} 0")
        (node,) = problem.sources
        if node in network.switches:
            raise InputError(
                f"node {network.labels[node]} is a switch; --{problem.node_parameter} takes no switch"
            )
    check_ranks(problem, problem.sources if problem.node_parameter in parameters else ())
    if "ranks" in parameters and "ordered" in parameters:
        raise InputError("--ordered is for sums over all compute nodes, and does not go with --ranks")
    if problem.task in UNEQUAL_TASKS:
        check_sizes(problem, len(ranks_of(problem)))
        units = len(collective_of(problem).wanted)
        if units > MOST_UNITS:
            raise InputError(f"sizes in steps are at most {MOST_UNITS} together, and these are {units}")
    rounds = parameters.get("rounds")
    if rounds is not None and "chunks" not in parameters:
        raise InputError("--rounds of a synchronous schedule goes with --chunks C")
    if rounds is not None and rounds < parameters["steps"]:
        raise InputError(
            f"{parameters['steps']} steps take as many rounds at least, and --rounds gives {rounds}"
        )
    try:
        least_steps(collective_of(problem if problem.task not in REDUCTIONS else _contributions(problem)))
    except ClaimError as error:
        raise InputError(f"{error}; {problem.task} needs one") from None


def _contributions(problem: Problem) -> Problem:
    """Return the copying task that brings all contributions where the results are wanted."""
    task = "gather" if problem.task == "reduce" else "allgather"
    return replace(problem, task=task)


def bounds(problem: Problem) -> Iterator[Bound]:
    """Yield the bounds that need no search."""
    needed, steps = least_steps(collective_of(spreading(problem))), problem.parameters["steps"]
    if steps < needed:
        reason = f"distance: a chunk has to make {counted(needed, 'hop')}, one a step"
        yield Bound("lower", distance_bound(problem, {}), reason, {"kind": "distance"})
        return
    reason = "bandwidth: what must cross the links at a node, or all links"
    yield Bound("lower", bandwidth(problem, {}), reason, {"kind": "bandwidth"})
    if problem.task == "allreduce":
        evidence = counting_evidence(problem)
        if evidence is None:
            return
        count = len(evidence.get("groups", problem.network.compute_nodes))
        words = "groups of nodes" if "groups" in evidence else "compute nodes"
        reason = f"counting: every chunk is sent {2 * (count - 1)} times or more between the {count} {words}"
        yield Bound("lower", counting_bound(problem, evidence), reason, evidence)


def _searches() -> Iterator[Search]:
    from .constructions.algorithms import ALGORITHMS
    from .constructions.reductions import with_reductions
    from .formulation import IMPROVEMENTS

    yield from with_reductions(ALGORITHMS)
    yield from IMPROVEMENTS


def _formulations() -> Formulations:
    from .integer_program import FORMULATIONS

    return FORMULATIONS


_COUNTED = (STEPS, CHUNKS, ROUNDS_OF_CHUNKS, RANKS)
MODELS = (
    Model(
        name="synchronous",
        summary="collectives in steps: chunks over links with bandwidths, and through switches",
        source="Cai et al. (PPoPP 2021), k-synchronous algorithms",
        objective=ROUNDS_PER_CHUNK,
        tasks={
            "allgather": _COUNTED,
            "allgatherv": (SIZES, *_COUNTED),
            "broadcast": (SOURCE, *_COUNTED),
            "gather": (ROOT, *_COUNTED),
            "scatter": (SOURCE, *_COUNTED),
            "alltoall": _COUNTED,
            "alltoallv": (SIZES, *_COUNTED),
            "reduce": (ROOT, *_COUNTED, ORDERED),
            "reduce-scatter": (*_COUNTED, ORDERED),
            "allreduce": (*_COUNTED, ORDERED),
        },
        check=check,
        replay=replay,
        form=StepForm(),
        bounds=bounds,
        evidence=EVIDENCE,
        refutation=refuted_formula,
        searches=_searches,
        next_value=lambda problem, value: value + problem.value_step,
        horizon=worst_rounds_per_chunk,
        machines=True,
        load_formulations=_formulations,
    ),
)
