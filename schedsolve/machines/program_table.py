"""A schedule as a table in a program's text: the transfers of every step, and what its numbers mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from schedsolve.machines.movement.collectives import runs
from schedsolve.machines.movement.movement import Movement, MovementStep
from schedsolve.runtime.errors import counted
from schedsolve.runtime.files.escapes import in_docstring

LONGEST_LINE = 96
SHORTEST_RANGE = 4
"""So many numbers or more, one after another, are written as a range."""


def ranks_line(movement: Movement) -> str:
    """Return which nodes the ranks are."""
    labels = [movement.network.labels[v] for v in movement.network.compute_nodes]
    if labels == list(range(len(labels))):
        return "Rank i is node i of the network."
    named = ", ".join(f"{i}: {label}" for i, label in enumerate(labels))
    return in_lines(f"Ranks and nodes of the network: {named}.")


def in_lines(text: str) -> str:
    """Return the text in lines for a docstring."""
    return "\n".join(in_docstring(line) for line in wrap(text, LONGEST_LINE))


def numbering(movement: Movement) -> str:
    """Return what the number of a chunk means."""
    unit = {
        "alltoall": "unit i * RANKS + k goes from rank i to rank k",
        "broadcast": "there is one unit, 0",
        "reduce": "there is one unit, 0",
        "allreduce": "there is one unit, 0",
        "scatter": "unit i goes to rank i",
        "reduce-scatter": "unit i is rank i's result",
    }.get(movement.collective, "unit i is rank i's")
    return f"Chunk j of a unit has the number unit * CHUNKS + j; {unit}."


def table(movement: Movement) -> Iterator[str]:
    """Yield the steps as the lines of a list."""
    for number, step in enumerate(movement.steps, 1):
        yield f"    [  # step {number}, {counted(step.rounds, 'round')}"
        yield from in_lists(_entries(movement, step))
        yield "    ],"


def _entries(movement: Movement, step: MovementStep) -> Iterator[str]:
    """Yield the transfers of a step, those between the same ranks together."""
    entries: dict[tuple[int, int, bool], list[str]] = {}
    for transfer in step.transfers:
        ends = movement.rank[transfer.sender], movement.rank[transfer.receiver], transfer.adds
        numbers = list(list_entries(sorted(transfer.chunks)))
        one = len(transfer.chunks) == 1
        message = numbers[0] if one else f"({', '.join(numbers)}{',' if len(numbers) == 1 else ''})"
        entries.setdefault(ends, []).append(message)
    for (sender, receiver, adds), messages in entries.items():
        what = ("ADD, " if adds else "COPY, ") if movement.layout.adds else ""
        yield f"({sender}, {receiver}, {what}[{', '.join(messages)}]),"


def list_entries(chunks: list[int]) -> Iterator[str]:
    """Yield numbers, ascending, as the entries of a list in Python."""
    for first, count in runs(chunks):
        if count >= SHORTEST_RANGE:
            yield f"*range({first}, {first + count})"
        else:
            yield from map(str, range(first, first + count))


def in_lists(entries: Iterable[str]) -> Iterator[str]:
    """Yield the entries of a list in Python as lines, as many in each as it holds."""
    line = ""
    for entry in entries:
        if line and len(line) + len(entry) >= LONGEST_LINE:
            yield line
            line = ""
        line = f"{line} {entry}" if line else f"        {entry}"
        if len(line) > LONGEST_LINE:
            yield from wrap(line, LONGEST_LINE, initial_indent=" " * 8, subsequent_indent=" " * 12)
            line = ""
    if line:
        yield line
