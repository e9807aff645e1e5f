"""A symbolic replay of Chakra traces.

Nodes run when all that they depend on has, and a receive also when its message was sent. Traces have no
buffers: a send carries what its sender had at first and what the receives brought that it depends on, in the
order of their numbers, directly or through other nodes. So the replay is the same in every order that the
dependencies leave open, and nothing can race.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from schedsolve.machines.movement.collectives import Layout
from schedsolve.runtime.errors import InputError, SchedsolveError, counted, cut
from schedsolve.runtime.limits.budget import spend

from .reader import Node, Trace

SEND, RECEIVE, COLLECTIVE = 5, 6, 7
LOCAL = (1, 2, 3, 4)
"""Types of nodes that do something on their own rank: metadata, memory, computing."""
NAMED = re.compile(r"(send|receive|add) ([0-9]{1,9}(?:[-,][0-9]{1,9})*) (?:to|from) [0-9]{1,9}")
"""Names as `schedsolve.machines.chakra.writer` gives them."""
Place = tuple[int, int]
"""A rank, and the number of a node there."""


class BrokenTraceError(SchedsolveError):
    """A trace that breaks a rule of the replay; its text says where."""


@dataclass(frozen=True)
class Move:
    """A node that sends or receives.

    Attributes
    ----------
    peer
        The rank at the other end.
    tag, size
        Of the message; the size in bytes.
    chunks
        What it moves; None where its name does not say.
    adds
        Whether a receive is added to what is there.
    """

    peer: int
    tag: int
    size: int
    chunks: tuple[int, ...] | None
    adds: bool


@dataclass
class TraceRun:
    """What became of the traces.

    Attributes
    ----------
    moves
        The nodes that send or receive.
    sender
        Of every receive, the send that it gets.
    shared
        A message that could be taken for another; None where none can.
    chain
        The messages of the longest chain.
    held
        Of every rank, who has contributed to each of its chunks, a bit each, at the end.
    """

    moves: Mapping[Place, Move]
    sender: dict[Place, Place] = field(default_factory=dict)
    shared: str | None = None
    chain: int = 0
    held: list[dict[int, int]] = field(default_factory=list)

    @property
    def named(self) -> bool:
        """Whether all nodes say which chunks they move."""
        return all(move.chunks is not None for move in self.moves.values())


def read_moves(traces: Sequence[Trace]) -> dict[Place, Move]:
    """Return the nodes that send or receive.

    Raises
    ------
    InputError
        For nodes of types that are not replayed, and for those without their peer or size.
    """
    found = {}
    for rank, trace in enumerate(traces):
        for node in trace.nodes.values():
            where = f"rank {rank}, node {node.number}"
            if node.kind == COLLECTIVE:
                raise InputError(f"{where}: collectives inside a trace are not replayed, only their messages")
            if node.kind in (SEND, RECEIVE):
                found[rank, node.number] = _move(node, where)
            elif node.kind not in LOCAL:
                raise InputError(f"{where}: there is no type of nodes {node.kind}")
    return found


def _move(node: Node, where: str) -> Move:
    end = "comm_dst" if node.kind == SEND else "comm_src"
    for name in (end, "comm_size"):
        if node.values.get(name, -1) < 0:
            raise InputError(f"{where}: it has no {name}, a whole number from 0 on")
    match = NAMED.fullmatch(node.name)
    chunks = None
    if match and (match[1] == "send") == (node.kind == SEND):
        chunks = tuple(_numbers(match[2]))
    return Move(
        node.values[end],
        node.values.get("comm_tag", 0),
        node.values["comm_size"],
        chunks,
        match is not None and match[1] == "add",
    )


def _numbers(text: str) -> Iterator[int]:
    """Yield the numbers in a text such as 0-3,7."""
    for part in text.split(","):
        first, *last = map(int, part.split("-"))
        spend("values", max(1, last[-1] - first if last else 1))
        yield from range(first, (last[-1] if last else first) + 1)


def replay(traces: Sequence[Trace], layout: Layout | None) -> TraceRun:
    """Return what becomes of traces.

    Parameters
    ----------
    traces
        Of the ranks in order.
    layout
        Of the collective; None where that is not known, and then chunks are not followed.

    Raises
    ------
    InputError
        As `read_moves` does.
    BrokenTraceError
        For messages that are sent and not received or the other way round, deadlocks, and chunks that are
        sent where they are not, or added twice.
    """
    found = TraceRun(read_moves(traces))
    _match(found, traces)
    order = _order(found, traces)
    if layout is not None and found.named:
        _follow(found, traces, order, layout)
    return found


def _match(found: TraceRun, traces: Sequence[Trace]) -> None:
    """Find the send of every receive: the same ends and tag, the first for the first."""
    sent: dict[tuple[int, int, int], deque[int]] = defaultdict(deque)
    for (rank, number), move in sorted(found.moves.items()):
        if move.peer >= len(traces):
            raise BrokenTraceError(f"{_where(traces, (rank, number))}: there are {len(traces)} traces only")
        if traces[rank].nodes[number].kind == SEND:
            sent[rank, move.peer, move.tag].append(number)
    for (u, v, tag), numbers in sent.items():
        if len(numbers) > 1:
            found.shared = f"{len(numbers)} messages from rank {u} to rank {v} have the tag {tag}"
    for (rank, number), move in sorted(found.moves.items()):
        if traces[rank].nodes[number].kind == SEND:
            continue
        numbers = sent[move.peer, rank, move.tag]
        if not numbers:
            raise BrokenTraceError(f"{_where(traces, (rank, number))}: nobody sends that, tag {move.tag}")
        place = move.peer, numbers.popleft()
        found.sender[rank, number] = place
        other = found.moves[place]
        if other.size != move.size:
            raise BrokenTraceError(
                f"{_where(traces, place)}: it has {other.size} bytes, and rank {rank} waits for {move.size}"
            )
        if None not in (other.chunks, move.chunks) and other.chunks != move.chunks:
            raise BrokenTraceError(
                f"{_where(traces, (rank, number))}: what is sent with its tag is"
                f" {cut(traces[place[0]].nodes[place[1]].name)}"
            )
    for (u, v, tag), numbers in sent.items():
        if numbers:
            raise BrokenTraceError(f"{_where(traces, (u, numbers[0]))}: rank {v} does not receive tag {tag}")


def _where(traces: Sequence[Trace], place: Place) -> str:
    rank, number = place
    return f"rank {rank}, node {number} ({cut(traces[rank].nodes[number].name)})"


def _order(found: TraceRun, traces: Sequence[Trace]) -> list[Place]:
    """Return all nodes in an order in which they can run, and note the longest chain of messages."""
    before = {
        (rank, node.number): [(rank, other) for other in node.after]
        for rank, trace in enumerate(traces)
        for node in trace.nodes.values()
    }
    for place, sender in found.sender.items():
        before[place].append(sender)
    try:
        order = list(TopologicalSorter(before).static_order())
    except CycleError as error:
        raise BrokenTraceError(f"deadlock: {_circle(traces, error.args[1])}") from None
    messages: dict[Place, int] = {}
    for place in order:
        earlier = max((messages[other] for other in before[place]), default=0)
        messages[place] = earlier + (place in found.sender)
    found.chain = max(messages.values(), default=0)
    return order


def _circle(traces: Sequence[Trace], places: Sequence[Place]) -> str:
    """Return who waits for whom in a circle of nodes, each of which runs before the next one."""
    circle = places[:0:-1]
    named = " waits for ".join(_where(traces, one) for one in circle[:4])
    return f"{named} waits for {'...' if len(circle) > 4 else _where(traces, circle[0])}"


def _follow(found: TraceRun, traces: Sequence[Trace], order: Sequence[Place], layout: Layout) -> None:
    """Follow the chunks of all messages."""
    start = [dict.fromkeys(layout.inputs(rank), 1 << rank) for rank in range(layout.ranks)]
    seen: dict[Place, frozenset[int]] = {}
    carried: dict[Place, dict[int, int]] = {}
    brought: dict[tuple[int, int], list[int]] = defaultdict(list)
    for rank, number in order:
        node = traces[rank].nodes[number]
        sets = [seen[rank, other] for other in node.after]
        spend("values", sum(map(len, sets)))
        known = frozenset().union(*sets, [o for o in node.after if (rank, o) in found.sender])
        seen[rank, number] = known
        move = found.moves.get((rank, number))
        if move is None:
            continue
        chunks = move.chunks or ()
        if chunks and max(chunks) >= layout.chunk_count:
            raise BrokenTraceError(
                f"{_where(traces, (rank, number))}: the {layout.collective} has"
                f" {counted(layout.chunk_count, 'chunk')}"
            )
        spend("values", len(chunks))
        if (rank, number) in found.sender:
            carried[rank, number] = carried[found.sender[rank, number]]
            for chunk in chunks:
                brought[rank, chunk].append(number)
            continue
        carried[rank, number] = values = {}
        for chunk in chunks:
            receives = sorted(known.intersection(brought[rank, chunk]))
            value = _value(found, traces, carried, start[rank].get(chunk), rank, chunk, receives)
            if value is None:
                raise BrokenTraceError(
                    f"{_where(traces, (rank, number))}: nothing that it depends on has brought chunk {chunk}"
                )
            values[chunk] = value
    found.held = start
    for (rank, chunk), receives in brought.items():
        value = _value(found, traces, carried, start[rank].get(chunk), rank, chunk, sorted(receives))
        assert value is not None
        found.held[rank][chunk] = value


def _value(
    found: TraceRun,
    traces: Sequence[Trace],
    carried: Mapping[Place, Mapping[int, int]],
    value: int | None,
    rank: int,
    chunk: int,
    receives: Sequence[int],
) -> int | None:
    """Return who has contributed to a chunk at a rank after some receives; None where there is none."""
    spend("values", len(receives))
    for number in receives:
        arriving = carried[rank, number][chunk]
        if not found.moves[rank, number].adds:
            value = arriving
        elif value is None:
            raise BrokenTraceError(f"{_where(traces, (rank, number))}: there is no chunk {chunk} to add to")
        elif value & arriving:
            twice = (value & arriving & -(value & arriving)).bit_length() - 1
            raise BrokenTraceError(
                f"{_where(traces, (rank, number))}: rank {twice} is added to chunk {chunk} twice"
            )
        else:
            value |= arriving
    return value
