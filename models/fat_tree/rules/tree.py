"""The ideal fat-tree as data: its shape, its channels and their capacities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import floor, isqrt, log2

from schedsolve.modelkit.problem import Problem
from schedsolve.network.graph import Network


def _two_thirds(n: int) -> int:
    root: int = floor(n ** (2 / 3))
    while root**3 > n * n:
        root -= 1
    while (root + 1) ** 3 <= n * n:
        root += 1
    return root


def _two_to_root_log(n: int) -> int:
    root: float = 2 ** (n.bit_length() - 1) ** 0.5
    return floor(root)


def _loglog_root(n: int) -> int:
    return max(floor(2 ** (m / max(1.0, log2(m)))) for m in range(1, n.bit_length())) if n > 1 else 1


SHAPES: Mapping[str, Callable[[int], int]] = {
    "const": lambda n: 1,
    "log": lambda n: n.bit_length(),
    "sqrt": isqrt,
    "two-thirds": _two_thirds,
    "linear": lambda n: n,
    "two-to-root-log": _two_to_root_log,
    "loglog-root": _loglog_root,
}
"""The capacities w(n) by name.

They are 1, log2 n + 1, floor(n^(1/2)), floor(n^(2/3)), n, floor(2^((log2 n)^(1/2))), and the greatest
floor(k^(1 / log2 log2 k)) of the powers of two k <= n.
"""


@dataclass(frozen=True)
class FatTree:
    """An ideal fat-tree.

    `height` is m, the height of the root. `capacities` are w(2^j) for j = 0..m; w(N) belongs to no channel
    and is used by algorithms only.
    """

    height: int
    capacities: tuple[int, ...]

    @property
    def processors(self) -> int:
        """N, the number of leaves."""
        return 1 << self.height

    def subtrees(self, height: int) -> int:
        """Return the number of subtrees of a height."""
        return 1 << (self.height - height)


def meeting_height(u: int, v: int) -> int:
    """Return the height of the lowest common ancestor of two processors."""
    return (u ^ v).bit_length()


def processor_count(network: Network) -> int | None:
    """Return N if the network is the fat-tree of the family `fat-tree:N`, else None.

    That network has 2N - 1 nodes, the processors first and the root last.
    """
    n = (network.node_count + 1) // 2
    usual = network.node_count == 2 * n - 1 and n >= 2 and not n & (n - 1) and not network.directed
    return n if usual and network.edges == tuple((v, n + v // 2) for v in range(2 * n - 2)) else None


def tree_of(problem: Problem) -> FatTree:
    """Return the fat-tree of a problem that the model has checked."""
    height = ((problem.network.node_count + 1) // 2).bit_length() - 1
    table = problem.parameters.get("capacity_table")
    if table is not None:
        return FatTree(height, tuple(table))
    shape = SHAPES[problem.parameters["capacity"]]
    return FatTree(height, tuple(shape(1 << j) for j in range(height + 1)))


def in_rounds(problem: Problem) -> bool:
    """Return whether the problem is in the round model."""
    return bool(problem.parameters["timing"] == "rounds")
