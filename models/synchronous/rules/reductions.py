"""The referee of reductions: what a sum holds, contribution by contribution.

Every compute node has one place for each chunk, which holds at first its own contribution to it, or nothing
where "ranks" are named and it is none of them; from there nothing can be sent. A send brings the value that
its sender had before the step; the receiver adds it to the value in its place, or puts it there instead. A
value is a sum of contributions, each of them once: the operation is associative and commutative, and nothing
can be taken away from a sum again. After the last step every node that wants a chunk's result has the sum of
the contributions of all ranks. With "ordered" the operation is not commutative: a value is a sum over
consecutive compute nodes in their order, and what is added continues it on one side; a receiver adds in the
order in which a step lists its sends.

Chunks: of a reduce, C of the buffer, 0 to C - 1, for the root; of an allreduce likewise, for all; of a
reduce-scatter, C for every rank, i C + j for the i-th in order.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.network.graph import Network

from .links import broken_path, overloaded
from .steps import Send, Step

REDUCTIONS = ("reduce", "reduce-scatter", "allreduce")


@dataclass(frozen=True)
class Reduction:
    """A reduction on a network.

    Attributes
    ----------
    wanted
        For every unit of C chunks the compute nodes that want its result.
    ordered
        Whether the operation keeps the order of the compute nodes.
    ranks
        Those that contribute, ascending.
    """

    network: Network
    wanted: tuple[tuple[int, ...], ...]
    ordered: bool
    ranks: tuple[int, ...]

    def chunk_count(self, chunks: int) -> int:
        """How many chunks there are in all, with so many a unit."""
        return chunks * len(self.wanted)


def reduction_of(problem: Problem) -> Reduction:
    """Return the results that a problem asks for, its root given."""
    nodes = ranks_of(problem)
    wanted: tuple[tuple[int, ...], ...]
    if problem.task == "reduce":
        wanted = (problem.sources,)
    elif problem.task == "reduce-scatter":
        wanted = tuple((v,) for v in nodes)
    else:
        wanted = (nodes,)
    return Reduction(problem.network, wanted, bool(problem.parameters.get("ordered")), nodes)


def contribution_masks(reduction: Reduction) -> dict[int, int]:
    """For every compute node its own contribution, as the bit of its rank: its place in their order.

    0 for a relay.
    """
    own = {v: 1 << rank for rank, v in enumerate(reduction.ranks)}
    return dict.fromkeys(reduction.network.compute_nodes, 0) | own


class Values:
    """What every compute node has in its place of every chunk: the contributions in it, as a mask."""

    def __init__(self, reduction: Reduction, chunks: int) -> None:
        self.reduction, self.chunks = reduction, chunks
        self.own = contribution_masks(reduction)
        self.changed: dict[tuple[int, int], int] = {}

    def of(self, node: int, chunk: int) -> int:
        """Return the value of a chunk at a compute node."""
        return self.changed.get((node, chunk), self.own[node])

    def advance(self, step: Step) -> str | None:
        """Carry out a step; the first rule that it breaks, None when it is legal."""
        if step.rounds < 1:
            return f"it lasts {step.rounds} rounds, and a step lasts 1 or more"
        after: dict[tuple[int, int], int] = {}
        arrived: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
        for send in step.sends:
            broken = broken_path(self.reduction.network, send)
            if broken:
                return broken
            for chunk in send.chunks:
                place = send.receiver, chunk
                broken = self._broken_arrival(send, chunk, arrived[place], after)
                if broken:
                    return broken
                present = after.get(place, self.of(*place)) if send.adds else 0
                after[place] = present | self.of(send.sender, chunk)
                arrived[place].add(send.sender)
        self.changed.update(after)
        return overloaded(self.reduction.network, step)

    def _broken_arrival(
        self, send: Send, chunk: int, arrived: set[int], after: dict[tuple[int, int], int]
    ) -> str | None:
        """Why a chunk cannot arrive, after what arrived of it from others in the same step; None when it can.

        Parameters
        ----------
        send
            The send.
        chunk
            The number of the chunk, from 0.
        arrived
            What has arrived so far.
        after
            The values that the step changed so far.
        """
        if chunk >= self.reduction.chunk_count(self.chunks):
            return f"there is no chunk {chunk} to send {self._ends(send)}"
        if not self.of(send.sender, chunk):
            return f"node {self.reduction.network.labels[send.sender]} has nothing of chunk {chunk} to send"
        if send.sender in arrived:
            return f"chunk {chunk} is sent {self._ends(send)} twice"
        if not send.adds:
            lost = f"chunk {chunk}, sent {self._ends(send)}, takes the place of what just arrived there"
            return lost if arrived else None
        place = send.receiver, chunk
        return self._broken_sum(send, chunk, after.get(place, self.of(*place)), self.of(send.sender, chunk))

    def missing(self) -> str | None:
        """Return the first result that lacks a contribution; None when the task is complete."""
        everything = sum(self.own.values())
        labels = self.reduction.network.labels
        for number, nodes in enumerate(self.reduction.wanted):
            for v in nodes:
                for chunk in range(number * self.chunks, (number + 1) * self.chunks):
                    lacking = everything & ~self.of(v, chunk)
                    if lacking:
                        return (
                            f"after the last step: node {labels[v]} has chunk {chunk} without the"
                            f" contribution of node {self._names(lacking)[0]}"
                        )
        return None

    def _broken_sum(self, send: Send, chunk: int, present: int, brought: int) -> str | None:
        """Why a value cannot be added to another; None when it can."""
        twice = present & brought
        if twice:
            return (
                f"chunk {chunk} sent {self._ends(send)} would count the contribution of node"
                f" {self._names(twice)[0]} twice"
            )
        if self.reduction.ordered and not is_run(present | brought):
            one, other = (", ".join(self._names(mask)) for mask in (brought, present))
            return (
                f"chunk {chunk} sent {self._ends(send)} would put the contributions of {one} beside those of"
                f" {other}, against the order of the nodes"
            )
        return None

    def _ends(self, send: Send) -> str:
        labels = self.reduction.network.labels
        return f"from {labels[send.sender]} to {labels[send.receiver]}"

    def _names(self, mask: int) -> list[str]:
        network = self.reduction.network
        return [str(network.labels[v]) for v, own in self.own.items() if own & mask]


def is_run(mask: int) -> bool:
    """Whether the ranks of a value follow one another without a gap."""
    return mask & (mask + (mask & -mask)) == 0
