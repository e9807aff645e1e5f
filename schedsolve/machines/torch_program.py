"""Schedules as programs for torch.distributed: batches of sends and receives, by gloo or NCCL."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from pathlib import Path

from schedsolve.machines.movement.movement import Movement
from schedsolve.machines.program_table import in_lines, numbering, ranks_line
from schedsolve.machines.torch_text import HEAD, MAIN
from schedsolve.runtime.files.escapes import in_docstring, shell_line

Hop = tuple[int, int, bool]
"""Sender, receiver, and whether this adds."""
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
    routes, batches = routes_and_batches(movement)
    made = f'Collective("{layout.collective}", {layout.ranks}, {layout.root}, CHUNKS, ROUTES, BATCHES)'
    data = "\n".join(
        [
            f"CHUNKS = {layout.chunks}",
            "# Hops of chunks: in 0>1,2 rank 0 sends to 1 and to 2; in 3+0 rank 0 adds what 3 sends.",
            f'ROUTES = """\n{routes}\n"""',
            "# Of each chunk: its number, the line of its route from 0 on, and the batches of its hops, all",
            "# of as many digits.",
            f'BATCHES = """\n{batches}\n"""',
            f"COLLECTIVE = {made}\n",
        ]
    )
    return f"{head}\n\n{code}\n\n{data}{MAIN}"


def least_digits(movement: Movement) -> int:
    """Return how many digits the numbers of the batches of all hops have at least.

    The hops of a chunk that need each other are in different batches, so there are as many as the longest
    chain of them.
    """
    longest, hops = 0, 0
    after: dict[tuple[int, int], int] = {}
    for step in movement.steps:
        arrived: dict[tuple[int, int], int] = {}
        for transfer in step.transfers:
            hops += len(transfer.chunks)
            for chunk in transfer.chunks:
                place = chunk, transfer.receiver
                number = after.get((chunk, transfer.sender), 0) + 1
                arrived[place] = max(arrived.get(place, after.get(place, 0)), number)
                longest = max(longest, number)
        after |= arrived
    return hops * len(str(max(0, longest - 1)))


def routes_and_batches(movement: Movement) -> tuple[str, str]:
    """Return the movement as `torch_exchange.Collective` takes it.

    Parameters
    ----------
    movement
        Its steps are the batches.

    Returns
    -------
    tuple[str, str]
        The routes, and the batches of every chunk that moves, a line each. Chunks with the same hops share a
        route, so a program has few digits for every hop of a chunk.
    """
    hops: dict[int, list[tuple[Hop, int]]] = defaultdict(list)
    for number, step in enumerate(movement.steps):
        for transfer in step.transfers:
            hop = movement.rank[transfer.sender], movement.rank[transfer.receiver], transfer.adds
            for chunk in transfer.chunks:
                hops[chunk].append((hop, number))
    routes: dict[tuple[Hop, ...], int] = {}
    lines, wide = [], len(str(len(movement.steps) - 1))
    for chunk, moves in sorted(hops.items()):
        moves.sort(key=lambda move: (not move[0][2], move))
        route = routes.setdefault(tuple(hop for hop, _ in moves), len(routes))
        lines.append(f"{chunk} {route} {''.join(f'{number:0{wide}}' for _, number in moves)}")
    return "\n".join(map(_route, routes)), "\n".join(lines)


def _route(hops: tuple[Hop, ...]) -> str:
    """Return a route, with the receivers of one sender together where they do not add."""
    parts = []
    for (sender, adds), those in groupby(hops, key=lambda hop: (hop[0], hop[2])):
        receivers = ",".join(str(receiver) for _, receiver, _ in those)
        parts.append(f"{sender}{'+' if adds else '>'}{receivers}")
    return " ".join(parts)
