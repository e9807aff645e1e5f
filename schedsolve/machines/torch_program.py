"""Schedules as programs for torch.distributed: batches of sends and receives, by gloo or NCCL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from schedsolve.files.escapes import in_docstring, shell_line
from schedsolve.machines.program_table import in_lines, in_lists, list_entries, numbering, ranks_line
from schedsolve.machines.torch_text import HEAD, MAIN
from schedsolve.modelkit.movement import Movement, MovementStep

BatchMessage = tuple[int, int, bool, list[int]]
"""Sender, receiver, whether it is added up, and its chunks."""
EXCHANGE = "torch_exchange.py"
"""The file that every program holds."""


def torch_program(movement: Movement, title: str, file: str) -> str:
    """Return the text of the program.

    Parameters
    ----------
    movement
        What it carries out; its steps are the batches.
    title
        What it is, a line.
    file
        Under which name it is to be run.
    """
    layout = movement.layout
    head = HEAD.format(
        title=in_lines(title),
        command=in_docstring(
            shell_line("torchrun", "--nproc-per-node", str(layout.ranks), file, "--verify", "--time")
        ),
        where=ranks_line(movement),
        numbering=numbering(movement),
    )
    source = Path(__file__).with_name(EXCHANGE).read_text(encoding="utf-8")
    code = source[source.index("class Collective") :]
    table = "\n".join(_table(movement))
    made = f'Collective("{layout.collective}", {layout.ranks}, {layout.root}, CHUNKS, BATCHES)'
    data = f"CHUNKS = {layout.chunks}\nBATCHES = [\n{table}\n]\nCOLLECTIVE = {made}\n"
    return f"{head}\n\n{code}\n\n{data}{MAIN}"


def batch_messages(movement: Movement) -> list[list[BatchMessage]]:
    """Return the messages of every batch, one between the same ranks, as `torch_exchange` takes them."""
    return [_messages(movement, step) for step in movement.steps]


def _messages(movement: Movement, step: MovementStep) -> list[BatchMessage]:
    messages: dict[tuple[int, int, bool], list[int]] = {}
    for transfer in step.transfers:
        ends = movement.rank[transfer.sender], movement.rank[transfer.receiver], transfer.adds
        messages.setdefault(ends, []).extend(transfer.chunks)
    return [(*ends, sorted(chunks)) for ends, chunks in messages.items()]


def _table(movement: Movement) -> Iterator[str]:
    """Yield the batches as the lines of a list."""
    for number, messages in enumerate(batch_messages(movement)):
        yield f"    [  # batch {number}"
        yield from in_lists(
            f"({sender}, {receiver}, {adds}, [{', '.join(list_entries(chunks))}]),"
            for sender, receiver, adds, chunks in messages
        )
        yield "    ],"
