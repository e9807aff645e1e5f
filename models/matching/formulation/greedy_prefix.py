"""Broadcasts whose first rounds are greedy and whose last rounds SAT completes: finds, never refutes."""

from __future__ import annotations

from functools import partial
from itertools import count

from schedsolve.backends.restarts import SearchesInTurn, Trials
from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.refutation import affordable
from schedsolve.modelkit.search import Question, RunningSearch
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

from ..claims.formula import broadcast_formula, formula_size
from ..constructions.algorithms import Pairs, as_schedule
from ..constructions.broadcast_search import best_prefixes
from ..constructions.useful_calls import only_useful_calls
from .sat import windows

SHORTEST_PREFIX, LONGEST_PREFIX, PREFIXES_A_LENGTH, PREFIX_SECONDS = 3, 7, 3, 2.0
"""Which greedy beginnings of a broadcast are tried, and for how long each at first."""


def prefix_search(question: Question) -> RunningSearch | None:
    """Look for a schedule whose first rounds are from greedy passes, the rest left to SAT.

    For broadcast, multicast and accumulation; None without a given source, for too few rounds, and where the
    formula is too large.

    Prefixes of three to seven rounds are tried in turn, the promising ones first, each for a while; then
    others, for longer.
    """
    problem, rounds = question.problem, question.value
    if problem.task == "gossip" or problem.choice or rounds <= SHORTEST_PREFIX:
        return None
    fits = affordable(question, formula_size(problem, rounds))
    return SearchesInTurn(_completions(problem, rounds)) if fits else None


def _completions(problem: Problem, rounds: int) -> Trials:
    """Search for the rounds after a prefix, one prefix after the other, without an end."""
    for tour in count():
        for length in range(SHORTEST_PREFIX, min(LONGEST_PREFIX, rounds - 1) + 1):
            for prefix in best_prefixes(
                problem.broadcast_network,
                problem.sources,
                problem.targets,
                prefix_rounds=length,
                count=PREFIXES_A_LENGTH,
                seed=tour,
            ):
                yield SatSearch(partial(_completion, problem, rounds, prefix)), PREFIX_SECONDS * 2**tour


def _completion(problem: Problem, rounds: int, prefix: Pairs) -> SatQuestion:
    """Whether a prefix can be completed, with all that it informs as sources of the rounds after it."""
    informed = sorted({*problem.sources, *(v for calls in prefix for _, v in calls)})
    left = rounds - len(prefix)
    formula = broadcast_formula(problem.broadcast_network, informed, problem.targets, left)

    def whole(true: set[int]) -> tuple[Problem, Schedule]:
        schedule = as_schedule(problem, [*prefix, *formula.calls(true)])
        return problem, only_useful_calls(problem, schedule)

    return SatQuestion(formula.cnf, windows(formula, [informed]), whole)
