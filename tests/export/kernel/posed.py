"""Problems as the kernel has them: what a bundle tells it, its network, its functions."""

from __future__ import annotations

from typing import Any, NamedTuple

from schedsolve.export.bundles.bundle import common_claim
from schedsolve.export.bundles.of_problem import bundle_parts
from schedsolve.export.bundles.record import Bundle
from schedsolve.kernel.network import Network, network_of
from schedsolve.modelkit.problem import Problem
from schedsolve.models import build_problem
from schedsolve.network.graph import Network as OwnNetwork


class Posed(NamedTuple):
    """A problem, what verifies it, what it is told, and the network."""

    problem: Problem
    bundle: Bundle
    claim: dict[str, Any]
    network: Network


def problem_of(line: str, network: OwnNetwork | None = None) -> Problem:
    """The problem of a command line; on another network than the one named there, if one is given."""
    model, task, name, *options = line.split()
    names = [option.removeprefix("--").replace("-", "_") for option in options[::2]]
    return build_problem(
        model, task, network or OwnNetwork.from_spec(name), dict(zip(names, options[1::2], strict=True))
    )


def posed(problem: Problem) -> Posed:
    """A problem as the kernel has it."""
    own = problem.network
    bundle = bundle_parts(problem)
    claim = {**common_claim(problem), **bundle.claim, "evidence": {}}
    if problem.choice:
        claim["open"] = True
    links = [(u, v, own.bandwidth_of[u, v]) for u, v in own.edges]
    return Posed(problem, bundle, claim, network_of(own.node_count, links, own.directed, own.switches))


def bound_of(what: Posed, evidence: dict[str, Any], value: Any, files: dict[str, str] | None = None) -> Any:
    """The bound that the kernel proves by some evidence for a claim of a value."""
    proof = what.bundle.proof(evidence)
    assert proof is not None
    assert proof.lower_bound is not None
    claim = {**what.claim, "lower_bound": value, "evidence": dict(proof.evidence)}
    return proof.lower_bound(claim, what.network, files or {})
