"""A schedule as data that move: in every step, which chunks one rank sends to another.

What programs are made of, and what their time is computed from, whatever the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from schedsolve.machines.movement.collectives import Layout
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.task import items_in, with_article
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

Link = tuple[int, int]
COLLECTIVE_OF_TASK = {"gossip": "allgather", "broadcast": "broadcast", "accumulation": "gather"}
"""What rounds of calls amount to. An accumulation brings all items to the root, each of its own."""


class Transfer(NamedTuple):
    """Chunks that one compute node sends to another within a step.

    Attributes
    ----------
    sender, receiver
        Nodes of the network.
    chunks
        Their numbers, ascending.
    adds
        Whether the receiver adds them to its own; else they take their place.
    between
        The nodes that the transfer only passes, in order.
    """

    sender: int
    receiver: int
    chunks: tuple[int, ...]
    adds: bool = False
    between: tuple[int, ...] = ()

    @property
    def links(self) -> tuple[Link, ...]:
        """The links that it crosses, in order."""
        return tuple(pairwise((self.sender, *self.between, self.receiver)))


class MovementStep(NamedTuple):
    """A step: how many rounds it lasts in its model, and its transfers.

    What is sent is what the sender had before the step.
    """

    rounds: int
    transfers: tuple[Transfer, ...]


MOST_TRANSFERS = 50_000
"""Unless another number is asked for."""


class TooManyMessagesError(InputError):
    """A number of chunks makes more messages than can be put in order in a reasonable time.

    reason: why. chunks: a number that makes few enough.
    """

    def __init__(self, reason: str, chunks: int) -> None:
        super().__init__(f"{reason}; --chunks {chunks} works")
        self.reason, self.chunks = reason, chunks


@dataclass(frozen=True)
class Cut:
    """How a schedule is to be cut into transfers, where it leaves that open.

    Attributes
    ----------
    chunks
        Of a unit; None for a number that the model chooses.
    most_transfers
        That it chooses the number for.
    in_lockstep
        Whether all ranks will wait for each other after every step; otherwise a transfer waits for its data
        only.
    in_batches
        Whether the transfers will be put into batches: their order is sought then, and with it a number of
        chunks; here they get the least.
    latency
        Of a transfer, alpha / (size beta): in times of a unit over a link of bandwidth 1; None where it is
        not known.
    """

    chunks: int | None = None
    most_transfers: int = MOST_TRANSFERS
    in_lockstep: bool = False
    in_batches: bool = False
    latency: Fraction | None = None


@dataclass(frozen=True)
class Movement:
    """A collective carried out in steps.

    Attributes
    ----------
    collective
        Its name.
    network
        Where; its compute nodes in order are the ranks.
    chunks
        Of a unit.
    steps
        In order.
    root
        The compute node where a rooted collective starts or ends.
    """

    collective: str
    network: Network
    chunks: int
    steps: tuple[MovementStep, ...]
    root: int | None = None

    @cached_property
    def rank(self) -> Mapping[int, int]:
        """The rank of every compute node."""
        return {v: i for i, v in enumerate(self.network.compute_nodes)}

    @cached_property
    def layout(self) -> Layout:
        """The buffers of the ranks."""
        root = 0 if self.root is None else self.rank[self.root]
        return Layout(self.collective, len(self.rank), self.chunks, root)

    @property
    def rounds(self) -> int:
        """The rounds of all steps."""
        return sum(step.rounds for step in self.steps)

    @property
    def messages(self) -> int:
        """The number of transfers of all steps."""
        return sum(len(step.transfers) for step in self.steps)


def ends_of(network: Network, call: Call) -> tuple[int, ...]:
    """Return the path of a call that crosses one link."""
    return call[:2]


def movement_of_calls(
    problem: Problem,
    schedule: Schedule,
    cut: Cut,
    path_of: Callable[[Network, Call], tuple[int, ...] | None] = ends_of,
) -> Movement:
    """Return the movement of calls that bring all that their senders know.

    Every call sends what the receiver does not know yet, and of two calls that bring the same in one round
    the first.

    Parameters
    ----------
    problem
        The problem.
    schedule
        The legal schedule.
    cut
        An item is one chunk unless it says otherwise.
    path_of
        The nodes that a call goes through.

    Raises
    ------
    InputError
        For a task that is no collective, more sources than one, and a clocked schedule.
    """
    collective = COLLECTIVE_OF_TASK.get(problem.task)
    if collective is None or schedule.messages is not None:
        raise InputError(
            f"{with_article(problem.task)} of {problem.model} is no collective; programs are for"
            f" {', '.join(COLLECTIVE_OF_TASK)}"
        )
    root = None
    if collective != "allgather":
        root, *others = problem.sources
        if others:
            raise InputError(f"a program's {problem.task} has one source, and this one has {1 + len(others)}")
    network, count = problem.network, cut.chunks or 1
    held = list(problem.demand().start)
    steps = []
    for calls in schedule.rounds:
        before, transfers = list(held), []
        for call in calls:
            path = path_of(network, call) or call[:2]
            for way in (path, path[::-1]) if call.two_way else (path,):
                sender, receiver = way[0], way[-1]
                fresh = before[sender] & ~held[receiver]
                held[receiver] |= fresh
                numbers = tuple(i * count + j for i in items_in(fresh) for j in range(count))
                if numbers:
                    transfers.append(Transfer(sender, receiver, numbers, between=way[1:-1]))
        steps.append(MovementStep(count, tuple(transfers)))
    return Movement(collective, network, count, tuple(steps), root)
