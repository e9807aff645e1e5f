"""The ideal fat-tree: broadcast, product and prefix under channel capacities, by the clock or in rounds.

Source: Bilardi, Codenotti, Del Corso, Pinotti, Resta, Broadcast and associative operations on fat-trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from schedsolve.modelkit.parameters import ONE_ROOT, ONE_SOURCE
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import LEAST_TIME
from schedsolve.modelkit.search import BoundSearch, Improvement, Search
from schedsolve.modelkit.theorem_bounds import theorem_bounds
from schedsolve.runtime.errors import InputError

from .claims import EVIDENCE, THEOREM_BOUNDS, refutation_formula
from .options import CAPACITY, CAPACITY_TABLE, TIMING
from .rules import FORM, replay
from .rules.tree import in_rounds, processor_count

if TYPE_CHECKING:
    from schedsolve.modelkit.formulation import Formulations


def check(problem: Problem) -> None:
    """Raise InputError for a problem that cannot be posed.

    The network must be a fat-tree, and the source or the root a single processor.
    """
    network = problem.network
    n = processor_count(network)
    if n is None:
        raise InputError(
            "the fat-tree model needs a network fat-tree:N, N = 2^m processors 0..N-1 as the leaves of a"
            " binary tree"
        )
    if n > LARGEST_FAT_TREE:
        raise InputError(f"the fat-tree model takes up to {LARGEST_FAT_TREE} processors, not {n}")
    if problem.task == "prefix":
        return
    name, processors = problem.node_parameter, f"{network.labels[0]}..{network.labels[n - 1]}"
    if problem.choice:
        raise InputError(
            f"--{name} {problem.choice} means nothing on a fat-tree: give one processor, {processors}"
        )
    if len(problem.sources) > 1 or problem.sources[0] >= n:
        raise InputError(f"--{name} takes one processor, {processors}; the other nodes are switches")


def complete(problem: Problem, _: bool) -> Problem:
    """Return the problem with its capacities given once: a table, or the name of a shape.

    Raises
    ------
    InputError
        If both are given.
    """
    table, shape = problem.parameters.get("capacity_table"), problem.parameters.get("capacity")
    if table is not None and shape is not None:
        raise InputError("give --capacity or --capacity-table, not both")
    return problem if table is not None else problem.with_parameters(capacity=shape or DEFAULT_SHAPE)


DEFAULT_SHAPE = "const"
LARGEST_FAT_TREE = 2**17


def next_value(problem: Problem, value: int) -> int:
    """Return the least time above `value` that a schedule can take; in rounds it is even."""
    return value + 2 - value % 2 if in_rounds(problem) else value + 1


def _searches() -> Iterator[Search]:
    from .bounds import lineage_bounds
    from .constructions.algorithms import ALGORITHMS
    from .formulation import DECISIONS, searched_bound

    yield from ALGORITHMS
    yield BoundSearch("broadcast formula", searched_bound)
    yield from DECISIONS
    yield Improvement("lineages", "lp", lineage_bounds, share=4.0)


def _formulations() -> Formulations:
    from .integer_program import FORMULATIONS

    return FORMULATIONS


_SHARED = (CAPACITY, CAPACITY_TABLE, TIMING)

MODELS = (
    Model(
        name="fat-tree",
        summary=(
            "messages between the leaves of a tree whose channels have capacities; a message to height h"
            " takes 2h"
        ),
        source=(
            "Bilardi, Codenotti, Del Corso, Pinotti, Resta, Broadcast and associative operations on fat-trees"
        ),
        objective=replace(LEAST_TIME, one="a message over one channel"),
        tasks={"broadcast": (ONE_SOURCE, *_SHARED), "product": (ONE_ROOT, *_SHARED), "prefix": _SHARED},
        check=check,
        replay=replay,
        form=FORM,
        bounds=theorem_bounds(THEOREM_BOUNDS),
        evidence=EVIDENCE,
        refutation=refutation_formula,
        searches=_searches,
        complete=complete,
        next_value=next_value,
        load_formulations=_formulations,
    ),
)
