"""The paths of trees: links of the network, one after another, through switches."""

from __future__ import annotations

from itertools import pairwise

from schedsolve.modelkit.problem import Problem

from .schedule import Path


def broken_path(problem: Problem, path: Path) -> str | None:
    """Return what is wrong with a path of a tree; None when nothing is.

    Where switches copy and add up, a path may start and end at them.
    """
    network = problem.network
    if len(path) < 2:
        return "a path has at least two nodes"
    if any(link not in network.bandwidth_of for link in pairwise(path)):
        return f"the path {_name(problem, path)} uses a link that is not in the network"
    for v in path[1:-1]:
        if v not in network.switches:
            return (
                f"the path {_name(problem, path)} goes through node {network.labels[v]}, which is no switch"
            )
    ends = {
        path[0]: "starts at a switch, which only forwards",
        path[-1]: "ends at a switch, which cannot keep anything",
    }
    for v, words in ends.items():
        if v in network.switches and not problem.parameters.get("switches_copy"):
            return f"the path {_name(problem, path)} {words}"
    return None


def _name(problem: Problem, path: Path) -> str:
    return "-".join(str(problem.network.labels[v]) for v in path)
