"""Schedules of the synchronous model as data: steps of one or more rounds, and the sends of a step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

from schedsolve.network.graph import Label


class Send(NamedTuple):
    """Chunks that one compute node sends to another within a step.

    chunks: their numbers. switches: those that the send passes, in order; empty when it crosses one link.
    adds: in a reduction, whether the receiver adds what it gets to what it has; otherwise it takes its place.
    """

    sender: int
    receiver: int
    chunks: tuple[int, ...]
    switches: tuple[int, ...] = ()
    adds: bool = False

    @property
    def links(self) -> tuple[tuple[int, int], ...]:
        """The links that the send crosses, in order."""
        nodes = (self.sender, *self.switches, self.receiver)
        return tuple(pairwise(nodes))


class Step(NamedTuple):
    """A step: how many rounds it lasts, and its sends."""

    rounds: int
    sends: tuple[Send, ...]


@dataclass(frozen=True)
class StepSchedule:
    """A schedule in steps, the first first.

    chunks: how many chunks a shipment has; None when the problem says it.
    """

    steps: tuple[Step, ...]
    chunks: int | None = None

    @property
    def rounds(self) -> int:
        """The rounds of all steps together."""
        return sum(step.rounds for step in self.steps)

    @property
    def send_count(self) -> int:
        """How many times a chunk is sent."""
        return sum(len(send.chunks) for step in self.steps for send in step.sends)

    @property
    def totals(self) -> dict[str, int]:
        """The chunks a shipment, the steps and the rounds."""
        counted = {} if self.chunks is None else {"chunks": self.chunks}
        return {**counted, "steps": len(self.steps), "rounds": self.rounds}

    def without_empty_end(self) -> StepSchedule:
        """The schedule itself: the number of steps is given."""
        return self

    def to_json(self, labels: Sequence[Label]) -> dict[str, Any]:
        """The schedule as a JSON object that speaks the network's labels."""

        def send_to_json(send: Send) -> dict[str, Any]:
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
        """The schedule for a terminal, a line a step."""
        lines = []
        for number, step in enumerate(self.steps, 1):
            sends = [
                "-".join(str(labels[v]) for v in (send.sender, *send.switches, send.receiver))
                + f": {'+' * send.adds}{','.join(map(str, send.chunks))}"
                for send in step.sends
            ]
            unit = "round" if step.rounds == 1 else "rounds"
            lines.append(f"  step {number} ({step.rounds} {unit}): {'; '.join(sends) or 'nothing'}")
        return lines

    def multiplied(self, times: int) -> StepSchedule:
        """The schedule with every chunk cut into so many: chunk c becomes c times, c times + 1, ..."""
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

    def moved(self, image: Sequence[int], chunk_image: Sequence[int]) -> StepSchedule:
        """The schedule with node v renumbered to image[v] and chunk c to chunk_image[c]."""
        return replace(
            self,
            steps=tuple(
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
                for step in self.steps
            ),
        )
