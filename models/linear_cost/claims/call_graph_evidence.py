"""What a tree of call graphs with proofs at its leaves shows: the least bound of a leaf.

The tree is enumerated again (`call_graph_tree`); the evidence says at every prefix whether it goes on, as the
list of what follows, or which proof bounds it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Value
from schedsolve.runtime.errors import ClaimError, shown
from schedsolve.runtime.files.number_reader import exact_number

from .call_graph_tree import (
    MOST_NODES,
    Cut,
    Prefix,
    Setting,
    TooManyCallGraphsError,
    cuts_bound,
    prices_bound,
)


def call_graphs(problem: Problem, evidence: Mapping[str, Any]) -> Value:
    """Return the bound that the evidence proves.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "cuts", lists of the rounds after which the nodes cross over; "proofs", lists of pairs, the number of
        a cut and a multiplier; "tree": for a prefix that goes on the list of its continuations, else the
        number of a proof, or {"prices": [[round, sender, receiver, price], ...]}.
    """
    if problem.network.node_count > MOST_NODES:
        raise ClaimError(f"call graphs are enumerated for up to {MOST_NODES} nodes")
    setting = Setting.of(problem)
    try:
        cuts = [_cut(setting, cut) for cut in _list(evidence, "cuts")]
        proofs = [[(_item(cuts, c), _weight(w)) for c, w in _pairs(p)] for p in _list(evidence, "proofs")]
        return _least(setting, setting.root, evidence.get("tree"), proofs)
    except TooManyCallGraphsError as error:
        raise ClaimError(str(error)) from None


def _least(
    setting: Setting, prefix: Prefix, tree: Any, proofs: Sequence[Sequence[tuple[Cut, Fraction]]]
) -> Fraction:
    """Return the least bound of a leaf below a prefix."""
    if isinstance(tree, Mapping):
        if len(prefix.call_graphs) < setting.rounds:
            raise ClaimError("prices stand where not all rounds have their call graphs")
        entries = tree.get("prices")
        if not isinstance(entries, list) or not all(isinstance(e, list) and len(e) == 4 for e in entries):
            raise ClaimError('"prices" should be a list of [round, sender, receiver, price]')
        return prices_bound(setting, prefix, {(t, u, v): _weight(w) for t, u, v, w in entries})
    if not isinstance(tree, list):
        return cuts_bound(setting, prefix, _item(proofs, tree))
    following = list(setting.continuations(prefix)) if len(prefix.call_graphs) < setting.rounds else []
    if not following or len(following) != len(tree):
        raise ClaimError(
            f"after {len(prefix.call_graphs)} rounds there are {len(following)} continuations,"
            f" not {len(tree)}"
        )
    return min(_least(setting, p, t, proofs) for p, t in zip(following, tree, strict=True))


def _cut(setting: Setting, cut: Any) -> Cut:
    if not isinstance(cut, list) or not all(type(t) is int for t in cut) or not setting.is_cut(cut):
        raise ClaimError(f"{cut!r:.60} is no cut between the source and a node in the end")
    return tuple(cut)


def _list(evidence: Mapping[str, Any], name: str) -> list[Any]:
    entries = evidence.get(name)
    if not isinstance(entries, list):
        raise ClaimError(f'"{name}" should be a list')
    return entries


def _pairs(proof: Any) -> list[Any]:
    if not isinstance(proof, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in proof):
        raise ClaimError("a proof is a list of pairs, the number of a cut and a multiplier")
    return proof


def _item(entries: Sequence[Any], number: Any) -> Any:
    if type(number) is not int or not 0 <= number < len(entries):
        raise ClaimError(f"there is no number {number!r:.60} among {len(entries)}")
    return entries[number]


def _weight(text: Any) -> Fraction:
    weight = exact_number(text)
    if weight is None or weight < 0:
        raise ClaimError(f"{shown(text)} is no multiplier of 0 or more")
    return weight
