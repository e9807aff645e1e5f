"""What verifies the results of the synchronous model alone: its referee and its bounds, as the kernel has
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.kernel.chunk_bounds import (
    bandwidth_bound,
    chunk_sends_bound,
    step_count_bound,
    too_few_steps,
)
from schedsolve.kernel.chunk_prices import price_bound
from schedsolve.kernel.chunk_steps import replay_copies, steps_in_words
from schedsolve.kernel.chunk_sums import replay_sums
from schedsolve.modelkit.bundle import Bundle, Proof
from schedsolve.problem import Problem

from ..rules.reductions import REDUCTIONS

THEOREMS = {"distance": too_few_steps, "steps": step_count_bound, "bandwidth": bandwidth_bound}
"""What the program computes itself, by the kind of evidence."""


def bundle(problem: Problem) -> Bundle:
    """What verifies a problem in steps."""
    parameters = problem.parameters
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
    if kind == "prices":
        told = {name: evidence[name] for name in ("links", "tables", "symmetries") if name in evidence}
        return Proof(price_bound, told)
    return None
