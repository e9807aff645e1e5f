"""How the matching models are solved.

The plain formula plus what makes it fast.

The claim that M rounds do not suffice rests on the plain formula of the claims. What is added to it here
changes no answer:

- Distance windows: a node does not hold an item before the round that equals its distance from the item's
  origin.
- Symmetry: among the schedules that the network's automorphisms make of one another, only one whose first
  round is lexicographically largest is looked for (`claims.formula.break_symmetries`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schedsolve.backends.restarts import SearchesInTurn, restarts
from schedsolve.backends.sat import SatQuestion, decide_by_sat
from schedsolve.modelkit.formulation import CnfFormulation, FormulationRequest
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import LARGEST_FORMULA, affordable, break_symmetries, problem_symmetries
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Question, RunningSearch
from schedsolve.runtime.errors import ClaimError

from ..bounds.prices_outer import outer_call_prices
from ..claims.busy_ends import PREMISE as BUSY_ENDS
from ..claims.busy_ends import short_ends
from ..claims.ends import Sets, ends_are_full
from ..claims.fewest_calls import LEAST_ROUNDS, PREMISE, fewest_calls_formula
from ..claims.formula import RoundsFormula, formula_size, rounds_formula
from ..claims.prices_outer import Outer, excluded_outer_calls
from ..constructions.useful_calls import only_useful_calls
from ..rules import is_two_way
from .integer_program import meaning

MOST_IMAGES = 1000
"""The most automorphisms whose images of the first round are looked at where fewest calls are asked for."""
Prices = Sequence[Mapping[str, Any]]
LARGEST_GOSSIP, LARGEST_ONE_WAY = 4_000_000, 1_200_000
"""The most literals of a gossip's formula: several are solved beside one another, and each takes some 60
bytes a literal. One-way more rounds are open: those of random-regular:3,100, 2.7 to 3.7 million, took 1.3 GB
and decided nothing.
"""
LEAST_NODES = 13
"""Gossip in smaller networks is decided by the formula, or by origins and destinations, without restarts."""
LEAST_SYMMETRIES = 3
"""Where a network has fewer, besides the identity, their breaking leaves at least a third of the schedules to
be found, and is no obstacle.
"""


def sat_search(question: Question) -> RunningSearch | None:
    """Decide by the plain formula with distance windows and symmetry breaking whether so many rounds suffice.

    The first lemmas of a proof are the distance windows, which follow from the plain formula round by round.
    """
    problem, rounds = question.problem, question.value

    def build() -> SatQuestion:
        asked = _fewest_calls_allowed(problem, rounds)
        compared, most = 2 * len(problem.network.arcs), 256 if asked is None else MOST_IMAGES
        symmetries = problem_symmetries(problem, compared, most=most) if rounds else []
        evidence: dict[str, Any] = {
            "kind": "refutation",
            "rounds": rounds,
            "symmetries": [list(image) for image in symmetries],
        }
        return _plain(problem, evidence) if asked is None else _with_fewest_calls(problem, evidence, asked)

    size = formula_size(problem, rounds)
    return decide_by_sat(question, size, build, largest=largest_formula(problem))


def largest_formula(problem: Problem) -> int:
    """Return the most literals of a formula that is built for a problem."""
    if problem.task != "gossip":
        return LARGEST_FORMULA
    return LARGEST_GOSSIP if is_two_way(problem) else LARGEST_ONE_WAY


def _plain(problem: Problem, evidence: Mapping[str, Any]) -> SatQuestion:
    formula = rounds_formula(problem, evidence["rounds"])
    break_symmetries(formula, problem, evidence["symmetries"])
    return SatQuestion(
        formula.cnf,
        too_early(problem, formula),
        lambda true: decode(problem, formula, true),
        evidence,
        formula.call_variables,
    )


def _with_fewest_calls(problem: Problem, evidence: Mapping[str, Any], asked: _FewestCalls) -> SatQuestion:
    symmetries, rounds = evidence["symmetries"], evidence["rounds"]
    formula = fewest_calls_formula(problem, rounds, symmetries, asked.excluded, asked.short)
    return SatQuestion(
        formula.cnf,
        too_early(problem, formula),
        lambda true: decode(problem, formula, true),
        {
            **evidence,
            "premise": PREMISE if asked.short is None else BUSY_ENDS,
            "outer_calls": asked.prices,
        },
        (*formula.senders, *formula.receivers),
        split_first=formula.senders,
    )


@dataclass(frozen=True)
class _FewestCalls:
    """What the formula asks of a gossip with the fewest calls.

    Attributes
    ----------
    prices
        The prices for the outer calls.
    excluded
        What they exclude.
    short
        The short ends that there may be; None where both ends are full.
    """

    prices: Prices
    excluded: frozenset[Outer]
    short: tuple[Sets, Sets] | None = None


def _fewest_calls_allowed(problem: Problem, rounds: int) -> _FewestCalls | None:
    """Return what may be asked of a gossip with the fewest calls.

    None where full ends are not proven, unless prices exclude outer calls and the short ends are few.
    """
    if problem.task != "gossip" or is_two_way(problem) or rounds < LEAST_ROUNDS:
        return None
    prices = outer_call_prices(problem, rounds)
    excluded = excluded_outer_calls(problem, rounds, prices)
    if ends_are_full(problem.network.node_count, rounds, excluded):
        return _FewestCalls(prices, excluded)
    if not excluded:
        return None
    try:
        return _FewestCalls(prices, excluded, short_ends(problem.network))
    except ClaimError:
        return None


def restarted_search(question: Question) -> RunningSearch | None:
    """Look for a gossip schedule by the plain formula with distance windows.

    There is no symmetry breaking, which keeps all but a few of the schedules from being found; it begins
    again with shuffled clauses now and then.
    """
    problem, rounds = question.problem, question.value
    size = formula_size(problem, rounds)
    fits = problem.task == "gossip" and problem.network.node_count >= LEAST_NODES
    if not fits or not affordable(question, size, largest=largest_formula(problem)):
        return None
    if len(problem_symmetries(problem, 1)) < LEAST_SYMMETRIES:
        return None

    def build() -> SatQuestion:
        formula = rounds_formula(problem, rounds)
        return SatQuestion(
            formula.cnf, too_early(problem, formula), lambda true: decode(problem, formula, true)
        )

    return SearchesInTurn(restarts(build, question.seed))


def too_early(problem: Problem, formula: RoundsFormula) -> list[int]:
    """Return the distance windows as literals, round by round.

    "Node v does not hold an item of origin s after fewer than dist(s, v) rounds."

    In this order each follows from the formula and those before it by unit propagation.
    """
    if problem.task == "gossip":
        return windows(formula, [[i] for i in range(formula.network.node_count)])
    return windows(formula, [] if problem.choice else [problem.sources])


def windows(formula: RoundsFormula, origins: Sequence[Sequence[int]]) -> list[int]:
    """Return the distance windows of a formula."""
    early = []
    for i, sources in enumerate(origins):
        for v, distance in enumerate(formula.network.distances_from(sources)):
            last = formula.rounds if distance is None else min(distance - 1, formula.rounds)
            early += [formula.held(v, i, t) for t in range(last + 1)]
    return [-variable for variable in sorted(early)]


def decode(problem: Problem, formula: RoundsFormula, true: set[int]) -> tuple[Problem, Schedule]:
    """Return the schedule that a model of the formula stands for, without useless calls.

    With it comes the problem with its source given.
    """
    pairs = formula.calls(true)
    schedule = Schedule.two_way(pairs) if is_two_way(problem) else Schedule.one_way(pairs)
    if problem.choice == "min":
        problem = problem.at_node(
            next(v for v in range(formula.network.node_count) if formula.held(v, 0, 0) in true)
        )
    return problem, only_useful_calls(problem, schedule.reversed() if formula.reversed_time else schedule)


def cnf_formulation(request: FormulationRequest) -> CnfFormulation:
    """Return the plain formula of the claims, without what makes it fast, with the names of its variables."""
    problem = request.problem
    formula = rounds_formula(problem, request.limit)
    return CnfFormulation(
        formula.cnf, formula.names(), lambda true: decode(problem, formula, true), meaning(request)
    )
