"""What verifies the results of the linear cost model alone.

Its referee and its bounds, as the kernel has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schedsolve.export.bundles.record import Bundle, Proof
from schedsolve.kernel.network import network_of
from schedsolve.kernel.packet_bounds import packet_bound
from schedsolve.kernel.packets import packets_in_words, replay_packets
from schedsolve.modelkit.problem import Problem
from schedsolve.models.linear_cost.claims import derived
from schedsolve.models.linear_cost.rules import rounds_allowed
from schedsolve.runtime.errors import InputError

TABLE = "the table of rules for broadcasts in packets"


def bundle(problem: Problem) -> Bundle:
    """Return what verifies a broadcast in a given number of rounds.

    Raises
    ------
    InputError
        If the best number of rounds was sought: that has many proofs.
    """
    if "alpha" in problem.parameters:
        raise InputError(
            "the best number of rounds rests on a proof for every number of rounds, and a bundle holds one"
            " proof; solve with --extra-rounds for a bundle of the cost in so many"
        )
    claim: dict[str, Any] = {
        "sources": list(problem.sources),
        "ports": problem.parameters["ports"],
        "rounds": rounds_allowed(problem),
    }
    if problem.parameters.get("weak_ports"):
        claim["weak_ports"] = True
    return Bundle(claim, packets_in_words, replay_packets, lambda found: proof(problem, claim, found))


def proof(problem: Problem, claim: Mapping[str, Any], evidence: Mapping[str, Any]) -> Proof | None:
    """How a bound with this evidence is proven: of the table's rules the kernel has the short ones."""
    if evidence["kind"] != "derived":
        return None
    links = [(u, v, 1) for u, v in problem.network.edges]
    own = packet_bound(dict(claim), network_of(problem.network.node_count, links, False), {})
    enough = own >= derived(problem, evidence)
    return Proof(packet_bound) if enough else Proof(rests_on=(TABLE,))
