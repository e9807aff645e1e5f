"""What a lower bound on broadcasting by matching rounds claims.

It is computed straight from the definition of the claim.

In one round every node takes part in at most one call u -> v along an arc; the call informs v if u was
informed before the round.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from schedsolve.modelkit.evidence import Fields, fields
from schedsolve.modelkit.problem import Problem
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError

from .covering_levels import levels, relaxation_of

if TYPE_CHECKING:
    from .covering_levels import Table

LARGEST_BITS = 62


def covering_claim(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """Return the bound that a covering's weights prove.

    One round more than those in which the value stays below the sum of the weights.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "weights", an integer >= 0 for every node, 0 for nodes that need not be informed; "rounds", which are
        shown not to suffice; for a gossip also "source", the label of the node whose broadcast, as a part of
        the gossip, is looked at.

    Raises
    ------
    ClaimError
        If the weights prove nothing.
    """
    weights, rounds = evidence.get("weights"), evidence.get("rounds")
    if (
        not isinstance(weights, list)
        or not all(type(weight) is int for weight in weights)
        or type(rounds) is not int
    ):
        raise ClaimError("a covering gives an integer weight for every node and a number of rounds")
    if problem.choice:
        raise ClaimError("a covering is for a given source")
    if not 0 <= rounds < problem.network.node_count:
        raise ClaimError("a broadcast takes fewer rounds than there are nodes")
    source = evidence.get("source", "")
    if not isinstance(source, int | str):
        raise ClaimError("a covering of a gossip names one node as source")
    try:
        sources = problem.sources if problem.task != "gossip" else (problem.network.node(source),)
        value = covering_value(problem.broadcast_network, sources, weights, rounds)
    except InputError as error:
        raise ClaimError(str(error)) from None
    wanted = {*problem.targets, *sources}
    if any(weight and v not in wanted for v, weight in enumerate(weights)):
        raise ClaimError("a covering gives a weight to a node that need not be informed")
    if value >= sum(weights):
        raise ClaimError(f"{rounds} rounds can reach a weight of {value}, which is all of {sum(weights)}")
    return rounds + 1


def covering_fields(problem: Problem, _: Mapping[str, Any]) -> Fields:
    """Return the fields of such evidence; a gossip has a source."""
    return fields("rounds", "weights", *(["source"] if problem.task == "gossip" else []))


def covering_value(network: Network, sources: Collection[int], weights: Sequence[int], rounds: int) -> int:
    """Return the most weight that `rounds` rounds reach in the covering relaxation.

    In it a node can be informed, and counted, again and again.

    A node v that learnt the message from p with t rounds left reaches at most

        V(v, p, t) = weights[v] + the maximum of the sum of V(u, v, t - i) over calls v -> u in rounds i =
        1..t,

    at most one call in a round and one to a callee u, which is neither p nor a source: calling the informed
    is useless. The value is the sum of V(s, none, rounds) over the sources s. A schedule reaches no more: its
    calls are among those that the maxima run over, and it counts no node twice. So when the value is below
    the sum of the weights of the nodes that must be informed, `rounds` rounds do not suffice.

    A node of more than EXACT_CALLEES callees gets an upper estimate in place of the maximum, and one of more
    than PARENT_CALLEES may call its parent back (`covering_levels`). Both can only enlarge the value, so what
    is claimed stays true; it is just weaker.

    network: undirected or directed. sources: the nodes informed before round 1, from 0; at least one.
    weights: an integer >= 0 for every node, 0 for nodes that need not be informed. rounds: the number of
    rounds, at least 0.
    Raises InputError for no sources, a source outside the nodes, a missing or negative weight, or negative
    rounds.
    """
    if not sources or not all(0 <= s < network.node_count for s in sources):
        raise InputError(
            f"a covering bound needs at least one source among the nodes 0..{network.node_count - 1}"
        )
    if len(weights) != network.node_count or min(weights) < 0 or rounds < 0:
        raise InputError(f"a covering bound needs {network.node_count} weights >= 0 and rounds >= 0")
    relaxation = relaxation_of(network, sources)
    for last in levels(relaxation, exact_table(weights, rounds), rounds):
        level = last
    return sum(level[relaxation.roots].tolist())


def exact_table(weights: Sequence[int], rounds: int) -> Table:
    """Return the weights in a type that holds every value of `rounds` rounds.

    It is 64 bits where no value can be too large for them, else integers of Python: a value at most doubles
    with each round left.
    """
    import numpy as np

    fits = max(weights).bit_length() + rounds < LARGEST_BITS
    return np.array(weights, np.int64 if fits else object)
