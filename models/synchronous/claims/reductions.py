"""Lower bounds on allreduces: counting, what each compute node needs, and the tasks that are part of one.

- Counting: take K disjoint groups of nodes that together hold all compute nodes, relays too, and each a
  rank. Every chunk is sent 2 (K - 1) times at least from one group to another. Let a group know what any of
  its nodes knows, and take the sends one after another, those of a step in any order. The first group that
  knows something of all K does so after K - 1 sends at least, as they join it with all others. Then each of
  the other groups must still be sent something: K - 1 sends more. Each crosses a link that leaves a group
  and one that enters one. (For calls in gossip, with groups of one: Harary, Schwenk 1974.)
- Ends: every rank sends and is sent each chunk once at least.
- Parts: the sends of an allreduce contain those of a broadcast from any rank (the ways of its contribution)
  and of a reduce to any rank, of as many chunks in the same steps, among the same ranks.
- Steps that are too few for one chunk, whatever the links carry, are too few for any number of chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from schedsolve.modelkit.form import is_label
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.network.groups import bandwidth_between, groups_by_weight, groups_of
from schedsolve.runtime.errors import ClaimError

from .bandwidth import bandwidth_at, whole_rounds

Claim = Callable[[Problem, Mapping[str, Any]], int | Fraction]


def counting_bound(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """Return the bound by the sends of a chunk between groups.

    They are compared with what the links into the groups, or out of them, take in.

    evidence: "groups", lists of labels; every compute node by itself when it has none. Raises ClaimError when
    they are no groups that sends can be counted for.
    """
    if problem.task != "allreduce":
        raise ClaimError("the sends of a chunk are counted for an allreduce")
    groups, ranks = groups_of(problem.network, evidence), set(ranks_of(problem))
    if any(ranks.isdisjoint(group) for group in groups):
        raise ClaimError("every group has a rank")
    most = min(bandwidth_between(problem.network, groups, inward=side) for side in (True, False))
    return whole_rounds(problem, 2 * (len(groups) - 1) / most)


def counting_evidence(problem: Problem) -> dict[str, Any] | None:
    """Return the groups joined by fast links for which counting proves most.

    None where a group is without ranks whichever links join them.
    """
    network, ranks = problem.network, set(ranks_of(problem))
    whole = len(ranks) == len(network.compute_nodes)
    best: dict[str, Any] | None = {"kind": "counting"} if whole else None
    for groups in groups_by_weight(network, network.bandwidth_of):
        if any(ranks.isdisjoint(group) for group in groups):
            continue
        named = {"kind": "counting", "groups": [[network.labels[v] for v in sorted(g)] for g in groups]}
        if best is None or counting_bound(problem, named) > counting_bound(problem, best):
            best = named
    return best


def ends_bound(problem: Problem) -> Fraction:
    """Return what each rank of an allreduce sends and is sent, against its links."""
    least = min(bandwidth_at(problem.network, end)[v] for end in (0, 1) for v in ranks_of(problem))
    return whole_rounds(problem, 1 / least)


def part_of(problem: Problem, evidence: Mapping[str, Any]) -> tuple[Problem, Mapping[str, Any]]:
    """Return the part of an allreduce that evidence of the kind "part" is about, and its own evidence.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "task", broadcast or reduce; "node", where it starts or ends; "evidence".

    Raises
    ------
    ClaimError
        If it is malformed.
    """
    task, node, inner = evidence.get("task"), evidence.get("node"), evidence.get("evidence")
    ranks = {problem.network.labels[v] for v in ranks_of(problem)}
    if (
        problem.task != "allreduce"
        or task not in ("broadcast", "reduce")
        or not is_label(node)
        or node not in ranks
        or not isinstance(inner, Mapping)
    ):
        raise ClaimError("a part of an allreduce is a broadcast from a rank, or a reduce to one")
    counted = {
        name: problem.parameters[name] for name in ("steps", "chunks", "ranks") if name in problem.parameters
    }
    end = "source" if task == "broadcast" else "root"
    return replace(problem, task=task, parameters={end: node, **counted}), inner


def part_bound(claims: Mapping[str, Claim]) -> Claim:
    """Return the claim that a part of an allreduce makes for the whole.

    Parameters
    ----------
    claims
        Those of the parts.
    """

    def claimed(problem: Problem, evidence: Mapping[str, Any]) -> int | Fraction:
        part, inner = part_of(problem, evidence)
        kind = inner.get("kind")
        if not isinstance(kind, str) or kind not in claims:
            raise ClaimError("the bound of a part of an allreduce has evidence of a kind that is known")
        return claims[kind](part, inner)

    return claimed
