"""For every kind of evidence of every model a small problem whose result holds it.

By the title of the model's record and the name of the evidence: its kind, and after a comma which form of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from schedsolve.modelkit.problem import Problem
from tests.evidence import builders

Evidence = dict[str, Any]


@dataclass(frozen=True)
class Recipe:
    """How the evidence comes about.

    line: the problem, as it is typed. build: makes the evidence where `solve` does not write it. only: keys
    and values that tell it from other evidence of its kind in the result. schedule: whether the result has
    one.
    """

    line: str
    build: Callable[[Problem], Evidence] | None = None
    only: Mapping[str, Any] | None = None
    schedule: bool = True


MATCHING: dict[str, str | Recipe] = {
    "distance": "broadcast path:4 --source 0",
    "degree-growth": "broadcast cycle:7 --source 2",
    "tree-broadcast": "accumulation path:4 --root min",
    "tree-broadcast, worst": "broadcast tree:2,2 --source max",
    "tree-gossip": "gossip path:5",
    "cycle-gossip": "gossip cycle:5",
    "odd-order": "gossip complete:5",
    "golden-ratio": "gossip complete:5",
    "knowledge-sizes": "gossip complete:5",
    "covering": Recipe("broadcast grid:3x3 --source 0", builders.covering),
    "informed-sets": Recipe("broadcast grid:3x3 --source 0", builders.informed_sets),
    "prices-between": Recipe("gossip cycle:9", builders.prices_between),
    "refutation": Recipe("broadcast grid:2x3 --source 0", builders.refutation),
    "refutation, symmetries": Recipe("broadcast cycle:5 --source 0", builders.symmetric_refutation),
    "refutation, cubes": Recipe("broadcast grid:2x3 --source 0", builders.cubes),
    "refutation, origins": Recipe("gossip cycle:4", builders.origins),
    "refutation, fewest calls": Recipe("gossip cycle:6", builders.fewest_calls),
    "refutation, outer calls": Recipe("gossip cycle:6", builders.outer_calls),
    "refutation, busy ends": Recipe("gossip path:6", builders.busy_ends),
    "refutation, inner rounds": Recipe("gossip cycle:6", builders.inner_rounds),
    "refutation, distant pairs": Recipe("gossip cycle:5", builders.distant_pairs),
}
"""Of the models without a period; both modes, where the kind is for both."""

ONE_WAY = {
    "golden-ratio", "knowledge-sizes", "prices-between", "refutation, origins",
    "refutation, fewest calls", "refutation, outer calls", "refutation, busy ends",
    "refutation, inner rounds", "path-theorem",
}  # fmt: skip
TWO_WAY = {"odd-order", "short-tree-period"}

PERIODS: dict[str, str | Recipe] = {
    "too-few-slots": "gossip star:4 --period 1",
    "period-growth": "broadcast debruijn:3 --period 2",
    "short-tree-period": "gossip tree:2,2 --period 3",
    "path-theorem": "gossip path:7 --period 4",
    "path-gossip": "gossip path:6 --period 3",
    "tree-period": Recipe("gossip tree:2,2 --period 4", builders.tree_period),
    "refutation, gossip": "gossip grid:2x3 --period 4",
    "refutation, tree": "gossip star:4 --period 6",
    "refutation, colouring": "gossip cycle:4 --period 4 --edge-colouring",
    "refutation, horizon": Recipe("gossip path:3 --period 1", builders.refutation),
    "refutation, tree of calls": Recipe("broadcast debruijn:3 --period 2", builders.refutation),
}


def _matching(model: str) -> dict[str, Recipe]:
    other = TWO_WAY if model == "telegraph" else ONE_WAY
    return {name: _recipe(f"{model} ", made) for name, made in MATCHING.items() if name not in other}


def _periods(model: str) -> dict[str, Recipe]:
    other = TWO_WAY if model == "telegraph" else ONE_WAY
    found = {name: _recipe(f"{model} ", made, " --period 4") for name, made in MATCHING.items()}
    found |= {name: _recipe(f"{model} ", made) for name, made in PERIODS.items()}
    # With a period of one round less than it takes nothing can be said by the formulas without one.
    for name in [name for name in found if name.startswith("refutation") and name in MATCHING]:
        found[name] = _recipe(f"{model} ", MATCHING[name], " --period 8")
    if model == "telegraph":
        found["tree-period"] = Recipe("telegraph gossip tree:2,2 --period 6", builders.tree_period)
    return {name: recipe for name, recipe in found.items() if name not in other}


def _recipe(model: str, made: str | Recipe, more: str = "") -> Recipe:
    recipe = Recipe(made) if isinstance(made, str) else made
    return Recipe(f"{model}{recipe.line}{more}", recipe.build, recipe.only, recipe.schedule)


def _of(model: str, made: Mapping[str, str | Recipe]) -> dict[str, Recipe]:
    return {name: _recipe(f"{model} ", one) for name, one in made.items()}


RECIPES: Mapping[str, Mapping[str, Recipe]] = {
    "telegraph": _matching("telegraph"),
    "telephone": _matching("telephone"),
    "telegraph --period": _periods("telegraph"),
    "telephone --period": _periods("telephone"),
    "line": _of(
        "line",
        {
            "degree-growth": "broadcast cycle:7 --source 0",
            "odd-order": "gossip path:3 --ports 1",
            "crowded-rounds": "gossip cycle:8",
            "tree-message": "broadcast path:5 --source 0",
            "tree-gossip": "gossip path:4",
            "two-rounds": "gossip circulant:15,1,2",
            "refutation": Recipe("broadcast cycle:7 --source 0", builders.refutation),
            "refutation, symmetries": Recipe("broadcast cycle:7 --source 0", builders.symmetric_refutation),
            "refutation, gossip": Recipe("gossip cycle:4 --ports 1", builders.refutation),
        },
    ),
    "linear-cost": _of(
        "linear-cost",
        {
            "derived": "broadcast complete:4 --extra-rounds 1",
            "staircase": "broadcast complete:3 --extra-rounds 1",
            "aggregated": "broadcast path:3 --extra-rounds 1",
            "steady state": "broadcast path:3 --extra-rounds 1",
            "timed program": "broadcast cycle:5 --extra-rounds 1",
            "call graphs": Recipe("broadcast cycle:4 --extra-rounds 1", builders.call_graphs),
            "call graphs, prices": Recipe("broadcast path:3", builders.call_graph_prices),
            "refutation": "broadcast cycle:7 --total-rounds 3",
        },
    ),
    "linear-cost --alpha": _of(
        "linear-cost",
        {
            "best rounds": "broadcast complete:3 --alpha 1 --tau 3",
            "best rounds, steady": "broadcast path:3 --alpha 1/100 --tau 10",
        },
    ),
    "fat-tree": _of(
        "fat-tree",
        {
            "empty-subtrees": "broadcast fat-tree:4",
            "round-sum": "broadcast fat-tree:8 --timing rounds",
            "round-capacity": "broadcast fat-tree:8 --timing rounds",
            "round-heights": "broadcast fat-tree:4 --timing rounds",
            "round-growth": "broadcast fat-tree:8 --timing rounds",
            "round-crossings": "prefix fat-tree:4 --timing rounds",
            "lineages": "broadcast fat-tree:8",
            "crossings": "prefix fat-tree:4",
            "refutation, broadcast": Recipe("broadcast fat-tree:4", only={"formula": "broadcast"}),
            "refutation, rounds": Recipe("broadcast fat-tree:4 --timing rounds"),
            "refutation, runs": Recipe("product fat-tree:4", builders.formula("runs")),
            "refutation, halves": Recipe("prefix fat-tree:4", builders.formula("halves")),
        },
    ),
    "routing": _of(
        "routing",
        {
            "multiplicity": "deliver fat-tree:4 --pattern random:4",
            "refutation": "deliver fat-tree:4 --pattern random:4",
        },
    ),
    "synchronous": _of(
        "synchronous",
        {
            "distance": "allgather cycle:5 --steps 1",
            "bandwidth": "allgather cycle:4 --steps 2",
            "bandwidth, reduction": "reduce-scatter cycle:4 --steps 2",
            "counting": "allreduce cycle:4 --steps 4",
            "part": Recipe("allreduce path:3 --steps 2 --chunks 1", builders.part),
            "prices": "alltoall leaf-spine:2,2,1 --steps 1",
            "prices, tables": "allgather dgx1 --steps 2",
            "tree-prices": "broadcast hypercube:2 --steps 2 --chunks 3 --source 0",
            "refutation": Recipe(
                "broadcast hypercube:2 --steps 2 --chunks 3 --source 0", builders.compositions
            ),
            "refutation, prices": Recipe(
                "broadcast hypercube:2 --steps 2 --chunks 3 --source 0", builders.priced_compositions
            ),
            "refutation, contributions": Recipe(
                "allreduce path:3 --steps 2 --chunks 2", builders.compositions
            ),
            "refutation, any rounds": Recipe(
                "reduce path:3 --steps 1 --root 0 --ordered", builders.any_rounds
            ),
        },
    ),
    "pipelined": _of(
        "pipelined",
        {
            "cut": "allgather cycle:4",
            "lengths": "alltoall cycle:5",
            "counting": "allreduce complete:3",
            "flows": Recipe("allgather cycle:4", builders.flows, schedule=False),
            "flows, allreduce": Recipe("allreduce complete:3", builders.allreduce_flows, schedule=False),
        },
    ),
}
"""What the catalogue holds."""


def _never(title: str) -> dict[tuple[str, str], str]:
    """Those of the other mode: both modes share one list of kinds."""
    listed = MATCHING | (PERIODS if title.endswith("--period") else {})
    other, reason = (
        (TWO_WAY, "for two-way calls") if title.startswith("telegraph") else (ONE_WAY, "for one-way calls")
    )
    return {(title, kind): reason for kind in other if kind in listed and not kind.startswith("refutation")}


NEVER = {
    pair: reason for title in RECIPES if title.startswith("tele") for pair, reason in _never(title).items()
}
"""Kinds that a record lists and no problem of its can have, with the reason."""
