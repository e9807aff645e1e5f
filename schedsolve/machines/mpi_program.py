"""Schedules as programs for MPI: Python with mpi4py and numpy buffers, to be read, run and changed.

The messages stand in the program as a table; one function carries them out with non-blocking calls, each as
soon as its data are there, and one function is the collective. `--verify` compares it with MPI's own.
"""

from __future__ import annotations

from textwrap import indent
from typing import NamedTuple

from schedsolve.escapes import in_docstring, shell_line
from schedsolve.machines.mpi_text import ADD_OR_STORE, EXCHANGE, FUNCTION, HEAD, MAIN, STORE
from schedsolve.machines.program_table import in_lines, numbering, ranks_line, table
from schedsolve.modelkit.movement import Movement


class Collective(NamedTuple):
    """How a collective is written for MPI.

    Attributes
    ----------
    name
        Of the function.
    meaning
        Its docstring.
    body
        What it does around the steps.
    buffers
        The numbers of units in the send and the receive buffer, as expressions.
    own
        The call of MPI's own.
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


def mpi_program(movement: Movement, title: str, file: str) -> str:
    """Return the text of the program.

    Parameters
    ----------
    movement
        What it carries out.
    title
        What it is, a line.
    file
        Under which name it is to be run.
    """
    written, layout = WRITTEN[movement.collective], movement.layout
    constants = ["TYPE = np.float64"]
    if movement.root is not None:
        constants.append(f"ROOT = {layout.root}")
    if layout.adds:
        constants.append('ADD, COPY = "add", "copy"  # what a receiver does with a chunk')
    what = "what, " if layout.adds else ""
    head = HEAD.format(
        title=in_lines(title),
        command=in_docstring(
            shell_line("mpiexec", "-n", str(layout.ranks), "python", file, "--verify", "--time")
        ),
        ranks=layout.ranks,
        where=ranks_line(movement),
        chunks=movement.chunks,
        constants="\n".join(constants),
        entry=f"(sender, receiver, {what}messages)",
        numbering=numbering(movement),
        steps="\n".join(table(movement)),
    )
    exchange = EXCHANGE.format(what=what, store=ADD_OR_STORE if layout.adds else STORE)
    function = FUNCTION.format(
        name=written.name,
        meaning=written.meaning,
        body=indent(written.body, "    "),
        own=written.own,
        sent=written.buffers[0],
        got=written.buffers[1],
    )
    return head + exchange + function + MAIN.format(name=written.name, count=max(1000, movement.chunks))
