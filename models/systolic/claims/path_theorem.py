"""The least number of rounds of a one-way systolic gossip on a path, in closed form.

Theorem 1 of docs/theorems.md, with its proof: for a period k >= 4 and n >= 3 nodes it is

    2 ceil(n/2) + 2 floor((n-3)/(k-2)),

the least even M with n <= M - 2 floor((M-1)/k) + [k divides M-1]. Two nodes take 2 rounds for k >= 2.
With k <= 3 and n >= 3 no number of rounds suffices.
"""

from __future__ import annotations

from schedsolve.modelkit.problem import Problem
from schedsolve.models.matching.rules import is_two_way
from schedsolve.network.named.trees import is_path

from ..rules import is_edge_colouring, period_of


def least_path_rounds(node_count: int, period: int) -> int | None:
    """Return the theorem's number of rounds for a path; None if no number suffices.

    ```pycon
    >>> [least_path_rounds(n, 6) for n in (1, 2, 3, 6, 7, 200)]
    [0, 2, 4, 6, 10, 298]

    ```

    Parameters
    ----------
    node_count
        The number of nodes, at least 1.
    period
        The period, at least 1.
    """
    if node_count <= 2:
        return 2 * (node_count - 1) if period >= 2 or node_count == 1 else None
    if period < 4:
        return None
    return 2 * (-(-node_count // 2)) + 2 * ((node_count - 3) // (period - 2))


def path_theorem(problem: Problem) -> int | None:
    """Return the least number of rounds of a one-way gossip on a path of at least two nodes (Theorem 1).

    None for other problems, and if no number of rounds suffices.
    """
    if not is_one_way_path(problem):
        return None
    return least_path_rounds(problem.network.node_count, period_of(problem))


def is_one_way_path(problem: Problem) -> bool:
    """Return whether the problem is a one-way gossip on a path of >= 2 nodes, without edge colouring."""
    return (
        problem.task == "gossip"
        and not is_two_way(problem)
        and not is_edge_colouring(problem)
        and problem.network.node_count >= 2
        and is_path(problem.network)
    )
