"""Schedules as Chakra execution traces, one for each rank: what ASTRA-sim takes as a custom collective.

A trace is a sequence of protobuf messages, each behind its length: metadata, then the nodes of a graph. Every
message of the schedule is a node that sends, at one rank, and a node that receives, at the other. A send
depends on the receives that brought its chunks, and on those that earlier sends over its first link depend
on: a simulator starts a send as soon as it may, and it would overtake them. Additions take no time, and are
no nodes. The metadata say what is carried out, and names of nodes which chunks they move, so that
`schedsolve.machines.chakra.check` can replay them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from schedsolve.machines.movement.collectives import runs
from schedsolve.machines.movement.movement import Movement, Transfer
from schedsolve.runtime.errors import InputError

SEND, RECEIVE = 5, 6
"""Types of nodes, by the schema's numbers."""
SCHEMA = "1.0.2-chakra.0.0.4"
LENGTH_DELIMITED = 2


def chakra_traces(movement: Movement, title: str, file: str, unit: int) -> Mapping[str, bytes]:
    """Return the traces by the names of their files: the given one without .et, the rank, and .et.

    Parameters
    ----------
    movement
        What they carry out.
    title
        What it is, a line.
    file
        Under which name.
    unit
        The bytes of a unit.

    Raises
    ------
    InputError
        For units of fewer bytes than chunks.
    """
    if unit < movement.chunks:
        raise InputError(f"a unit of {unit} bytes cannot be cut into {movement.chunks} chunks")
    at = [unit * j // movement.chunks for j in range(movement.chunks + 1)]
    layout = movement.layout
    said = {
        "collective": movement.collective,
        "chunks": layout.chunks,
        "root": layout.root,
        "unit_bytes": unit,
    }
    head = _metadata({"schema": SCHEMA, "schedule": title, **{name: str(one) for name, one in said.items()}})
    traces = [_Trace(head) for _ in range(layout.ranks)]
    tag = 0
    for step in movement.steps:
        for transfer in step.transfers:
            u, v = (movement.rank[end] for end in (transfer.sender, transfer.receiver))
            size = sum(at[c % movement.chunks + 1] - at[c % movement.chunks] for c in transfer.chunks)
            traces[u].send(transfer, v, size, tag)
            traces[v].receive(transfer, u, size, tag)
            tag += 1
        for trace in traces:
            trace.end_step()
    stem = file.removesuffix(".et")
    if not Path(stem).name:
        raise InputError(f"{file!r:.60} is no name of a trace")
    return {f"{stem}.{rank}.et": bytes(trace.content) for rank, trace in enumerate(traces)}


class _Trace:
    """A rank's trace as it grows."""

    def __init__(self, head: bytes) -> None:
        self.content = bytearray(_varint(len(head)) + head)
        self.nodes = 0
        self.brought: dict[int, list[int]] = {}
        self.coming: list[tuple[int, int]] = []
        self.path_of: dict[int, tuple[int, ...]] = {}
        self.awaited: dict[int, dict[tuple[int, ...], int]] = {}

    def send(self, transfer: Transfer, peer: int, size: int, tag: int) -> None:
        """Add a node that sends once the messages that bring its chunks in earlier steps have arrived.

        It also waits for everything that earlier sends over the same first link wait for, so that it cannot
        overtake them. Of the receives over one path it waits for the last, as messages keep their order.
        """
        own = {node for chunk in transfer.chunks for node in self.brought.get(chunk, ())}
        awaited = self.awaited.setdefault((*transfer.between, transfer.receiver)[0], {})
        for node in own:
            path = self.path_of[node]
            awaited[path] = max(node, awaited.get(path, node))
        after = sorted(own.union(awaited.values()))
        name = f"send {_numbers(transfer.chunks)} to {peer}"
        self._add(name, SEND, after, {"comm_dst": peer, "comm_tag": tag}, size)

    def receive(self, transfer: Transfer, peer: int, size: int, tag: int) -> None:
        """Add a node that receives."""
        name = f"{'add' if transfer.adds else 'receive'} {_numbers(transfer.chunks)} from {peer}"
        self.coming += ((chunk, self.nodes) for chunk in transfer.chunks)
        self.path_of[self.nodes] = transfer.sender, *transfer.between
        self._add(name, RECEIVE, [], {"comm_src": peer, "comm_tag": tag}, size)

    def end_step(self) -> None:
        """From now on what came may be sent."""
        for chunk, node in self.coming:
            self.brought.setdefault(chunk, []).append(node)
        self.coming.clear()

    def _add(self, name: str, kind: int, after: list[int], numbers: Mapping[str, int], size: int) -> None:
        node = bytearray()
        if self.nodes:
            node += _number(1, self.nodes)
        node += _text(2, name) + _number(3, kind)
        if after:
            node += _bytes(5, b"".join(map(_varint, after)))
        for attribute in (
            _text(1, "comm_type") + _number(9, kind),
            _text(1, "comm_size") + _number(9, size),
            *(_text(1, label) + _number(7, value) for label, value in numbers.items()),
        ):
            node += _bytes(10, attribute)
        self.content += _varint(len(node)) + node
        self.nodes += 1


def _numbers(chunks: tuple[int, ...]) -> str:
    """Return chunks in few words, as 0-3,7."""
    return ",".join(f"{k}-{k + n - 1}" if n > 1 else f"{k}" for k, n in runs(sorted(chunks)))


def _metadata(said: Mapping[str, str]) -> bytes:
    return b"".join(_bytes(2, _text(1, name) + _text(29, value)) for name, value in said.items())


def _varint(value: int) -> bytes:
    """Return a whole number from 0 on as protobuf writes it, seven bits a byte."""
    return bytes(_groups(value))


def _groups(value: int) -> Iterator[int]:
    while value > 127:
        yield value & 127 | 128
        value >>= 7
    yield value


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | LENGTH_DELIMITED) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode("utf-8", "backslashreplace"))
