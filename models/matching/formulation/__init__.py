"""How the matching models are solved.

The plain formula plus what makes it fast, and searches beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from schedsolve.modelkit.formulation import Formulations
from schedsolve.modelkit.search import Decision, Question, RunningSearch

from .annealed_gossips import annealed_gossip_search
from .distant_pairs import distant_pairs_search
from .informed_sets import informed_sets_search
from .inner_rounds import inner_rounds_search
from .integer_program import integer_formulation
from .mended_gossips import mended_gossip_search
from .neighbourhoods import neighbourhood_search
from .origins import origins_search
from .sat import cnf_formulation, restarted_search, sat_search
from .symmetric import large_groups_search, symmetric_search

FORMULATIONS = Formulations(integer_formulation, cnf_formulation, calls_may_be_forbidden=True)

DECISIONS = (
    Decision("origins and destinations", "sat", True, origins_search, splits=True, share=4.0),
    Decision("formula", "sat", True, sat_search, splits=True),
    Decision("inner rounds", "sat", True, inner_rounds_search, splits=True, finds=False),
    Decision("distant pairs", "sat", True, distant_pairs_search, share=12.0, finds=False),
    Decision(
        "covering relaxation, branching on informed sets",
        "arithmetic",
        True,
        informed_sets_search,
        share=3.0,
        finds=False,
    ),
    Decision("schedules with symmetries", "sat", False, symmetric_search, share=0.7),
    Decision("schedules with large groups of symmetries", "sat", False, large_groups_search, share=20.0),
    Decision(
        "formula without symmetry breaking, restarted", "sat", False, restarted_search, share=1.5, after=20.0
    ),
    Decision("annealing with symmetries", "annealing", False, annealed_gossip_search, share=4.0),
    Decision("annealing from both ends", "annealing", False, mended_gossip_search, share=8.0),
    Decision("neighbourhoods mended by SAT", "sat", False, neighbourhood_search, share=12.0),
)

ONE_WAY_SHARES = {
    "formula": 4.0,
    "inner rounds": 42.0,
    "distant pairs": 20.0,
    "schedules with symmetries": 6.0,
    "formula without symmetry breaking, restarted": 3.0,
    "annealing with symmetries": 12.0,
    "annealing from both ends": 4.0,
}
"""The shares of the time in place of those of `DECISIONS` for one-way calls."""

FORMULA_NODES = 16
"""One-way gossips on so few nodes are not annealed: the formula, or the inner rounds, decide them sooner."""


def decisions(*, two_way: bool) -> tuple[Decision, ...]:
    """Return the decisions with the shares of the time for two-way or for one-way calls."""
    if two_way:
        return DECISIONS
    return tuple(
        replace(
            each,
            share=ONE_WAY_SHARES.get(each.name, each.share),
            start=partial(_start_if_large, each.start) if each.backend == "annealing" else each.start,
        )
        for each in DECISIONS
    )


def _start_if_large(
    start: Callable[[Question], RunningSearch | None], question: Question
) -> RunningSearch | None:
    return None if question.problem.network.node_count <= FORMULA_NODES else start(question)
