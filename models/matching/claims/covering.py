"""What a lower bound on broadcasting by matching rounds claims, computed straight from the definition of the
claim.

In one round every node takes part in at most one call u -> v along an arc; the call informs v if u was
informed before the round.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from schedsolve.errors import ClaimError, InputError
from schedsolve.network.graph import Network
from schedsolve.problem import Problem

from .lower_bounds import as_broadcast

EXACT_CALLEES = 6
PARENT_CALLEES = 16
ANYONE = -1


def covering_claim(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """The bound that a covering's weights prove: one round more than those in which the value stays below the
    sum of the weights.

    evidence: "weights", an integer >= 0 for every node, 0 for nodes that need not be informed; "rounds",
    which are shown not to suffice; for a gossip also "source", the label of the node whose broadcast, as a
    part of the gossip, is looked at.
    Raises ClaimError when the weights prove nothing.
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
        value = covering_value(as_broadcast(problem), sources, weights, rounds)
    except InputError as error:
        raise ClaimError(str(error)) from None
    wanted = {*problem.targets, *sources}
    if any(weight and v not in wanted for v, weight in enumerate(weights)):
        raise ClaimError("a covering gives a weight to a node that need not be informed")
    if value >= sum(weights):
        raise ClaimError(f"{rounds} rounds can reach a weight of {value}, which is all of {sum(weights)}")
    return rounds + 1


def covering_value(network: Network, sources: Collection[int], weights: Sequence[int], rounds: int) -> int:
    """The most weight that `rounds` rounds could reach if a node could be informed, and counted, again and
    again.

    A node v that learnt the message from p with t rounds left reaches at most

        V(v, p, t) = weights[v] + the maximum of the sum of V(u, v, t - i) over calls v -> u in rounds i =
        1..t,

    at most one call in a round and one to a callee u, which is neither p nor a source: calling the informed
    is useless. The value is the sum of V(s, none, rounds) over the sources s. A schedule reaches no more: its
    calls are among those that the maxima run over, and it counts no node twice. So when the value is below
    the sum of the weights of the nodes that must be informed, `rounds` rounds do not suffice.

    A node of more than EXACT_CALLEES callees gets the upper estimate `_slots` in place of the maximum, and
    one of more than PARENT_CALLEES may call its parent back. Both can only enlarge the value, so what is
    claimed stays true; it is just weaker.

    network: undirected or directed. sources: the nodes informed before round 1, from 0; at least one.
    weights: an integer >= 0 for every node, 0 for nodes that need not be informed. rounds: the number of
    rounds, at least 0.
    Raises InputError for no sources, a source outside the nodes, a missing or negative weight, or negative
    rounds.
    """
    informed = frozenset(sources)
    if not informed or not all(0 <= s < network.node_count for s in informed):
        raise InputError(
            f"a covering bound needs at least one source among the nodes 0..{network.node_count - 1}"
        )
    if len(weights) != network.node_count or min(weights) < 0 or rounds < 0:
        raise InputError(f"a covering bound needs {network.node_count} weights >= 0 and rounds >= 0")
    callees = [[u for u in out if u not in informed] for out in network.successors]
    values = [{p: list[int]() for p in _parents(network, v, callees[v])} for v in range(network.node_count)]
    slots = [{p: list[int]() for p in values[v]} for v in range(network.node_count)]
    called = [[values[u].get(v, values[u][ANYONE]) for u in callees[v]] for v in range(network.node_count)]
    # A node at distance d from the sources is not informed before round d, so it never has more than rounds -
    # d rounds left.
    distances = network.distances_from(informed)
    for left in range(rounds + 1):
        for v in [v for v, d in enumerate(distances) if d is not None and d + left <= rounds]:
            for p, most in _most_by_parent(callees[v], called[v], slots[v], left).items():
                values[v][p].append(weights[v] + most)
    return sum(values[s][ANYONE][rounds] for s in informed)


def _parents(network: Network, v: int, callees: Sequence[int]) -> list[int]:
    """The parents p for which V(v, p, t) differs: those that v could call back, and ANYONE for all others, or
    none.
    """
    return [
        ANYONE,
        *set(network.predecessors[v]).intersection(callees if len(callees) <= PARENT_CALLEES else ()),
    ]


def _most_by_parent(
    callees: Sequence[int], called: Sequence[Sequence[int]], slots: dict[int, list[int]], left: int
) -> dict[int, int]:
    """For every parent p of a node with these callees the maximum, or its estimate, in V(v, p, left).

    called: for every callee u the list of V(u, v, t) for t = 0, 1, ... slots: for every parent those of left
    - 1; brought up to left.
    """
    if len(callees) <= EXACT_CALLEES:
        gains = [[value[left - i] for value in called] for i in range(1, min(left, len(callees)) + 1)]
        best = _best_calls(gains, len(callees))
        return {p: best[sum(1 << j for j, u in enumerate(callees) if u != p)] for p in slots}
    if left:
        for p, before in slots.items():
            slots[p] = _slots(
                [value[left - 1] for u, value in zip(callees, called, strict=True) if u != p], before
            )
    return {p: sum(estimates) for p, estimates in slots.items()}


def _best_calls(gains: Sequence[Sequence[int]], callee_count: int) -> list[int]:
    """For every set of callees, as a bit mask, the best sum of gains when it is called; gains[i][j]: of
    callee j called in round i + 1.

    Gains never grow with the round, so k callees are called in the first k rounds, if there are as many: the
    last of them in round k.
    """
    best = [0] * (1 << callee_count)
    for mask, members in enumerate(_members_by_mask(callee_count)):
        if 0 < len(members) <= len(gains):
            last = gains[len(members) - 1]
            best[mask] = max([best[mask ^ (1 << j)] + last[j] for j in members])
        elif members:
            best[mask] = max([best[mask ^ (1 << j)] for j in members])
    return best


@cache
def _members_by_mask(count: int) -> list[list[int]]:
    return [[j for j in range(count) if mask >> j & 1] for mask in range(1 << count)]


def _slots(gains: Sequence[int], slots_before: Sequence[int]) -> list[int]:
    """Upper estimates of the gains of rounds 1, 2, ... whose sum is at least the best sum of gains by
    distinct callees.

    gains: of every callee in round 1. slots_before: the slots when one round fewer is left, which is how
    rounds 2, 3, ... look from round 1. With g(l, j) the j-th largest gain in round l, slot i is the least of
    g(l, i - l + 1) for l = 1..i.

    Why: let n(l) be the number of callees with a gain of x or more in round l; it never grows with l. Calls
    of gain x or more number at most l - 1 + n(l) for every l: those before round l, and distinct callees from
    then on. Slot i is x or more if i <= l - 1 + n(l) for all l <= i, so at least as many slots as calls are x
    or more. This for all x = 1, 2, ... bounds the sum.
    """
    ranked = sorted(gains, reverse=True)
    return ranked[:1] + [min(now, before) for now, before in zip(ranked[1:], slots_before, strict=False)]
