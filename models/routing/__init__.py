"""The routing model: messages through the routers of a fat-tree, each round a set of messages that share no
wire.

Source: Strumpen and Krishnamurthy, A collision model for randomized routing in fat-tree networks (JPDC 2005).
"""

from __future__ import annotations

from schedsolve.modelkit.parameters import ROUNDS
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.theorem_bounds import theorem_bounds
from schedsolve.problem import Problem
from schedsolve.result import LEAST_ROUNDS

from .claims import CLAIMS, LOWER_BOUNDS, bundle, refutation_formula
from .command import SIMULATE
from .constructions import ALGORITHMS
from .formulation import STRATEGIES
from .integer_program import FORMULATIONS
from .patterns import MESSAGES, PATTERN, complete, fat_tree_size
from .rules import FORM, replay
from .story import story


def check(problem: Problem) -> None:
    """Raise InputError when the network is no fat-tree."""
    fat_tree_size(problem.network)


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
        claims=CLAIMS,
        refutation=refutation_formula,
        algorithms=ALGORITHMS,
        strategies=STRATEGIES,
        formulations=FORMULATIONS,
        story=story,
        bundle=bundle,
    ),
)
VERBS = (SIMULATE,)
