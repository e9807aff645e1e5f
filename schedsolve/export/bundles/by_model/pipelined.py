"""What verifies the results of the pipelined model alone.

Its referee and its bounds, as the kernel has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.export.bundles.record import Bundle, Proof
from schedsolve.kernel.steady_cuts import cut_bound, sends_bound
from schedsolve.kernel.steady_flows import flows_in_words, lengths_bound, replay_flows
from schedsolve.kernel.weighted_trees import replay_trees, trees_in_words
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import forwarding, ranks_of
from schedsolve.models.pipelined.rules.demand import FLOW_TASKS, end_of, end_parameter
from schedsolve.models.pipelined.rules.orbits import orbits


def bundle(problem: Problem) -> Bundle:
    """Return what verifies a problem in the steady state."""
    claim: dict[str, Any] = {}
    if end_parameter(problem.task) in problem.parameters:
        claim["sources"] = [end_of(problem)]
    if "ranks" in problem.parameters:
        claim["ranks"] = list(ranks_of(problem))
    if "sizes" in problem.parameters:
        claim["sizes"] = problem.parameters["sizes"]
    claim |= {name: True for name in ("ordered", "switches_copy") if problem.parameters.get(name)}
    flows = problem.task in FLOW_TASKS
    words, replay = (flows_in_words, replay_flows) if flows else (trees_in_words, replay_trees)
    return Bundle(claim, words, replay, lambda found: proof(problem, found))


def proof(problem: Problem, evidence: Mapping[str, Any]) -> Proof | None:
    """How a bound with this evidence is proven."""
    kind, node = evidence["kind"], problem.network.node
    if kind == "cut":
        return Proof(cut_bound, {"nodes": [node(label) for label in evidence["nodes"]]})
    if kind == "counting":
        groups = [[node(label) for label in group] for group in evidence.get("groups", [])]
        return Proof(sends_bound, {"groups": groups} if groups else {})
    if kind == "lengths":
        return Proof(lengths_bound, {"lengths": _lengths_of_links(problem, evidence)})
    return None


def _lengths_of_links(problem: Problem, evidence: Mapping[str, Any]) -> list[list[Any]]:
    """Return the length of every link that has one, those of its orbit written out."""
    network = forwarding(problem).network
    of = orbits(network, [[network.node(v) for v in image] for image in evidence.get("symmetries", [])])
    listed = [(network.node(u), network.node(v), x) for u, v, x in evidence["lengths"]]
    lengths = {of.link[u, v]: x for u, v, x in reversed(listed)}
    return [[u, v, lengths[of.link[u, v]]] for u, v in network.arcs if of.link[u, v] in lengths]
