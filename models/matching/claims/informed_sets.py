"""A lower bound on broadcasting by branching on who is informed after every round.

In one round the informed call, each at most one node, nodes that are not informed, each called once. So the
sets that one round can inform are the independent sets of a transversal matroid: those that can be matched to
different informed neighbours. To have more informed never hurts, and every independent set is part of a base;
so if no base leads to an end in the rounds that are left, nothing does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import refuted_rounds, used_symmetries
from schedsolve.network.automorphisms import is_automorphism
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError

from .covering import covering_value

MOST_BASES = 20_000
"""The most sets that one round may lead to; a state with more is not branched on."""


def informed_sets_claim(problem: Problem, evidence: Mapping[str, Any]) -> int:
    """Return the bound that a tree of informed sets proves: one round more than those it refutes.

    evidence: "rounds", M, which are shown not to suffice; "symmetries", automorphisms of the network that map
    targets to targets, as the image of every node; "levels", for t = 0, 1, ... a list of states {"informed":
    nodes, "weights": an integer for every node, or none}; "weights", lists of integers for every node, which
    a state can name by their number from 0.

    - The state of level 0 is the set of the sources; of a gossip one node, as the broadcast of its item is a
      part of the gossip.
    - A state of level t with weights is a leaf: from its nodes, M - t rounds reach too little of the weight
      (`covering_value`), and only nodes that must be informed have a weight.
    - One without is branched on: whatever base its round informs, the set informed after it is a state of
      level t + 1, or the image of one under one of the symmetries. All bases are enumerated here
      (`informed_after`).

    By induction from the last level on, M - t rounds do not suffice from a state of level t.
    Raises ClaimError when this is not so.
    """
    if problem.choice:
        raise ClaimError("a tree of informed sets is for one message from given sources")
    network, rounds = problem.broadcast_network, refuted_rounds(evidence)
    if rounds >= network.node_count:
        raise ClaimError("a broadcast takes fewer rounds than there are nodes")
    images = used_symmetries(evidence)
    for image in images:
        if not is_automorphism(network, image):
            raise ClaimError("a symmetry that the tree uses is no automorphism of the network")
        if {image[v] for v in problem.targets} != set(problem.targets):
            raise ClaimError("a symmetry that the tree uses moves a target away")
    levels = _levels(network, evidence.get("levels"), evidence.get("weights", []))
    if not levels or not _begins(problem, levels[0]) or len(levels) > rounds + 1:
        raise ClaimError("a tree of informed sets begins with the sources, and has a level for every round")
    for t, level in enumerate(levels):
        after = _with_images(levels[t + 1] if t + 1 < len(levels) else (), images)
        for informed, weights in level.items():
            if weights is not None:
                _refuse_leaf(problem, informed, weights, rounds - t)
                continue
            missed = informed_after(network, informed) - after
            if missed:
                nodes = ", ".join(str(network.labels[v]) for v in sorted(min(missed, key=sorted) - informed))
                raise ClaimError(f"a branch is left out: round {t + 1} may inform {nodes or 'nobody'}")
    return rounds + 1


def _begins(problem: Problem, states: Collection[frozenset[int]]) -> bool:
    """Return whether these are the one set of all sources, for a gossip of any one node."""
    if problem.task == "gossip":
        return [len(informed) for informed in states] == [1]
    return set(states) == {frozenset(problem.sources)}


def informed_after(network: Network, informed: Collection[int]) -> set[frozenset[int]]:
    """All sets of informed nodes after a round that informs a base.

    With one more caller u, rank r either grows, and the bases are the earlier ones with a node that u calls
    besides; or all that u could call is in every base, and they stay as they are.

    Raises
    ------
    ClaimError
        If there are more than MOST_BASES.
    """
    before = frozenset(informed)
    sets = {before}
    for u in sorted(before):
        grown = {after | {v} for after in sets for v in network.successors[u] if v not in after}
        sets = grown or sets
        if len(sets) > MOST_BASES:
            raise ClaimError(f"a round may inform more than {MOST_BASES} sets, too many to be branched on")
    return sets


def _levels(network: Network, levels: Any, shared: Any) -> list[dict[frozenset[int], Sequence[int] | None]]:
    """Return the states of the evidence, each with its weights if it is a leaf."""
    if not isinstance(levels, list) or not all(
        isinstance(level, list) and all(isinstance(state, Mapping) for state in level) for level in levels
    ):
        raise ClaimError("a tree of informed sets has levels, lists of states")
    if not isinstance(shared, list):
        raise ClaimError("the weights that states share are a list")
    found = []
    for level in levels:
        states: dict[frozenset[int], Sequence[int] | None] = {}
        for state in level:
            informed, weights = state.get("informed"), state.get("weights")
            if type(weights) is int and 0 <= weights < len(shared):
                weights = shared[weights]
            if not _whole_numbers(informed) or not (weights is None or _whole_numbers(weights)):
                raise ClaimError("a state has informed nodes, and integers for weights if it is a leaf")
            if not set(informed) <= set(range(network.node_count)):
                raise ClaimError("a state of the tree has an informed node outside the network")
            states[frozenset(informed)] = weights
        found.append(states)
    return found


def _whole_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(type(x) is int for x in value)


def _with_images(states: Collection[frozenset[int]], images: Sequence[Sequence[int]]) -> set[frozenset[int]]:
    return {*states, *(frozenset([image[v] for v in state]) for state in states for image in images)}


def _refuse_leaf(problem: Problem, informed: frozenset[int], weights: Sequence[int], rounds: int) -> None:
    """Raise ClaimError when the weights do not show that so many rounds are too few from here."""
    wanted = {*problem.targets, *informed}
    if any(weight and v not in wanted for v, weight in enumerate(weights)):
        raise ClaimError("a leaf of the tree gives a weight to a node that need not be informed")
    try:
        value = covering_value(problem.broadcast_network, informed, weights, rounds)
    except InputError as error:
        raise ClaimError(str(error)) from None
    if value >= sum(weights):
        raise ClaimError(
            f"a leaf of the tree proves nothing: {rounds} rounds can reach a weight of {value}, which is all"
            f" of {sum(weights)}"
        )
