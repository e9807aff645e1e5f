"""Schedules as programs for MPI: Python with mpi4py and numpy buffers, to be read, run and changed.

The steps stand in the program as a table; one function carries them out with non-blocking calls, and one
function is the collective. `--verify` compares it with MPI's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent, wrap
from typing import NamedTuple

from schedsolve.escapes import in_docstring, shell_line
from schedsolve.modelkit.collectives import runs
from schedsolve.modelkit.movement import Movement, Transfer

LONGEST_LINE = 96
SHORTEST_RANGE = 4
"""So many numbers or more, one after another, are written as a range."""


class Collective(NamedTuple):
    """How a collective is written for MPI.

    name: of the function. meaning: its docstring. body: what it does around the steps. buffers: the numbers
    of units in the send and the receive buffer, as expressions. own: the call of MPI's own.
    """

    name: str
    meaning: str
    body: str
    buffers: tuple[str, str]
    own: str


_ALL = "range(RANKS)"
_ROOT_SENDS = "RANKS if comm.Get_rank() == ROOT else 0"
_IN_AND_OUT = """\
held = pieces(send, {sent})
exchange(comm, held, len(send) // {units})
for chunk, place in pieces(receive, {got}).items():
    place[:] = held[chunk]"""


def _body(sent: str, units: str, got: str) -> str:
    return _IN_AND_OUT.format(sent=sent, units=units, got=got)


_OWN_RANK = "[comm.Get_rank()]"
WRITTEN = {
    "allgather": Collective(
        "allgather",
        "Every rank sends its buffer to all; they stand in receive in the order of the ranks.",
        _body(_OWN_RANK, "1", _ALL),
        ("1", "RANKS"),
        "comm.Allgather(send, receive)",
    ),
    "alltoall": Collective(
        "alltoall",
        "Part k of every rank's buffer goes to rank k, where part i of receive is what rank i sent.",
        "rank = comm.Get_rank()\n"
        + _body(
            "[rank * RANKS + k for k in range(RANKS)]", "RANKS", "[i * RANKS + rank for i in range(RANKS)]"
        ),
        ("RANKS", "RANKS"),
        "comm.Alltoall(send, receive)",
    ),
    "broadcast": Collective(
        "broadcast",
        "What ROOT has in send is in receive at every rank.",
        """\
held = pieces(send, [0]) if comm.Get_rank() == ROOT else {}
exchange(comm, held, len(receive))
for chunk, place in pieces(receive, [0]).items():
    place[:] = held[chunk]""",
        ("1", "1"),
        "receive[:] = send\n    comm.Bcast(receive, root=ROOT)",
    ),
    "gather": Collective(
        "gather",
        "Every rank sends its buffer to ROOT; they stand in receive there in the order of the ranks.",
        """\
held = pieces(send, [comm.Get_rank()])
exchange(comm, held, len(send))
if comm.Get_rank() == ROOT:
    for chunk, place in pieces(receive, range(RANKS)).items():
        place[:] = held[chunk]""",
        ("1", _ROOT_SENDS),
        "comm.Gather(send, receive, root=ROOT)",
    ),
    "scatter": Collective(
        "scatter",
        "Part i of what ROOT has in send goes to rank i.",
        """\
held = pieces(send, range(RANKS)) if comm.Get_rank() == ROOT else {}
exchange(comm, held, len(receive))
for chunk, place in pieces(receive, [comm.Get_rank()]).items():
    place[:] = held[chunk]""",
        (_ROOT_SENDS, "1"),
        "comm.Scatter(send, receive, root=ROOT)",
    ),
    "reduce": Collective(
        "reduce",
        "The sum of all ranks' buffers is in receive at ROOT.",
        """\
held = pieces(send, [0])
exchange(comm, held, len(send))
if comm.Get_rank() == ROOT:
    for chunk, place in pieces(receive, [0]).items():
        place[:] = held[chunk]""",
        ("1", "1 if comm.Get_rank() == ROOT else 0"),
        "comm.Reduce(send, receive, root=ROOT)",
    ),
    "reduce-scatter": Collective(
        "reduce_scatter",
        "Part i of the sum of all ranks' buffers is in receive at rank i.",
        _body(_ALL, "RANKS", _OWN_RANK),
        ("RANKS", "1"),
        "comm.Reduce_scatter_block(send, receive)",
    ),
    "allreduce": Collective(
        "allreduce",
        "The sum of all ranks' buffers is in receive at every rank.",
        _body("[0]", "1", "[0]"),
        ("1", "1"),
        "comm.Allreduce(send, receive)",
    ),
}
"""Every collective, by name."""

_HEAD = '''\
#!/usr/bin/env python3
"""{title}

Run it with: {command}
It needs mpi4py and numpy. Written by schedsolve; the steps below are a schedule that its referee replayed.
{where}
"""

import argparse
import sys
import time
import traceback

try:
    import numpy as np
    from mpi4py import MPI
except ImportError as error:
    print(f"this program needs mpi4py, numpy and an MPI library: {{error}}", file=sys.stderr)
    sys.exit(2)

RANKS = {ranks}
CHUNKS = {chunks}  # into how many chunks a unit is cut
{constants}
# The schedule: for every step the transfers {entry}, all at the same time.
# {numbering}
STEPS = [
{steps}
]


def cut(count):
    """Where the chunks of a unit of so many elements begin, and where the last one ends."""
    return [count * j // CHUNKS for j in range(CHUNKS + 1)]


def pieces(buffer, units):
    """The chunks of a buffer that holds these units one after another: views of it, by their numbers."""
    count = len(buffer) // len(units)
    at = cut(count)
    return {{
        unit * CHUNKS + j: buffer[place * count + at[j] : place * count + at[j + 1]]
        for place, unit in enumerate(units)
        for j in range(CHUNKS)
    }}

'''
_EXCHANGE = '''
def exchange(comm, held, count):
    """Carry out the schedule. held: this rank's chunks by number, which grow; count: elements of a unit."""
    rank, at = comm.Get_rank(), cut(count)
    size = [end - begin for begin, end in zip(at, at[1:])]
    for transfers in STEPS:
        requests, arriving = [], []
        for sender, receiver, {what}chunks in transfers:
            if rank == sender:
                message = np.concatenate([held[chunk] for chunk in chunks])
                requests.append(comm.Isend(message, dest=receiver))
            elif rank == receiver:
                message = np.empty(sum(size[chunk % CHUNKS] for chunk in chunks), TYPE)
                requests.append(comm.Irecv(message, source=sender))
                arriving.append(({what}chunks, message))
        MPI.Request.Waitall(requests)
        for {what}chunks, message in arriving:
            begin = 0
            for chunk in chunks:
                end = begin + size[chunk % CHUNKS]
                {store}
                begin = end

'''
_STORE = "held[chunk] = message[begin:end]"
_ADD_OR_STORE = """\
piece = message[begin:end]
                held[chunk] = held[chunk] + piece if what == ADD else piece"""
_FUNCTION = '''
def {name}(comm, send, receive):
    """{meaning}"""
{body}


def mpi_{name}(comm, send, receive):
    """MPI's own."""
    {own}


def buffers(comm, count):
    """A send buffer of small whole numbers, which add up exactly, and a receive buffer."""
    numbers = np.random.default_rng(comm.Get_rank()).integers(0, 1000, ({sent}) * count)
    return numbers.astype(TYPE), np.zeros(({got}) * count, TYPE)

'''
_MAIN = '''
def verify(comm, count):
    """Whether the collective gives at every rank what MPI's own gives."""
    send, receive = buffers(comm, count)
    before, expected = send.copy(), receive.copy()
    {name}(comm, send, receive)
    mpi_{name}(comm, send, expected)
    wrong = np.flatnonzero(receive != expected)
    rank = comm.Get_rank()
    if len(wrong):
        at = wrong[0]
        print(f"rank {{rank}}: element {{at}} is {{receive[at]}}, not {{expected[at]}}", flush=True)
    if not np.array_equal(send, before):
        print(f"rank {{rank}}: the send buffer was changed", flush=True)
    good = not len(wrong) and np.array_equal(send, before)
    return comm.allreduce(int(good), op=MPI.MIN) == 1


def seconds(comm, collective, count, repeat):
    """The median time of the collective, of every run the slowest rank's."""
    send, receive = buffers(comm, count)
    collective(comm, send, receive)
    taken = []
    for _ in range(repeat):
        comm.Barrier()
        start = time.perf_counter()
        collective(comm, send, receive)
        taken.append(comm.allreduce(time.perf_counter() - start, op=MPI.MAX))
    return sorted(taken)[repeat // 2]


def main():
    """Run the command line; 0, 1 when the buffers differ from MPI's, 2 for a wrong call."""
    comm = MPI.COMM_WORLD
    parser = argparse.ArgumentParser(description=__doc__.split("\\n")[0].replace("%(", "% ("))
    parser.add_argument("--count", type=int, default={count}, help="elements of a unit (default %(default)s)")
    parser.add_argument("--verify", action="store_true", help="compare with MPI's own collective")
    parser.add_argument("--time", action="store_true", help="measure, beside MPI's own collective")
    parser.add_argument("--repeat", type=int, default=20, help="runs that are measured (default %(default)s)")
    arguments = parser.parse_args()
    problem, size = "", comm.Get_size()
    if size != RANKS:
        problem = f"this is a schedule for {{RANKS}} ranks, and there are {{size}}: mpiexec -n {{RANKS}}"
    elif arguments.count < 0 or arguments.repeat < 1:
        problem = "--count takes a number from 0 on, --repeat one from 1 on"
    if problem:
        if comm.Get_rank() == 0:
            print(problem, file=sys.stderr)
        return 2
    said = []
    if arguments.verify:
        if not verify(comm, arguments.count):
            if comm.Get_rank() == 0:
                print("{name}: DIFFERS from MPI's own")
            return 1
        said.append(f"{name}: as MPI's own on {{RANKS}} ranks")
    if arguments.time:
        ours = seconds(comm, {name}, arguments.count, arguments.repeat)
        own = seconds(comm, mpi_{name}, arguments.count, arguments.repeat)
        said.append(
            f"{name} of {{arguments.count * np.dtype(TYPE).itemsize}} bytes a unit:"
            f" {{ours:.3g}} s, MPI's own {{own:.3g}} s"
        )
    if not said:
        {name}(comm, *buffers(comm, arguments.count))
        said.append("{name}: done; --verify compares it with MPI's own, --time measures it")
    if comm.Get_rank() == 0:
        print("\\n".join(said))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception:
        traceback.print_exc()
        MPI.COMM_WORLD.Abort(1)
'''


def mpi_program(movement: Movement, title: str, file: str) -> str:
    """The text of the program.

    movement: what it carries out. title: what it is, a line. file: under which name it is to be run.
    """
    written, layout = WRITTEN[movement.collective], movement.layout
    constants = ["TYPE = np.float64"]
    if movement.root is not None:
        constants.append(f"ROOT = {layout.root}")
    if layout.adds:
        constants.append('ADD, COPY = "add", "copy"  # what a receiver does with a chunk')
    what = "what, " if layout.adds else ""
    head = _HEAD.format(
        title=_in_lines(title),
        command=in_docstring(
            shell_line("mpiexec", "-n", str(layout.ranks), "python", file, "--verify", "--time")
        ),
        ranks=layout.ranks,
        where=_where(movement),
        chunks=movement.chunks,
        constants="\n".join(constants),
        entry=f"(sender, receiver, {what}chunks)",
        numbering=_numbering(movement),
        steps="\n".join(_table(movement)),
    )
    exchange = _EXCHANGE.format(what=what, store=_ADD_OR_STORE if layout.adds else _STORE)
    function = _FUNCTION.format(
        name=written.name,
        meaning=written.meaning,
        body=indent(written.body, "    "),
        own=written.own,
        sent=written.buffers[0],
        got=written.buffers[1],
    )
    return head + exchange + function + _MAIN.format(name=written.name, count=max(1000, movement.chunks))


def _where(movement: Movement) -> str:
    """Which nodes the ranks are."""
    labels = [movement.network.labels[v] for v in movement.network.compute_nodes]
    if labels == list(range(len(labels))):
        return "Rank i is node i of the network."
    named = ", ".join(f"{i}: {label}" for i, label in enumerate(labels))
    return _in_lines(f"Ranks and nodes of the network: {named}.")


def _in_lines(text: str) -> str:
    """The text in lines for a docstring."""
    return "\n".join(in_docstring(line) for line in wrap(text, LONGEST_LINE))


def _numbering(movement: Movement) -> str:
    unit = {
        "alltoall": "unit i * RANKS + k goes from rank i to rank k",
        "broadcast": "there is one unit, 0",
        "reduce": "there is one unit, 0",
        "allreduce": "there is one unit, 0",
        "scatter": "unit i goes to rank i",
        "reduce-scatter": "unit i is rank i's result",
    }.get(movement.collective, "unit i is rank i's")
    return f"Chunk j of a unit has the number unit * CHUNKS + j; {unit}."


def _table(movement: Movement) -> Iterator[str]:
    """The steps as the lines of a list."""
    for number, step in enumerate(movement.steps, 1):
        unit = "round" if step.rounds == 1 else "rounds"
        yield f"    [  # step {number}, {step.rounds} {unit}"
        for transfer in step.transfers:
            yield from _entry(movement, transfer)
        yield "    ],"


def _entry(movement: Movement, transfer: Transfer) -> Iterator[str]:
    what = ("ADD, " if transfer.adds else "COPY, ") if movement.layout.adds else ""
    ends = f"({movement.rank[transfer.sender]}, {movement.rank[transfer.receiver]}, {what}"
    numbers = _numbers(sorted(transfer.chunks))
    entry = f"        {ends}[{', '.join(numbers)}]),"
    if len(entry) <= LONGEST_LINE:
        yield entry
        return
    yield f"        {ends}["
    for text in wrap(", ".join(numbers), LONGEST_LINE - 12):
        yield f"            {text}"
    yield "        ]),"


def _numbers(chunks: list[int]) -> Iterator[str]:
    for first, count in runs(chunks):
        if count >= SHORTEST_RANGE:
            yield f"*range({first}, {first + count})"
        else:
            yield from map(str, range(first, first + count))
