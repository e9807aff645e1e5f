"""How the matching models are solved: the plain formula plus what makes it fast, and CP-SAT models of their
own.
"""

from __future__ import annotations

from schedsolve.modelkit.formulation import Formulations
from schedsolve.modelkit.search import Strategy

from .greedy_prefix import PrefixSearch, prefix_search
from .informed_sets import informed_sets_search
from .integer_program import integer_formulation
from .neighbourhoods import NeighbourhoodSearch, neighbourhood_search
from .origins import origins_search
from .sat import cnf_formulation, decode, restarted_search, sat_search, too_early
from .scheduling import cpsat_broadcast, cpsat_gossip, cpsat_search, scheduling_model
from .symmetric import symmetric_search

__all__ = [
    "FORMULATIONS",
    "STRATEGIES",
    "NeighbourhoodSearch",
    "PrefixSearch",
    "cpsat_broadcast",
    "cpsat_gossip",
    "cpsat_search",
    "decode",
    "informed_sets_search",
    "neighbourhood_search",
    "prefix_search",
    "restarted_search",
    "sat_search",
    "symmetric_search",
    "too_early",
]


FORMULATIONS = Formulations(integer_formulation, cnf_formulation, scheduling_model)

STRATEGIES = (
    Strategy("origins and destinations", "sat", True, origins_search, share=4.0),
    Strategy("formula", "sat", True, sat_search),
    Strategy(
        "covering relaxation, branching on informed sets", "arithmetic", True, informed_sets_search, share=3.0
    ),
    Strategy("schedules with symmetries", "sat", False, symmetric_search, share=0.7),
    Strategy(
        "formula without symmetry breaking, restarted", "sat", False, restarted_search, share=1.5, after=20.0
    ),
    Strategy("greedy prefix completed by SAT", "sat", False, prefix_search, share=0.5),
    Strategy("neighbourhoods mended by SAT", "sat", False, neighbourhood_search, share=6.0),
    Strategy("scheduling model", "cpsat", True, cpsat_search, by_default=False),
)
