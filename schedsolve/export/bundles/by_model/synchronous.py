"""What verifies the results of the synchronous model alone.

Its referee and its bounds, as the kernel has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.export.bundles.record import Bundle, Proof
from schedsolve.kernel.chunk_bounds import (
    bandwidth_bound,
    chunk_sends_bound,
    too_few_steps,
)
from schedsolve.kernel.chunk_prices import price_bound
from schedsolve.kernel.chunk_steps import replay_copies, steps_in_words
from schedsolve.kernel.chunk_sums import replay_sums
from schedsolve.kernel.chunk_trees import (
    part_by_bandwidth,
    part_by_prices,
    part_by_trees,
    tree_price_bound,
)
from schedsolve.modelkit.problem import Problem
from schedsolve.models.synchronous.rules.reductions import REDUCTIONS
from schedsolve.runtime.errors import InputError

THEOREMS = {"distance": too_few_steps, "bandwidth": bandwidth_bound}
"""What the program computes itself, by the kind of evidence."""
PRICES = {"prices": price_bound, "tree-prices": tree_price_bound}
PARTS = {"prices": part_by_prices, "tree-prices": part_by_trees, "bandwidth": part_by_bandwidth}
"""So too by prices, and for the parts of an allreduce."""


def bundle(problem: Problem) -> Bundle:
    """Return what verifies a problem in steps.

    Raises
    ------
    InputError
        With ranks, and with sizes.
    """
    parameters = problem.parameters
    if "ranks" in parameters or "sizes" in parameters:
        raise InputError(
            "there is no bundle of schedules in steps with --ranks or sizes; `check` verifies them"
        )
    claim = {name: parameters[name] for name in ("steps", "chunks", "ordered") if name in parameters}
    if problem.node_parameter in parameters:
        claim["sources"] = list(problem.sources)
    replay = replay_sums if problem.task in REDUCTIONS else replay_copies
    return Bundle(claim, steps_in_words, replay, lambda found: proof(problem, found))


def proof(problem: Problem, evidence: Mapping[str, Any]) -> Proof | None:
    """How a bound with this evidence is proven."""
    kind = evidence["kind"]
    if kind in THEOREMS:
        return Proof(THEOREMS[kind])
    if kind == "counting":
        groups = [[problem.network.node(label) for label in group] for group in evidence.get("groups", [])]
        return Proof(chunk_sends_bound, {"groups": groups} if groups else {})
    if kind in PRICES:
        return Proof(PRICES[kind], _prices(evidence))
    if kind == "part" and evidence["evidence"]["kind"] in PARTS:
        inner = evidence["evidence"]
        told = {"task": evidence["task"], "node": problem.network.node(evidence["node"])}
        return Proof(PARTS[inner["kind"]], {**told, "evidence": _prices(inner)})
    return None


def _prices(evidence: Mapping[str, Any]) -> dict[str, Any]:
    return {name: evidence[name] for name in ("links", "tables", "symmetries") if name in evidence}
