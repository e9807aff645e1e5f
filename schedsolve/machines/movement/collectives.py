"""The collectives as buffers see them.

Which chunks every rank has in its input, and which it must have in its output, in order.

Chunks are numbered as in docs/collectives.md. With C chunks a unit and N ranks: an allgather, a gather, a
scatter and a reduce-scatter number unit i (rank i's) i C + j; an alltoall number unit (i, k), from rank i to
rank k, (i N + k) C + j; a broadcast, a reduce and an allreduce have one unit, chunk j. The order within
buffers is that of MPI and NCCL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from schedsolve.runtime.errors import InputError

ADDING = ("reduce", "reduce-scatter", "allreduce")
ROOTED = ("broadcast", "gather", "scatter", "reduce")
ONE_UNIT = ("broadcast", "reduce", "allreduce")
"""Those of which a rank's buffer is one unit; of others it is a unit for every rank."""
COLLECTIVES = ("allgather", "alltoall", *ROOTED, "reduce-scatter", "allreduce")


@dataclass(frozen=True)
class Layout:
    """A collective's buffers.

    Attributes
    ----------
    collective
        Its name.
    ranks
        How many take part, N.
    chunks
        Of a unit, C.
    root
        The rank where a rooted one starts or ends; 0 for others. Raises InputError for an unknown name.
    """

    collective: str
    ranks: int
    chunks: int
    root: int = 0

    def __post_init__(self) -> None:
        if self.collective not in COLLECTIVES:
            raise InputError(f"{self.collective!r:.60} is no collective; these are {', '.join(COLLECTIVES)}")

    @property
    def adds(self) -> bool:
        """Whether all ranks contribute to every chunk."""
        return self.collective in ADDING

    @property
    def chunk_count(self) -> int:
        """The number of all chunks."""
        units = {"alltoall": self.ranks**2, "broadcast": 1, "reduce": 1, "allreduce": 1}
        return units.get(self.collective, self.ranks) * self.chunks

    @cached_property
    def _sides(self) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        n, c, everything = self.ranks, self.chunks, tuple(range(self.chunk_count))
        each = tuple(tuple(range(i * c, (i + 1) * c)) for i in range(n))
        at_root = tuple(everything if i == self.root else () for i in range(n))
        at_all = (everything,) * n
        if self.collective == "alltoall":
            sent = tuple(tuple(range(i * n * c, (i + 1) * n * c)) for i in range(n))
            got = tuple(tuple((i * n + k) * c + j for i in range(n) for j in range(c)) for k in range(n))
            return sent, got
        return {
            "allgather": (each, at_all),
            "broadcast": (at_root, at_all),
            "gather": (each, at_root),
            "scatter": (at_root, each),
            "reduce": (at_all, at_root),
            "reduce-scatter": (at_all, each),
            "allreduce": (at_all, at_all),
        }[self.collective]

    def inputs(self, rank: int) -> tuple[int, ...]:
        """Return the chunks in a rank's input buffer, in order."""
        return self._sides[0][rank]

    def outputs(self, rank: int) -> tuple[int, ...]:
        """Return the chunks in a rank's output buffer, in order."""
        return self._sides[1][rank]

    @property
    def shared(self) -> str | None:
        """What an in-place call of this collective shares.

        "same" when input and output are one buffer, "input" when the input is the rank's part of the output,
        "output" when the output is the rank's part of the input; None when there is no such call.
        """
        return {
            "broadcast": "same",
            "reduce": "same",
            "allreduce": "same",
            "allgather": "input",
            "reduce-scatter": "output",
        }.get(self.collective)


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending numbers as runs (first, count).

    ```pycon
    >>> runs([0, 1, 2, 5, 7, 8])
    [(0, 3), (5, 1), (7, 2)]

    ```
    """
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == sum(found[-1]):
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((number, 1))
    return found
