"""The routing model: messages pass the routers of a fat-tree in rounds and share no wire in a round.

Source: Strumpen and Krishnamurthy, A collision model for randomized routing in fat-tree networks (JPDC
2005).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from schedsolve.modelkit.parameters import ROUNDS
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import LEAST_ROUNDS
from schedsolve.modelkit.search import Search
from schedsolve.modelkit.theorem_bounds import theorem_bounds

from .claims import EVIDENCE, LOWER_BOUNDS, refutation_formula
from .patterns import MESSAGES, PATTERN, complete, fat_tree_size
from .rules import FORM, replay

if TYPE_CHECKING:
    from schedsolve.modelkit.formulation import Formulations


def check(problem: Problem) -> None:
    """Raise InputError unless the network is a fat-tree."""
    fat_tree_size(problem.network)


def _searches() -> Iterator[Search]:
    from .constructions import ALGORITHMS
    from .formulation import DECISIONS

    yield from ALGORITHMS
    yield from DECISIONS


def _formulations() -> Formulations:
    from .integer_program import FORMULATIONS

    return FORMULATIONS


MODELS = (
    Model(
        name="routing",
        summary="messages through the routers of a fat-tree; the messages of a round share no wire",
        source="Strumpen, Krishnamurthy (JPDC 2005), section 3; the off-line optimum by König and Benes",
        objective=LEAST_ROUNDS,
        tasks={"deliver": (PATTERN, MESSAGES, ROUNDS)},
        check=check,
        complete=complete,
        replay=replay,
        form=FORM,
        bounds=theorem_bounds(LOWER_BOUNDS),
        evidence=EVIDENCE,
        refutation=refutation_formula,
        searches=_searches,
        load_formulations=_formulations,
    ),
)
