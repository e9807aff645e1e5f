"""How the matching models are solved: the plain formula plus what makes it fast, and CP-SAT models of their
own.
"""

from __future__ import annotations

from functools import partial

from schedsolve.modelkit.formulation import Formulations
from schedsolve.modelkit.search import Search, Strategy
from schedsolve.problem import Problem

from .greedy_prefix import PrefixSearch, prefix_search
from .integer_program import integer_formulation
from .sat import cnf_formulation, decode, sat_search, time_symmetric_search, too_early, too_large
from .scheduling import cpsat_broadcast, cpsat_gossip, cpsat_search, scheduling_model

__all__ = [
    "FORMULATIONS",
    "STRATEGIES",
    "PrefixSearch",
    "cpsat_broadcast",
    "cpsat_gossip",
    "cpsat_search",
    "decode",
    "prefix_search",
    "sat_search",
    "time_symmetric_search",
    "too_early",
    "too_large",
]


FORMULATIONS = Formulations(integer_formulation, cnf_formulation, scheduling_model)


def _start_time_symmetric(kind: int, problem: Problem, rounds: int, _: bool, seconds: float) -> Search | None:
    return time_symmetric_search(problem, rounds, kind, seconds)


STRATEGIES = (
    Strategy(
        "formula",
        "sat",
        True,
        lambda problem, rounds, certify, s: sat_search(problem, rounds, certify=certify, seconds=s),
    ),
    *(
        Strategy(
            f"schedules symmetric in time, kind {kind}",
            "sat",
            False,
            partial(_start_time_symmetric, kind),
            share=0.1,
        )
        for kind in range(4)
    ),
    Strategy(
        "greedy prefix completed by SAT",
        "sat",
        False,
        lambda problem, rounds, _, s: prefix_search(problem, rounds, s),
    ),
    Strategy(
        "scheduling model",
        "cpsat",
        True,
        lambda problem, rounds, _, s: cpsat_search(problem, rounds, s),
        by_default=False,
    ),
)
