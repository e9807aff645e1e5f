"""The line model: long-distance calls along paths that share no edge, with any number of ports or a few.

Source: Cohen, Broadcasting, multicasting and gossiping in trees under the all-port line model; Farley,
Minimum-time line broadcast networks (Networks 1980).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from schedsolve.modelkit.parameters import PORTS, ROOT, ROUNDS, SOURCE, TARGETS
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import LEAST_ROUNDS
from schedsolve.modelkit.search import Improvement, Search
from schedsolve.modelkit.theorem_bounds import theorem_bounds
from schedsolve.models.matching import check as check_reach
from schedsolve.runtime.errors import InputError

from .claims import EVIDENCE
from .claims.formula import refutation_formula
from .claims.lower_bounds import LOWER_BOUNDS
from .rules import FORM, replay

if TYPE_CHECKING:
    from schedsolve.modelkit.formulation import Formulations


def check(problem: Problem) -> None:
    """Refuse a problem that cannot be posed.

    Raises
    ------
    InputError
        If the task is a gossip and the network has arcs, or if some node cannot be reached.
    """
    if problem.network.directed and problem.task == "gossip":
        raise InputError("a gossip in the line model needs an undirected network, as its calls go both ways")
    check_reach(problem)


def _searches() -> Iterator[Search]:
    from .bounds import two_round_bounds
    from .constructions.algorithms import ALGORITHMS
    from .formulation import DECISIONS

    yield from ALGORITHMS
    yield from DECISIONS
    yield Improvement("two rounds", "lp", two_round_bounds, share=4.0, names_limits=True)


def _formulations() -> Formulations:
    from .integer_program import FORMULATIONS

    return FORMULATIONS


def _promising_nodes(problem: Problem) -> Sequence[int]:
    from .constructions.algorithms import promising_nodes

    return promising_nodes(problem)


MODELS = (
    Model(
        name="line",
        summary="long-distance calls along paths; the calls of a round share no edge",
        source="Cohen, all-port line model; Farley (Networks 1980), one port",
        objective=LEAST_ROUNDS,
        tasks={
            "broadcast": (SOURCE, PORTS, ROUNDS),
            "multicast": (SOURCE, TARGETS, PORTS, ROUNDS),
            "accumulation": (ROOT, PORTS, ROUNDS),
            "gossip": (PORTS, ROUNDS),
        },
        check=check,
        replay=replay,
        form=FORM,
        bounds=theorem_bounds(LOWER_BOUNDS),
        evidence=EVIDENCE,
        refutation=refutation_formula,
        searches=_searches,
        promising_nodes=_promising_nodes,
        load_formulations=_formulations,
    ),
)
