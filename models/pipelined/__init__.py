"""Pipelined collectives.

The throughput of long messages over links with bandwidths and through switches, exactly.

The time is that in which one unit passes, steadily: a shard of every node (allgather), the buffer
(broadcast), a unit for every pair (alltoall) or for every node (scatter, gather).

References
----------
Zhao et al., ForestColl (arXiv 2402.06787), for allgathers and trees; the multi-commodity flow program for the
others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from schedsolve.modelkit.demands import SIZES
from schedsolve.modelkit.parameters import ORDERED
from schedsolve.modelkit.ranks import RANKS
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import LEAST_TIME
from schedsolve.modelkit.search import Improvement, Search

from .bounds import lower_bounds
from .claims import EVIDENCE
from .options import ROOT, SOURCE, SWITCHES_COPY
from .rules import replay
from .rules.demand import check
from .rules.schedule import FORM

if TYPE_CHECKING:
    from schedsolve.modelkit.formulation import Formulations


def _searches() -> Iterator[Search]:
    from .constructions.algorithms import ALGORITHMS
    from .formulation.improvements import improve_flows, improve_sums, improve_symmetric, improve_trees
    from .formulation.reductions import COMPOSED, SPANNING_TREES

    yield from ALGORITHMS
    yield COMPOSED
    yield SPANNING_TREES
    yield Improvement("trees under symmetries", "lp", improve_symmetric, names_limits=True)
    yield Improvement("trees that attain the cuts", "flows", improve_trees, names_limits=True)
    yield Improvement("flows and lengths", "lp", improve_flows, names_limits=True)
    yield Improvement("trees of sums", "lp", improve_sums, names_limits=True)


def _formulations() -> Formulations:
    from .formulation.program import FORMULATIONS

    return FORMULATIONS


MODELS = (
    Model(
        name="pipelined",
        summary="long messages over links with bandwidths: the least time of a unit, by trees and flows",
        source="Zhao et al., ForestColl (arXiv 2402.06787); multi-commodity flows",
        objective=LEAST_TIME,
        tasks={
            "allgather": (RANKS, SWITCHES_COPY),
            "allgatherv": (SIZES, RANKS, SWITCHES_COPY),
            "broadcast": (SOURCE, RANKS, SWITCHES_COPY),
            "alltoall": (RANKS,),
            "alltoallv": (SIZES, RANKS),
            "scatter": (SOURCE, RANKS),
            "gather": (ROOT, RANKS),
            "reduce": (ROOT, RANKS, ORDERED, SWITCHES_COPY),
            "reduce-scatter": (RANKS, ORDERED, SWITCHES_COPY),
            "allreduce": (RANKS, ORDERED, SWITCHES_COPY),
        },
        check=check,
        machines=True,
        replay=replay,
        form=FORM,
        bounds=lower_bounds,
        evidence=EVIDENCE,
        searches=_searches,
        load_formulations=_formulations,
        # Times are fractions: that v does not suffice proves no more than v.
        next_value=lambda _, value: value,
    ),
)
