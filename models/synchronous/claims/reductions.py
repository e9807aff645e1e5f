"""Lower bounds on allreduces: counting, what each compute node needs, and the tasks that are part of one.

- Counting: 2 (N - 1) sends of every chunk, for N compute nodes. Let r be the first node, or one of them, that
  has the result, after step t. By then every other node has sent its contribution on a way to r: N - 1 sends
  by different nodes, each to r or before step t. Every other node is sent something in the step that
  completes its value, t or later: N - 1 sends to different nodes other than r, none of them one of the first.
  Each enters a compute node over one of its links, and leaves one likewise.
- Ends: every compute node sends and is sent each chunk once at least.
- Parts: the sends of an allreduce contain those of a broadcast from any node (the ways of its contribution)
  and of a reduce to any node, of as many chunks in the same steps.
- Steps that are too few for one chunk, whatever the links carry, are too few for any number of chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.problem import Problem

from .bandwidth import whole_rounds

Claim = Callable[[Problem, Mapping[str, Any]], int | Fraction]


def _ends(problem: Problem, end: int) -> dict[int, Fraction]:
    """For every compute node the bandwidth of its links in (end 1) or out (end 0), together."""
    total = dict.fromkeys(problem.network.compute_nodes, Fraction(0))
    for link, bandwidth in problem.network.bandwidth_of.items():
        if link[end] in total:
            total[link[end]] += bandwidth
    return total


def counting_bound(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """All sends of a chunk, against all that the compute nodes' links take in."""
    if problem.task != "allreduce":
        raise ClaimError("the sends of a chunk are counted for an allreduce")
    most = min(sum(_ends(problem, end).values(), Fraction(0)) for end in (0, 1))
    return whole_rounds(problem, 2 * (len(problem.network.compute_nodes) - 1) / most)


def ends_bound(problem: Problem) -> Fraction:
    """What each compute node of an allreduce sends and is sent, against its links."""
    least = min(bandwidth for end in (0, 1) for bandwidth in _ends(problem, end).values())
    return whole_rounds(problem, 1 / least)


def part_of(problem: Problem, evidence: Mapping[str, Any]) -> tuple[Problem, Mapping[str, Any]]:
    """The part of an allreduce that evidence of the kind "part" is about, and its own evidence.

    evidence: "task", broadcast or reduce; "node", where it starts or ends; "evidence". Raises ClaimError when
    it is malformed.
    """
    task, node, inner = evidence.get("task"), evidence.get("node"), evidence.get("evidence")
    compute = {problem.network.labels[v] for v in problem.network.compute_nodes}
    if (
        problem.task != "allreduce"
        or task not in ("broadcast", "reduce")
        or not isinstance(node, int | str)
        or node not in compute
        or not isinstance(inner, Mapping)
    ):
        raise ClaimError("a part of an allreduce is a broadcast from a compute node, or a reduce to one")
    counted = {name: problem.parameters[name] for name in ("steps", "chunks") if name in problem.parameters}
    end = "source" if task == "broadcast" else "root"
    return replace(problem, task=task, parameters={end: node, **counted}), inner


def part_bound(claims: Mapping[str, Claim]) -> Claim:
    """The claim that a part of an allreduce makes for the whole. claims: those of the parts."""

    def claimed(problem: Problem, evidence: Mapping[str, Any]) -> int | Fraction:
        part, inner = part_of(problem, evidence)
        kind = inner.get("kind")
        if not isinstance(kind, str) or kind not in claims:
            raise ClaimError("the bound of a part of an allreduce has evidence of a kind that is known")
        return claims[kind](part, inner)

    return claimed
