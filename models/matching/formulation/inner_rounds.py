"""One-way gossip refuted by its inner rounds: `claims.inner_rounds` holds the premise and the formula."""

from __future__ import annotations

from schedsolve.backends.sat import SatQuestion, decide_by_sat
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import problem_symmetries
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import GivenUpError, Question, RunningSearch

from ..bounds.prices_outer import outer_call_prices
from ..claims.formula import formula_size
from ..claims.inner_rounds import (
    LEAST_ROUNDS,
    PREMISE,
    InnerRoundsFormula,
    compared_variables,
    inner_rounds_formula,
)
from ..claims.prices_outer import excluded_outer_calls
from ..rules import is_two_way
from .sat import LARGEST_GOSSIP, MOST_IMAGES

MOST_NODES = 16
"""On more nodes, without prices, none was refuted within minutes."""
MOST_NODES_WITH_PRICES = 20
"""Where prices exclude numbers of merged places."""


def inner_rounds_search(question: Question) -> RunningSearch | None:
    """Refute so many rounds by the rounds between the first two and the last two; it finds no schedule."""
    problem, rounds = question.problem, question.value
    network = problem.network
    if problem.task != "gossip" or is_two_way(problem) or network.node_count > MOST_NODES_WITH_PRICES:
        return None
    if not LEAST_ROUNDS <= rounds < 2 * network.node_count:
        return None
    prices = outer_call_prices(problem, rounds)
    if network.node_count > MOST_NODES and not prices:
        return None

    def build() -> SatQuestion:
        compared = compared_variables(network)
        symmetries = problem_symmetries(problem, compared, most=MOST_IMAGES)
        excluded = excluded_outer_calls(problem, rounds, prices)
        formula = inner_rounds_formula(network, rounds, symmetries, excluded)
        evidence = {
            "kind": "refutation",
            "premise": PREMISE,
            "rounds": rounds,
            "symmetries": [list(image) for image in symmetries],
            "outer_calls": prices,
        }
        return SatQuestion(formula.cnf, _too_early(formula), _no_schedule, evidence, formula.starts.seconds)

    return decide_by_sat(question, formula_size(problem, rounds), build, largest=LARGEST_GOSSIP)


def _no_schedule(true: set[int]) -> tuple[Problem, Schedule]:
    """Give up: a model does not say who calls in the first round and who is called in the last."""
    raise GivenUpError


def _too_early(formula: InnerRoundsFormula) -> list[int]:
    """Return the distance windows: no node holds an item sooner than it comes from the item's places.

    In this order each follows from the formula and those before it by unit propagation.
    """
    network, nodes, early = formula.network, range(formula.network.node_count), []
    for i in nodes:
        places = [i, *(v for u, v in formula.starts.pairs if u == i)]
        for v, distance in enumerate(network.distances_from(places)):
            last = formula.rounds if distance is None else min(distance - 1, formula.rounds)
            early += [formula.held(v, i, t) for t in range(last + 1)]
    return [-variable for variable in sorted(early)]
