"""A schedule carried out by torch.distributed, a batch of sends and receives after the other.

This text is a part of every program that `schedsolve export --for torch` writes, and is what
`schedsolve.machines.torch` runs: it needs torch and nothing else.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
import torch.distributed as dist


class Collective:
    """A collective that follows a schedule.

    Attributes
    ----------
    name
        allgather, alltoall, broadcast, gather, scatter, reduce, reduce-scatter or allreduce.
    ranks, root
        How many ranks take part, and which of them a rooted collective starts or ends at.
    chunks
        Into how many chunks a unit is cut.
    routes
        A line each: the hops of chunks. In 0>1,2 rank 0 sends to 1 and to 2; in 3+0 rank 0 adds what 3 sends.
    batches
        A line for every chunk that moves: its number, the line of its route from 0 on, and the batches of its
        hops, one after the other, all of as many digits. What a rank sends in a batch is what it has by the
        batches before; what is not added replaces what was there.
    """

    def __init__(self, name: str, ranks: int, root: int, chunks: int, routes: str, batches: str) -> None:
        self.name, self.ranks, self.root, self.chunks = name, ranks, root, chunks
        self.routes, self.batches = routes, batches
        self._mine: dict[int, Any] = {}
        self._met: set[Any] = set()

    @staticmethod
    def allocate(size: Any, *, dtype: Any, device: Any) -> Any:
        """Return an empty buffer, as the sharding of models asks for it."""
        return torch.empty(size, dtype=dtype, device=device)

    def units(self, rank: int) -> tuple[list[int], list[int]]:
        """Return the units in a rank's input and in its output, in order."""
        everyone = list(range(self.ranks))
        at_root = rank == self.root
        return {
            "allgather": ([rank], everyone),
            "alltoall": (
                [rank * self.ranks + k for k in everyone],
                [i * self.ranks + rank for i in everyone],
            ),
            "broadcast": ([0] if at_root else [], [0]),
            "gather": ([rank], everyone if at_root else []),
            "scatter": (everyone if at_root else [], [rank]),
            "reduce": ([0], [0] if at_root else []),
            "reduce-scatter": (everyone, [rank]),
            "allreduce": ([0], [0]),
        }[self.name]

    def __call__(
        self, output_tensor: Any, input_tensor: Any, group: Any = None, op: Any = None, async_op: bool = False
    ) -> None:
        """Carry out the collective; the arguments are those of torch's own.

        It is over on return, for `async_op` too (on a GPU: in the current stream). A rank that has no input
        or no output gives an empty tensor, or None. `op` is the sum, or the mean.
        """
        rank, ranks = dist.get_rank(group), dist.get_world_size(group)
        if ranks != self.ranks:
            raise ValueError(f"this is a schedule for {self.ranks} ranks, and the group has {ranks}")
        sent, got = self.units(rank)
        whole, units = (input_tensor, sent) if sent else (output_tensor, got)
        count = whole.numel() // len(units)
        for name, tensor, of in (("input", input_tensor, sent), ("output", output_tensor, got)):
            if of and tensor.numel() != len(of) * count:
                raise ValueError(f"the {name} has {tensor.numel()} elements, not {len(of)} times {count}")
        held = dict(self._pieces(input_tensor, sent, count))
        self._exchange(held, count, whole, rank, group)
        mean = op is not None and op == dist.ReduceOp.AVG
        if op is not None and not mean and op != dist.ReduceOp.SUM:
            raise ValueError("a schedule adds up: op is SUM or AVG")
        for chunk, place in self._pieces(output_tensor, got, count):
            place.copy_(held[chunk] / self.ranks if mean else held[chunk])

    def _bounds(self, count: int) -> list[int]:
        """Return where the chunks of a unit of so many elements begin, and where the last one ends."""
        return [count * j // self.chunks for j in range(self.chunks + 1)]

    def _pieces(self, tensor: Any, units: list[int], count: int) -> Any:
        """Yield the chunks of a tensor that holds these units one after another: views, by their numbers."""
        if not units:
            return
        flat, at = tensor.view(-1), self._bounds(count)
        for place, unit in enumerate(units):
            for j in range(self.chunks):
                yield unit * self.chunks + j, flat[place * count + at[j] : place * count + at[j + 1]]

    def _exchange(self, held: dict[int, Any], count: int, like: Any, rank: int, group: Any) -> None:
        """Carry out the batches; held: this rank's chunks by number, which grow."""
        at = self._bounds(count)
        size = [end - begin for begin, end in pairwise(at)]
        self._meet(like, group)
        for number, leaving, coming in self._batches_of(rank):
            calls, arrived = [], []
            for receiver, adds, chunks in leaving:
                message = held[chunks[0]] if len(chunks) == 1 else torch.cat([held[c] for c in chunks])
                if message.numel():
                    calls.append(
                        self._call(dist.isend, message.contiguous(), receiver, group, 2 * number + adds)
                    )
            for sender, adds, chunks in coming:
                length = sum(size[c % self.chunks] for c in chunks)
                message = torch.empty(length, dtype=like.dtype, device=like.device)
                arrived.append((adds, chunks, message))
                if length:
                    calls.append(self._call(dist.irecv, message, sender, group, 2 * number + adds))
            for work in dist.batch_isend_irecv(calls) if calls else []:
                work.wait()
            for adds, chunks, message in arrived:
                begin = 0
                for c in chunks:
                    piece = message[begin : begin + size[c % self.chunks]]
                    held[c] = held[c] + piece if adds else piece
                    begin += size[c % self.chunks]

    def _call(self, what: Any, message: Any, peer: int, group: Any, tag: int) -> Any:
        peer = peer if group is None else dist.get_global_rank(group, peer)
        return dist.P2POp(what, message, peer, group, tag)

    def _batches_of(self, rank: int) -> Any:
        """Return the batches in which a rank takes part: their numbers, and what it sends and receives."""
        if rank not in self._mine:
            hops = [list(self._hops(line)) for line in self.routes.strip().splitlines()]
            found: dict[int, dict[Any, list[int]]] = {}
            for line in self.batches.strip().splitlines():
                chunk, route, digits = line.split()
                wide = len(digits) // len(hops[int(route)])
                for place, hop in enumerate(hops[int(route)]):
                    if rank in hop[:2]:
                        number = int(digits[place * wide : (place + 1) * wide])
                        found.setdefault(number, {}).setdefault(hop, []).append(int(chunk))
            self._mine[rank] = [
                (
                    number,
                    [(to, adds, chunks) for (sender, to, adds), chunks in messages if sender == rank],
                    [(sender, adds, chunks) for (sender, to, adds), chunks in messages if to == rank],
                )
                for number, messages in sorted((n, sorted(batch.items())) for n, batch in found.items())
            ]
        return self._mine[rank]

    @staticmethod
    def _hops(route: str) -> Any:
        """Yield the hops of a route: sender, receiver, and whether this adds."""
        for part in route.split():
            adds = "+" in part
            sender, receivers = part.split("+" if adds else ">")
            for receiver in receivers.split(","):
                yield int(sender), int(receiver), adds

    def _meet(self, like: Any, group: Any) -> None:
        """Let all ranks meet before the first batch: NCCL asks for it where only some of them exchange."""
        if group not in self._met:
            dist.all_reduce(torch.zeros(1, device=like.device), group=group)
            self._met.add(group)
