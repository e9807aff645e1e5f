"""Schedules of the synchronous model as data: steps of one or more rounds, and the sends of a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Generic, NamedTuple, cast

from schedsolve.modelkit.schedule import Image, Node
from schedsolve.network.graph import Label
from schedsolve.runtime.display.tabular import CallTable
from schedsolve.runtime.errors import counted


class Send(NamedTuple, Generic[Node]):
    """Chunks that one compute node sends to another within a step.

    Attributes
    ----------
    chunks
        Their numbers.
    switches
        Those that the send passes, in order; empty when it crosses one link.
    adds
        In a reduction, whether the receiver adds what it gets to what it has; otherwise it takes its place.
    """

    sender: Node
    receiver: Node
    chunks: tuple[int, ...]
    switches: tuple[Node, ...] = ()
    adds: bool = False

    @property
    def links(self) -> tuple[tuple[Node, Node], ...]:
        """The links that the send crosses, in order."""
        nodes = (self.sender, *self.switches, self.receiver)
        return tuple(pairwise(nodes))


class Step(NamedTuple, Generic[Node]):
    """A step: how many rounds it lasts, and its sends."""

    rounds: int
    sends: tuple[Send[Node], ...]


@dataclass(frozen=True, repr=False)
class StepSchedule(CallTable, Generic[Node]):
    """A schedule in steps, the first first.

    Attributes
    ----------
    chunks
        How many chunks a shipment has; None when the problem says it.
    """

    steps: tuple[Step[Node], ...]
    chunks: int | None = None
    origin: StepSchedule[int] | None = field(default=None, compare=False, repr=False, kw_only=True)

    def __repr__(self) -> str:
        return f"<StepSchedule: {counted(len(self.steps), 'step')}, {counted(self.rounds, 'round')}>"

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each send."""
        return [
            {
                "step": number,
                "sender": send.sender,
                "receiver": send.receiver,
                "chunks": send.chunks,
                "switches": send.switches,
                "adds": send.adds,
            }
            for number, step in enumerate(self.steps, 1)
            for send in step.sends
        ]

    def __iter__(self) -> Iterator[Step[Node]]:
        return iter(self.steps)

    @property
    def indexed(self) -> StepSchedule[int]:
        """The schedule on the nodes 0..n-1, of one on the users' nodes."""
        return cast("StepSchedule[int]", self) if self.origin is None else self.origin

    def labeled(self, nodes: Sequence[Any]) -> StepSchedule[Any]:
        """Return the schedule on the users' nodes; chunks keep their numbers."""
        most = max((c for step in self.steps for send in step.sends for c in send.chunks), default=-1)
        return replace(self.moved(nodes, range(most + 1)), origin=self.indexed)

    @property
    def rounds(self) -> int:
        """The rounds of all steps together."""
        return sum(step.rounds for step in self.steps)

    @property
    def totals(self) -> dict[str, int]:
        """The chunks a shipment, the steps and the rounds."""
        counted = {} if self.chunks is None else {"chunks": self.chunks}
        return {**counted, "steps": len(self.steps), "rounds": self.rounds}

    def without_empty_end(self) -> StepSchedule[Node]:
        """Return the schedule itself: the number of steps is given."""
        return self

    def to_json(self, labels: Sequence[Label]) -> dict[str, Any]:
        """Return the schedule as a JSON object that speaks the network's labels."""
        if self.origin is not None:
            return self.origin.to_json(labels)

        def send_to_json(send: Send[Any]) -> dict[str, Any]:
            data: dict[str, Any] = {
                "from": labels[send.sender],
                "to": labels[send.receiver],
                "chunks": list(send.chunks),
            }
            if send.switches:
                data["path"] = [labels[v] for v in send.switches]
            return {**data, "adds": True} if send.adds else data

        steps = [
            {"rounds": step.rounds, "sends": [send_to_json(send) for send in step.sends]}
            for step in self.steps
        ]
        return {**({} if self.chunks is None else {"chunks": self.chunks}), "steps": steps}

    def lines(self, labels: Sequence[Label]) -> list[str]:
        """Return the schedule for a terminal, a line a step."""
        if self.origin is not None:
            return self.origin.lines(labels)
        lines = []
        steps: Sequence[Step[Any]] = self.steps
        for number, step in enumerate(steps, 1):
            sends = [
                "-".join(str(labels[v]) for v in (send.sender, *send.switches, send.receiver))
                + f": {'+' * send.adds}{','.join(map(str, send.chunks))}"
                for send in step.sends
            ]
            length = counted(step.rounds, "round")
            lines.append(f"  step {number} ({length}): {'; '.join(sends) or 'nothing'}")
        return lines

    def multiplied(self, times: int) -> StepSchedule[Node]:
        """Return the schedule with every chunk cut into so many: chunk c becomes c times, c times + 1, ..."""
        assert self.chunks is not None
        return StepSchedule(
            tuple(
                Step(
                    step.rounds * times,
                    tuple(
                        send._replace(chunks=tuple(c * times + k for c in send.chunks for k in range(times)))
                        for send in step.sends
                    ),
                )
                for step in self.steps
            ),
            self.chunks * times,
        )

    def moved(self, image: Sequence[Image], chunk_image: Sequence[int]) -> StepSchedule[Image]:
        """Return the schedule with node v renumbered to image[v] and chunk c to chunk_image[c]."""
        steps: Sequence[Step[Any]] = self.steps if self.origin is None else self.origin.steps
        return StepSchedule(
            tuple(
                Step(
                    step.rounds,
                    tuple(
                        Send(
                            image[send.sender],
                            image[send.receiver],
                            tuple(chunk_image[c] for c in send.chunks),
                            tuple(image[v] for v in send.switches),
                            send.adds,
                        )
                        for send in step.sends
                    ),
                )
                for step in steps
            ),
            self.chunks,
        )


def steps_of_sends(
    sends: Mapping[int, Mapping[tuple[int, int, tuple[int, ...]], Sequence[int]]], rounds: Sequence[int]
) -> tuple[Step[int], ...]:
    """Return steps of so many rounds each, from what is sent in step 1, 2, ...

    What is sent is the chunks by sender, receiver and the switches between them.
    """
    return tuple(
        Step(
            length,
            tuple(
                Send(u, v, tuple(sorted(chunks)), way)
                for (u, v, way), chunks in sorted(sends.get(number, {}).items())
            ),
        )
        for number, length in enumerate(rounds, 1)
    )
