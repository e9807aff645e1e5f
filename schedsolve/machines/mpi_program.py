"""Schedules as programs for MPI: Python with mpi4py and numpy buffers, to be read, run and changed.

The messages stand in the program as a table; one function carries them out with non-blocking calls, each as
soon as its data are there, and one function is the collective. `--verify` compares it with MPI's own.
"""

from __future__ import annotations

from textwrap import indent
from typing import NamedTuple

from schedsolve.machines.movement.movement import Movement
from schedsolve.machines.mpi_text import ADD_OR_STORE, EXCHANGE, FUNCTION, HEAD, MAIN, STORE
from schedsolve.machines.program_table import in_lines, numbering, ranks_line, table
from schedsolve.runtime.files.escapes import in_docstring, shell_line


class Collective(NamedTuple):
    """How a collective is written for MPI.

    Attributes
    ----------
    name
        Of the function.
    meaning
        Its docstring.
    units
        The units in the send and the receive buffer of a rank, as expressions.
    buffers
        The numbers of units in the send and the receive buffer, as expressions.
    own
        The call of MPI's own.
    sent_by_root, got_by_root
        Whether the root alone has a send buffer, or a receive buffer.
    """

    name: str
    meaning: str
    units: tuple[str, str]
    buffers: tuple[str, str]
    own: str
    sent_by_root: bool = False
    got_by_root: bool = False

    @property
    def body(self) -> str:
        """What the function does around the steps."""
        (sent, got), count = self.units, self.buffers[0]
        one = "len(receive)" if self.sent_by_root else "len(send)"
        copies = f"for chunk, place in pieces(receive, {got}).items():\n    place[:] = held[chunk]"
        return "\n".join(
            [
                f"held = pieces(send, {sent})" + (f" if {_HERE} else {{}}" if self.sent_by_root else ""),
                f"exchange(comm, held, {one}{' // RANKS' if count == 'RANKS' else ''})",
                f"if {_HERE}:\n{indent(copies, '    ')}" if self.got_by_root else copies,
            ]
        )


_ALL, _HERE, _OWN = "range(RANKS)", "comm.Get_rank() == ROOT", "[comm.Get_rank()]"
WRITTEN = {
    "allgather": Collective(
        "allgather",
        "Every rank sends its buffer to all; they stand in receive in the order of the ranks.",
        (_OWN, _ALL),
        ("1", "RANKS"),
        "comm.Allgather(send, receive)",
    ),
    "alltoall": Collective(
        "alltoall",
        "Part k of every rank's buffer goes to rank k, where part i of receive is what rank i sent.",
        (
            "[comm.Get_rank() * RANKS + k for k in range(RANKS)]",
            "[i * RANKS + comm.Get_rank() for i in range(RANKS)]",
        ),
        ("RANKS", "RANKS"),
        "comm.Alltoall(send, receive)",
    ),
    "broadcast": Collective(
        "broadcast",
        "What ROOT has in send is in receive at every rank.",
        ("[0]", "[0]"),
        ("1", "1"),
        "receive[:] = send\n    comm.Bcast(receive, root=ROOT)",
        sent_by_root=True,
    ),
    "gather": Collective(
        "gather",
        "Every rank sends its buffer to ROOT; they stand in receive there in the order of the ranks.",
        (_OWN, _ALL),
        ("1", f"RANKS if {_HERE} else 0"),
        "comm.Gather(send, receive, root=ROOT)",
        got_by_root=True,
    ),
    "scatter": Collective(
        "scatter",
        "Part i of what ROOT has in send goes to rank i.",
        (_ALL, _OWN),
        (f"RANKS if {_HERE} else 0", "1"),
        "comm.Scatter(send, receive, root=ROOT)",
        sent_by_root=True,
    ),
    "reduce": Collective(
        "reduce",
        "The sum of all ranks' buffers is in receive at ROOT.",
        ("[0]", "[0]"),
        ("1", f"1 if {_HERE} else 0"),
        "comm.Reduce(send, receive, root=ROOT)",
        got_by_root=True,
    ),
    "reduce-scatter": Collective(
        "reduce_scatter",
        "Part i of the sum of all ranks' buffers is in receive at rank i.",
        (_ALL, _OWN),
        ("RANKS", "1"),
        "comm.Reduce_scatter_block(send, receive)",
    ),
    "allreduce": Collective(
        "allreduce",
        "The sum of all ranks' buffers is in receive at every rank.",
        ("[0]", "[0]"),
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
